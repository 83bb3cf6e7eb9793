package rest

import (
	"testing"

	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

const jsonType = "application/json"

// TestCheckShapes pins the bodies of refusals: the order of members, and what is
// a list and what a map.
func TestCheckShapes(t *testing.T) {
	s := newTestSite(t)
	for _, c := range []struct{ name, method, target, body, want string }{
		{
			"missing", "POST", "events", `{"title":null}`,
			`{"code":"rest_missing_callback_param","message":"Missing parameters: title, start_date, end_date","data":{"status":400,"params":["title","start_date","end_date"]}}`,
		},
		{
			"missing wins over refused", "POST", "events", `{"title":"x","start_date":"never","timezone":"Moon/Base"}`,
			`{"code":"rest_missing_callback_param","message":"Missing parameters: end_date","data":{"status":400,"params":["end_date"]}}`,
		},
		{
			"refused by a validator", "GET", "events?page=0&per_page=-1", "",
			`{"code":"rest_invalid_param","message":"Invalid parameters: page, per_page","data":{"status":400,"params":{"page":"This value is not accepted.","per_page":"This value is not accepted."},"details":[]}}`,
		},
		{
			"a validator wins over a type", "GET", "events?page=0&featured=maybe", "",
			`{"code":"rest_invalid_param","message":"Invalid parameters: page","data":{"status":400,"params":{"page":"This value is not accepted."},"details":[]}}`,
		},
		{
			"refused by type", "GET", "events?featured=maybe&geoloc=on", "",
			`{"code":"rest_invalid_param","message":"Invalid parameters: featured, geoloc","data":{"status":400,"params":{"featured":"featured must be of type boolean.","geoloc":"geoloc must be of type boolean."},` +
				`"details":{"featured":{"code":"rest_invalid_type","message":"featured must be of type boolean.","data":{"param":"featured"}},"geoloc":{"code":"rest_invalid_type","message":"geoloc must be of type boolean.","data":{"param":"geoloc"}}}}}`,
		},
		{
			"a validator with a reason", "GET", "events?ticketed=yes", "",
			`{"code":"rest_invalid_param","message":"Invalid parameters: ticketed","data":{"status":400,"params":{"ticketed":"This site sells no tickets."},` +
				`"details":{"ticketed":{"code":"event-tickets-not-active","message":"This site sells no tickets.","data":{"status":400}}}}}`,
		},
		{
			"a shadowed value is checked too", "GET", "events?featured=maybe", `{"featured":true}`,
			`{"code":"rest_invalid_param","message":"Invalid parameters: featured","data":{"status":400,"params":{"featured":"featured must be of type boolean."},"details":{"featured":{"code":"rest_invalid_type","message":"featured must be of type boolean.","data":{"param":"featured"}}}}}`,
		},
		{
			"permission comes last", "POST", "categories", `{"name":"x"}`,
			`{"code":"rest_forbidden","message":"You are not allowed to do this.","data":{"status":401}}`,
		},
		{
			"unknown term", "GET", "categories/999", "",
			`{"code":"rest_invalid_param","message":"Invalid parameters: id","data":{"status":400,"params":{"id":"This value is not accepted."},"details":[]}}`,
		},
	} {
		a := ask{method: c.method, target: c.target, body: c.body}
		if c.body != "" {
			a.contentType = jsonType
		}
		got := s.do(a).body
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestWhichArgumentsAreRefused names the arguments that a request is refused for.
func TestWhichArgumentsAreRefused(t *testing.T) {
	s := newTestSite(t)
	for target, want := range map[string]string{
		"events?per_page=500":                    "",
		"events?per_page=1e1":                    "",
		"events?page=1.0":                        "",
		"events?page=1.5":                        "page",
		"events?page=":                           "page",
		"events?page[]=1":                        "page",
		"events?start_date=":                     "start_date",
		"events?start_date=garbage":              "start_date",
		"events?start_date=1970-01-01":           "start_date",
		"events?start_date=0":                    "",
		"events?start_date=-5.5":                 "",
		"events?start_date[]=2026-01-01":         "start_date",
		"events?start_date=next+month":           "",
		"events?strict_dates=0":                  "strict_dates",
		"events?strict_dates=false":              "",
		"events?search=0":                        "search",
		"events?search=":                         "search",
		"events?search[]=x":                      "search",
		"events?categories=music":                "",
		"events?categories=Talks":                "",
		"events?categories=never":                "categories",
		"events?categories=31,32":                "",
		"events?categories=31,999":               "categories",
		"events?categories=[]":                   "",
		"events?categories=":                     "categories",
		"events?tags=42&categories=42":           "categories",
		"events?venue=201,202":                   "",
		"events?venue=201,301":                   "venue",
		"events?venue[]=201&venue[]=":            "",
		"events?venue=old-mill":                  "venue",
		"events?organizer=303":                   "",
		"events?status=publish":                  "",
		"events?status=publish,":                 "",
		"events?status[]=publish":                "",
		"events?status=draft":                    "status",
		"events?status=":                         "status",
		"events?include=101,102":                 "",
		"events?include=101,x":                   "include",
		"events?include=":                        "include",
		"events?post_parent=104":                 "",
		"events?post_parent=201":                 "post_parent",
		"events?post_parent=104abc":              "post_parent",
		"events?ticketed=false":                  "",
		"events?ticketed=0":                      "",
		"events?geoloc_lat=north":                "",
		"events/0":                               "404",
		"events/101?password=":                   "password",
		"events/by-slug/":                        "404",
		"events/by-slug/nothing":                 "slug",
		"events/by-slug/old-mill":                "slug",
		"venues/301":                             "id",
		"venues/203":                             "403",
		"organizers?event=101":                   "",
		"organizers?event=301":                   "event",
		"organizers?has_events=":                 "",
		"organizers?only_with_upcoming=anything": "",
		"categories?parent=31":                   "",
		"categories?parent=0":                    "parent",
		"categories?parent=music":                "parent",
		"categories?hide_empty=perhaps":          "hide_empty",
		"categories?order=":                      "order",
		"tags?post=101":                          "",
		"tags?post=201":                          "post",
		"tags?include=outdoors":                  "",
		"tags?exclude=nothing":                   "exclude",
	} {
		a := s.get(target)
		got := ""
		if a.status == 400 {
			for i, name := range namesOf(t, a) {
				if i > 0 {
					got += ", "
				}
				got += name
			}
		} else if a.status >= 400 {
			got = a.outcome()[:3]
		}
		if got != want {
			t.Errorf("%s: refused for %q, want %q", target, got, want)
		}
	}
}

// namesOf lists the keys of data.params.
func namesOf(t *testing.T, a answer) []string {
	t.Helper()
	v, err := phpjson.Decode([]byte(a.body))
	if err != nil {
		t.Fatal(err)
	}
	params, ok := v.(*php.Array).At("data").(*php.Array).At("params").(*php.Array)
	if !ok {
		t.Fatalf("no data.params: %s", a.body)
	}
	var out []string
	for name := range params.All() {
		out = append(out, name.String())
	}
	return out
}

// TestStatusListByRole: who may edit events may ask for any registered status.
func TestStatusListByRole(t *testing.T) {
	s := newTestSite(t)
	for _, c := range []struct{ as, status, want string }{
		{"sona", "publish", "200"}, {"sona", "draft", "400 rest_invalid_param"}, {"sona", "publish,draft", "400 rest_invalid_param"},
		{"karel", "draft", "200"}, {"karel", "trash,private", "200"}, {"karel", "", "200"}, {"karel", "any", "400 rest_invalid_param"},
		{"karel", "in-progress,tribe-ignored,auto-draft", "200"}, {"karel", "publish ", "400 rest_invalid_param"}, {"karel", "5", "400 rest_invalid_param"},
	} {
		got := s.do(ask{target: "events?status=" + escaped(c.status), as: c.as}).outcome()
		if got != c.want {
			t.Errorf("%s asks for %q: %s, want %s", c.as, c.status, got, c.want)
		}
	}
}
