package rest

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore/php"
)

func compat(level api.Compat) func(*Config) { return func(cfg *Config) { cfg.Compat = level } }

const wide = "per_page=50&start_date=2020-01-01&end_date=2030-01-01"

func TestLanguageRoots(t *testing.T) {
	for _, c := range []struct {
		site   string
		level  api.Compat
		target string
		want   string // ids of the events, or the outcome
	}{
		{"wpml", api.Exact, testBase + "/events?" + wide, "104 101"},
		{"wpml", api.Exact, "/en" + testBase + "/events?" + wide, "102 103"},
		{"wpml", api.Exact, "/en/?rest_route=/calendar/events/v1/events&" + wide, "102 103"},
		{"wpml", api.Exact, testBase + "/events?lang=en&" + wide, "102 103"},
		{"wpml", api.Exact, "/en" + testBase + "/events?lang=cs&" + wide, "102 103"},
		{"wpml", api.Exact, "/de" + testBase + "/events?" + wide, ""},
		{"wpml", api.Exact, testBase + "/events?lang=EN&" + wide, "104 101"},
		{"wpml", api.Exact, testBase + "/events?lang[]=en&" + wide, "104 101"},
		{"wpml", api.Exact, "/cs" + testBase + "/events", "not REST"},
		{"wpml", api.Exact, "/fr" + testBase + "/events", "not REST"},
		{"wpml", api.Exact, "/EN" + testBase + "/events", "not REST"},
		{"wpml", api.Exact, "/en/index.php?rest_route=/calendar/events/v1/events", "not REST"},
		{"wpml", api.Exact, "/fr/?rest_route=/calendar/events/v1/events&" + wide, "104 101"},
		{"wpml", api.Fixed, "/en" + testBase + "/events?" + wide, "102 103"},
		{"polylang", api.Exact, "/en" + testBase + "/events", "not REST"},
		{"polylang", api.Safe, "/en" + testBase + "/events?" + wide, "102 103"},
		{"polylang", api.Safe, "/cs" + testBase + "/events", "not REST"},
		{"polylang", api.Safe, testBase + "/events?language_code=cs&" + wide, "104 101"},
		{"none", api.Exact, "/en" + testBase + "/events", "not REST"},
	} {
		t.Run(c.site+" "+string(c.level)+" "+c.target, func(t *testing.T) {
			s := languageTestSite(t, c.site, compat(c.level))
			a := s.get(c.target)
			got := "not REST"
			if strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
				got = a.ids("events")
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Polylang lists all languages together in the root that it leaves alone, under
// every level.
func TestPolylangPlainRoot(t *testing.T) {
	plain := newTestSite(t).get("events?" + wide).ids("events")
	for _, level := range []api.Compat{api.Exact, api.Safe, api.Fixed} {
		s := polylangTestSite(t, compat(level))
		if got := s.get("events?" + wide).ids("events"); level == api.Exact && got != plain || !strings.Contains(got, "102") || !strings.Contains(got, "101") {
			t.Errorf("%s: %q, want %q", level, got, plain)
		}
		for target, want := range map[string]string{"": "31 33", "&lang=en": "33", "&lang=EN": "33", "&lang=xx": "31", "&lang=0": "31 33", "&lang=de": ""} {
			if got := s.get("categories?hide_empty=0&parent_only=1&search=s" + target).ids("categories"); !sameSet(got, want) {
				t.Errorf("%s categories%s: %q, want %q", level, target, got, want)
			}
		}
		if got := s.get("events/102").json("url"); got != "https://village.example/en/event/reading/" {
			t.Errorf("url %q", got)
		}
	}
}

// sameSet reports whether two lists hold the same words, those aside that the test
// does not speak of.
func sameSet(got, want string) bool {
	in := wordSet(want)
	n := 0
	for id := range strings.FieldsSeq(got) {
		if id == "31" || id == "33" {
			if !in[id] {
				return false
			}
			n++
		}
	}
	return n == len(in)
}

func TestLanguageParameter(t *testing.T) {
	s := wpmlTestSite(t)
	for name, site := range map[string]*testSite{"WPML": s, "Polylang under safe": polylangTestSite(t, compat(api.Safe))} {
		for value, code := range map[string]string{
			"language_code=xx": "rest_not_in_enum", "language_code=EN": "rest_not_in_enum", "language_code=": "rest_not_in_enum", "language_code=fr": "rest_not_in_enum",
			"language_code=all": "rest_not_in_enum", "language_code[]=en": "rest_invalid_type",
		} {
			for _, target := range []string{"events?", "venues?", "tags?", "events/101?", "?", "doc?"} {
				a := site.get(target + value)
				if got := a.json("data.details.language_code.code"); a.status != 400 || got != code {
					t.Errorf("%s: %s%s: %d %s, want 400 %s", name, target, value, a.status, got, code)
				}
			}
		}
	}
	if got := s.get("events?language_code=xx").json("data.details.language_code.message"); got != "language_code musí být jedna z hodnot cs, en a de." {
		t.Error(got)
	}
	in := strings.Count(s.get("").body, `"language_code":{"type":"string","description":"Jazyk obsahu a hl\u00e1\u0161en\u00ed.","enum":["cs","en","de"],"required":false}`)
	endpoints := 0
	for _, rt := range wprest.NewTable(tribev1.Dialect("fairs/v1", nil), nil, "", nil).Routes {
		endpoints += len(rt.Endpoints)
	}
	if in != endpoints {
		t.Errorf("the index shows the parameter %d times, there are %d endpoints", in, endpoints)
	}
	if got := polylangTestSite(t).get("").body; strings.Contains(got, "language_code") {
		t.Error("Polylang has no parameter under exact")
	}
}

// Under exact the parameter repeats what WPML makes of it; under fixed it is as
// good as the root of the language.
func TestWantedLanguage(t *testing.T) {
	const target = "events?language_code=en&" + wide
	exact, fixed := wpmlTestSite(t), wpmlTestSite(t, compat(api.Fixed))
	for _, c := range []struct {
		path, exact, fixed string
	}{
		{"total", "2", "2"},
		{"rest_url", "https://village.example/en" + testBase + "/events/?page=1&per_page=50&start_date=2020-01-01 00:00:00&end_date=2030-01-01 23:59:59&status=publish", ""},
		{"events.0.global_id", "village.example?id=102", "village.example/en/?id=102"},
		{"events.0.rest_url", "https://village.example" + testBase + "/events/102", "https://village.example/en" + testBase + "/events/102"},
		{"events.0.url", "https://village.example/en/event/reading/", "https://village.example/en/event/reading/"},
		{"events.0.venue.id", "202", "202"},
		{"events.0.organizer.0.id", "301", "302"},
	} {
		want := c.exact
		if got := exact.get(target).json(c.path); got != want {
			t.Errorf("exact: %s is %q, want %q", c.path, got, want)
		}
		if c.fixed != "" {
			want = c.fixed
		}
		if got := fixed.get(target).json(c.path); got != want {
			t.Errorf("fixed: %s is %q, want %q", c.path, got, want)
		}
	}
	polylang := polylangTestSite(t, compat(api.Safe)).get(target)
	if got := polylang.json("total") + " " + polylang.json("events.0.rest_url"); got != "2 https://village.example/en"+testBase+"/events/102" {
		t.Errorf("Polylang: %s", got)
	}
	german := "events?language_code=de&" + wide
	if a, b := exact.get(german).json("total"), fixed.get(german).json("total"); a != "2" || b != "0" {
		t.Errorf("German events: exact says %s, fixed %s", a, b)
	}
}

// TestLanguageOfNewPosts: under WPML the parameter counts for new events alone, and only in a
// JSON body. The event then names itself under the language's root.
func TestLanguageOfNewPosts(t *testing.T) {
	s := wpmlTestSite(t)
	const event, venue = `{"title":"New","start_date":"2027-01-01 10:00","end_date":"2027-01-01 11:00"`, `{"venue":"New"`
	for _, c := range []struct{ target, body, want, root string }{
		{"events", event + `,"language_code":"en"}`, "en", "/en"},
		{"events?language_code=en", event + `}`, "cs", ""},
		{"/en" + testBase + "/events", event + `,"language_code":"de"}`, "de", "/de"},
		{"/en" + testBase + "/events", event + `}`, "en", "/en"},
		{"venues", venue + `,"language_code":"en"}`, "cs", ""},
	} {
		a := s.do(ask{method: "POST", as: "edita", target: c.target, body: c.body, contentType: jsonType})
		if a.status != 201 {
			t.Fatalf("%s %s: %d %.300s", c.target, c.body, a.status, a.body)
		}
		got := s.joined("SELECT element_id, language_code FROM wp_icl_translations WHERE element_type LIKE 'post_%'")
		if code := strings.TrimSpace(got[php.ToInt(a.json("id"))]); code != c.want {
			t.Errorf("%s %s: %q, want %q", c.target, c.body, code, c.want)
		}
		if self, want := a.json("rest_url"), c.root+testBase+"/events/"+a.json("id"); strings.HasSuffix(c.target, "venues") == strings.Contains(self, want) || strings.Contains(self, "/en"+want) {
			t.Errorf("%s %s: rest_url %s, want %s", c.target, c.body, self, want)
		}
	}
}

func TestTranslatedLinks(t *testing.T) {
	s := wpmlTestSite(t)
	for target, want := range map[string]string{
		testBase + "/events/102":           "201 301",
		"/en" + testBase + "/events/102":   "202 302",
		"/en" + testBase + "/events/101":   "202 302",
		"/de" + testBase + "/events/102":   "202 302",
		testBase + "/events/102?lang=en":   "202 302",
		testBase + "/events/102?lang=xx":   "201 301",
		testBase + "/events/by-slug/dance": "201 301",
	} {
		a := s.get(target)
		if got := a.json("venue.id") + " " + a.json("organizer.0.id"); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	if got := polylangTestSite(t).get("events/102").json("venue.id"); got != "202" {
		t.Errorf("Polylang shows venues as stored, not %s", got)
	}
	if got := polylangTestSite(t, compat(api.Safe)).do(ask{target: "/en" + testBase + "/events/101"}).json("venue.id"); got != "202" {
		t.Errorf("Polylang's English root shows venue %s", got)
	}
}

// Under WPML the first venue or organizer that a response shows is in the language
// wanted, the others are in the root's, wherever the first one is.
func TestFirstTranslatedLink(t *testing.T) {
	links := func(s *testSite, event, venue, organizer int64) {
		s.exec("DELETE FROM wp_postmeta WHERE post_id = ? AND meta_key IN ('_EventVenueID', '_EventOrganizerID')", event)
		for key, id := range map[string]int64{"_EventVenueID": venue, "_EventOrganizerID": organizer} {
			if id != 0 {
				s.addMeta(event, key, fmt.Sprint(id))
			}
		}
	}
	for name, c := range map[string]struct {
		first, second [2]int64 // venue and organizer of the two English events
		password      string   // of the first
		want          string   // venues and organizers shown
	}{
		"both link":           {[2]int64{201, 301}, [2]int64{201, 301}, "", "202 301 201 301"},
		"no links":            {[2]int64{}, [2]int64{201, 301}, "", "  202 301"},
		"organizer only":      {[2]int64{0, 301}, [2]int64{201, 301}, "", " 302 201 301"},
		"links lead nowhere":  {[2]int64{999, 998}, [2]int64{201, 301}, "", "  202 301"},
		"one leads somewhere": {[2]int64{999, 301}, [2]int64{201, 301}, "", " 302 201 301"},
		"locked":              {[2]int64{201, 301}, [2]int64{201, 301}, "sesame", "  202 301"},
	} {
		t.Run(name, func(t *testing.T) {
			s := wpmlTestSite(t)
			links(s, 102, c.first[0], c.first[1])
			links(s, 103, c.second[0], c.second[1])
			s.exec("UPDATE wp_posts SET post_password = ? WHERE ID = 102", c.password)
			a := s.get("events?language_code=en&" + wide)
			var got []string
			for i := range 2 {
				for _, path := range []string{"venue.id", "organizer.0.id"} {
					got = append(got, a.json(fmt.Sprintf("events.%d.%s", i, path)))
				}
			}
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestFiltersInLanguage(t *testing.T) {
	s := wpmlTestSite(t)
	for target, want := range map[string]string{
		"/en" + testBase + "/events?include=101&" + wide:   "102",
		"/en" + testBase + "/events?include=104&" + wide:   "",
		testBase + "/events?include=102&" + wide:           "",
		"/en" + testBase + "/events?venue=201&" + wide:     "",
		"/en" + testBase + "/events?venue=202&" + wide:     "102",
		"/en" + testBase + "/events?tags=41&" + wide:       s.get("/en" + testBase + "/events?tags=42&" + wide).ids("events"),
		"/en" + testBase + "/events?categories=35&" + wide: "",
	} {
		if got := s.get(target).ids("events"); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
	for target, want := range map[string]string{
		"/en" + testBase + "/categories?include=31&hide_empty=0": "33",
		"/en" + testBase + "/categories?slug=music&hide_empty=0": "33",
		testBase + "/categories?parent=33&hide_empty=0":          "32",
		testBase + "/categories?language_code=en&hide_empty=0":   "33",
	} {
		if got := s.get(target).ids("categories"); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
