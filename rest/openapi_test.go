package rest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/tribev1/openapi/contract"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sqlconn"
)

// contractOf returns the site's own OpenAPI document.
func contractOf(t *testing.T, s *testSite) *contract.Contract {
	t.Helper()
	res := s.get("openapi.json")
	if res.status != http.StatusOK || res.header.Get("Content-Type") != "application/json; charset=utf-8" {
		t.Fatalf("%d %v", res.status, res.header)
	}
	c, err := contract.New([]byte(res.body))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// kept checks a request's response against the contract.
func (s *testSite) kept(c *contract.Contract, a ask) answer {
	s.t.Helper()
	r := s.request(a)
	parsed, err := http.NewRequest(r.Method, "https://village.example"+strings.TrimPrefix(r.RequestURI, "https://village.example"), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	parsed.Header = r.Header
	res := s.do(a)
	x, ok := contract.FromHTTP("calendar/events/v1", parsed, &http.Response{StatusCode: res.status, Header: res.header}, []byte(res.body))
	if !ok {
		return res
	}
	if c.Find(x.Method, x.Path) == "" {
		if !strings.Contains(string(x.Body), `"code":"rest_no_route"`) {
			s.t.Errorf("%s %s is not described, and answers %d %.200s", x.Method, x.Path, x.Status, x.Body)
		}
		return res
	}
	if err := c.Check(x); err != nil {
		s.t.Errorf("as %q, %s %s %s: %v", a.as, r.Method, a.target, a.body, err)
	}
	return res
}

// TestOpenAPIOfResponses: each response of each operation, errors too, is as the document of its
// site describes it, and what the document describes shows in a response.
func TestOpenAPIOfResponses(t *testing.T) {
	s := embeddedChangesSite(t, sqlconn.Config{}, true)
	s.srv.cfg.Observe = func(o *api.Observation) { s.seen = o }
	s.setCalendarOptions("custom-fields", php.List(api.Object("name", "_ecp_custom_1", "label", "Dress")))
	s.addMeta(101, "_ecp_custom_1", "warm")
	s.addMeta(301, "_thumbnail_id", "401")
	s.exec("UPDATE wp_posts SET post_excerpt = 'Short.' WHERE ID = 301")
	c := contractOf(t, s.testSite)
	synced := func(token string) string {
		page := s.kept(c, ask{target: "events/changes?per_page=50&" + token})
		for page.json("page_token") != "" {
			page = s.kept(c, ask{target: "events/changes?per_page=50&page_token=" + page.json("page_token")})
		}
		return page.json("sync_token")
	}
	token := synced("")
	for _, group := range []string{"index", "events", "linked", "terms", "errors", "wire"} {
		for _, line := range recordedRequests[group] {
			a := ask{}
			words := strings.SplitN(line, " ", 4)
			if a.as = words[0]; a.as == "anonymous" {
				a.as = ""
			}
			a.method, a.target = words[1], words[2]
			if len(words) > 3 {
				if name, v, ok := strings.Cut(words[3], ": "); ok {
					a.header = http.Header{name: {v}}
				} else {
					a.body, a.contentType = words[3], jsonType
				}
			}
			s.kept(c, a)
		}
	}
	s.askEverything(c)
	synced("sync_token=" + token)
	// A stream has no end (TestStream reads some), and no argument of a site without languages has a list of values.
	if left := c.Unseen(); !slices.Equal(left, []string{"GET /events/stream 200", "IndexArgument.enum"}) {
		t.Errorf("no response has %q", left)
	}
}

// askEverything sends requests to what the recorded requests leave out: the routes of our own, and
// writes of everything, in JSON and as a form.
func (s *testSite) askEverything(c *contract.Contract) {
	s.t.Helper()
	for _, target := range []string{
		"doc", "docs", "openapi.json", "events.ics", "events.jsonfeed", "events/101.ics", "events/106.ics", "events/9.ics", "events/changes", "events/changes?sync_token=x",
		"venues/201/events.ics", "venues/203/events.ics", "venues/by-slug/old-mill/events.ics", "organizers/301/events.ics", "organizers/by-slug/friends/events.ics",
		"categories/31/events.ics", "categories/by-slug/music/events.ics", "tags/41/events.ics", "tags/by-slug/outdoors/events.ics", "tags/9/events.ics",
		"categories/32?_embed", "venues?page=9", "events?venue=9", "events?per_page=2", "venues?per_page=1&page=2", "organizers?per_page=1", "organizers?per_page=1&page=2",
		"tags?per_page=1", "events/changes?per_page=1",
	} {
		s.kept(c, ask{target: target})
	}
	const form = "application/x-www-form-urlencoded"
	write := func(as, method, target, body string, status int) answer {
		s.t.Helper()
		a := ask{as: as, method: method, target: target, body: body, contentType: jsonType}
		if body != "" && body[0] != '{' {
			a.contentType = form
		}
		res := s.kept(c, a)
		if res.status != status {
			s.t.Errorf("%s %s %s: %d %.300s", method, target, body, res.status, res.body)
		}
		return res
	}
	made := write("adela", "POST", "events", `{"title":"New","start_date":"2026-12-24 18:00:00","end_date":"2026-12-24 20:00:00","cost":"12","categories":[31,"Fresh"],"tags":["a","b"],"venue":{"venue":"Barn","city":"Brno"},"organizer":[{"organizer":"Eva","email":"eva@village.example"},301],"image":"401"}`, 201)
	event := "events/" + made.json("id")
	write("adela", "POST", event, "title=Newer&categories=31,32&featured=true&password=x", 200)
	write("adela", "PUT", event, `{"venue":202,"slug":"new-one"}`, 200)
	write("adela", "PATCH", "events/by-slug/new-one", `{"all_day":true}`, 200)
	write("adela", "PUT", "events/by-slug/new-one", `{"cost":"free","organizer":[301,302]}`, 200)
	write("adela", "POST", "events/by-slug/new-one", `{"sticky":true}`, 200)
	write("adela", "PATCH", event, `{"status":"draft"}`, 200)
	write("adela", "POST", event, `{"image":"https://village.example/x.jpg"}`, 400)
	write("adela", "DELETE", event, "", 200)
	write("adela", "DELETE", event, "", 410)
	write("adela", "DELETE", "events/by-slug/reading", "", 200)
	write("adela", "POST", "events/999", `{"title":"x"}`, 404)
	write("adela", "DELETE", "events/999", "", 404)
	write("adela", "POST", "events", `{"title":"x"}`, 400)
	write("karel", "POST", "events/101", `{"title":"x"}`, 403)
	write("", "POST", "events", `{"title":"New","start_date":"2026-12-24","end_date":"2026-12-24"}`, 401)
	write("adela", "POST", "events", `{"title":"`+strings.Repeat("x", 9<<20)+`"}`, 413)
	for _, linked := range []struct{ name, slug string }{{"venue", "old-mill"}, {"organizer", "friends"}} {
		list := linked.name + "s"
		made := write("adela", "POST", list, `{"`+linked.name+`":"Another","website":"https://a.example","description":"Text","phone":"1","image":"401"}`, 201)
		for i, method := range []string{"POST", "PUT", "PATCH"} {
			write("adela", method, list+"/"+made.json("id"), linked.name+"=Other+"+method, 200)
			write("adela", method, list+"/by-slug/"+linked.slug, `{"description":"Text `+string(rune('a'+i))+`"}`, 200)
		}
		write("karel", "PUT", list+"/"+made.json("id"), `{"phone":"2"}`, 403)
		write("adela", "DELETE", list+"/"+made.json("id"), "", 200)
		write("adela", "DELETE", list+"/"+made.json("id"), "", 410)
		write("adela", "DELETE", list+"/by-slug/"+linked.slug, "", 200)
	}
	for _, list := range []string{"categories", "tags"} {
		made := write("adela", "POST", list, `{"name":"Made here","description":"Text"}`, 201)
		for _, method := range []string{"POST", "PUT", "PATCH"} {
			write("adela", method, list+"/"+made.json("id"), "name="+method, 200)
		}
		write("adela", "POST", list, `{"name":"PATCH"}`, 400)
		write("sona", "DELETE", list+"/"+made.json("id"), "", 403)
		write("adela", "DELETE", list+"/"+made.json("id"), "", 200)
	}
}

// TestOpenAPIOfTickets: fields of Event Tickets are described where it is active, and only there.
func TestOpenAPIOfTickets(t *testing.T) {
	without := newTestSite(t, extended)
	for _, name := range []string{`"ticketed":{"anyOf"`, `"attendance"`, `"Attendance"`} {
		if strings.Contains(without.get("openapi.json").body, name) {
			t.Errorf("%s is described without Event Tickets", name)
		}
	}
	s := newTestSite(t, extended)
	s.withTickets("ticket_commerce_currency_code", "EUR")
	c := contractOf(t, s)
	for _, as := range []string{"", "adela", "karel"} {
		for _, target := range []string{"events", "events/1001", "events/1002", "events/1003", "events/1004?password=sesame", "events?status=publish", "events?ticketed=1"} {
			s.kept(c, ask{as: as, target: target})
		}
	}
	for _, what := range c.Unseen() {
		if strings.HasPrefix(what, "Attendance.") || what == "Offer.validThrough" || what == "Event.ticketed" || what == "Event.attendance" {
			t.Errorf("no response has %s", what)
		}
	}
}

// TestContract: the check of responses refuses what the document does not describe.
func TestContract(t *testing.T) {
	s := newTestSite(t, extended)
	c := contractOf(t, s)
	tag := s.get("tags/41")
	if got := c.Find("get", "/Tags/41//"); got != "GET /tags/{id}" {
		t.Errorf("found %q", got)
	}
	for name, change := range map[string]func(*contract.Exchange){
		"as it is":            nil,
		"an unknown member":   func(x *contract.Exchange) { x.Body = []byte(strings.Replace(tag.body, "{", `{"color":1,`, 1)) },
		"another type":        func(x *contract.Exchange) { x.Body = []byte(strings.Replace(tag.body, `"id":41`, `"id":"41"`, 1)) },
		"a member is missing": func(x *contract.Exchange) { x.Body = []byte(strings.Replace(tag.body, `"id":41,`, ``, 1)) },
		"another status":      func(x *contract.Exchange) { x.Status = 418 },
		"an error's code": func(x *contract.Exchange) {
			x.Status, x.Body = 400, []byte(`{"code":"rest_forbidden","message":"","data":{"status":400}}`)
		},
		"a header":           func(x *contract.Exchange) { x.Header = http.Header{"X-Tec-Total": {"1"}} },
		"no header":          func(x *contract.Exchange) { x.Header.Del("Allow") },
		"another route":      func(x *contract.Exchange) { x.Path = "/tag/41" },
		"another method":     func(x *contract.Exchange) { x.Method = "TRACE" },
		"another media type": func(x *contract.Exchange) { x.Header.Set("Content-Type", "text/html") },
	} {
		x := contract.Exchange{Method: http.MethodGet, Path: "/tags/41", Status: tag.status, Header: tag.header.Clone(), Body: []byte(tag.body)}
		if change != nil {
			change(&x)
		}
		if err := c.Check(x); (err != nil) != (change != nil) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOpenAPISeam: our own document is at /openapi.json where there are routes of our own, and under fixed
// at /doc; elsewhere /doc is the reference's.
func TestOpenAPISeam(t *testing.T) {
	for _, test := range []struct {
		compat      api.Compat
		extensions  bool
		doc, status string
	}{
		{api.Exact, true, "3.0.0", "404"}, {api.Safe, false, "3.0.0", "404"}, {api.Safe, true, "3.0.0", "200"}, {api.Fixed, false, "3.1.0", "404"}, {api.Fixed, true, "3.1.0", "200"},
	} {
		s := newTestSite(t, func(c *Config) { c.Compat, c.Extensions = test.compat, test.extensions })
		if doc, own := s.get("doc"), s.get("openapi.json"); doc.json("openapi") != test.doc || strconv.Itoa(own.status) != test.status || own.status == http.StatusOK && own.json("openapi") != "3.1.0" {
			t.Errorf("%v: /doc has version %s, /openapi.json answers %d", test, doc.json("openapi"), own.status)
		}
	}
}

// TestOpenAPITexts: everything that is described has a text in each language.
func TestOpenAPITexts(t *testing.T) {
	for _, plugin := range []string{"wpml", "polylang"} {
		s := languageTestSite(t, plugin, extended)
		texts := map[string]string{}
		for _, language := range []string{"en", "de"} {
			body := s.get("/" + language + testBase + "/openapi.json").body
			var doc any
			if err := json.Unmarshal([]byte(body), &doc); err != nil {
				t.Fatalf("%v: %.200s", err, body)
			}
			texts[language] = body
			eachText(doc, func(text string) {
				if !strings.HasSuffix(text, ".") {
					t.Errorf("%s: %q is no sentence", language, text)
				}
			})
			if want := "https://village.example/" + language + testBase; !strings.Contains(body, `"url":"`+strings.ReplaceAll(want, "/", `\/`)+`"`) {
				t.Errorf("no server %s", want)
			}
			if !strings.Contains(body, `"name":"language_code"`) {
				t.Error("the parameter for the language is not described")
			}
		}
		if texts["en"] == texts["de"] {
			t.Error("the languages have the same texts")
		}
	}
}

// eachText calls do with each description and summary of a document.
func eachText(v any, do func(text string)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			eachText(item, do)
		}
	case map[string]any:
		for name, member := range v {
			if name == "example" { // a body, whose description is an event's
				continue
			}
			if text, ok := member.(string); ok && (name == "description" || name == "summary") {
				do(text)
			}
			eachText(member, do)
		}
	}
}
