package rest

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"calbridge/i18n"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
)

// promisingSite returns a site without a language plugin, whose settings promise three languages.
func promisingSite(t testing.TB) *testSite {
	return newTestSite(t, func(cfg *Config) { cfg.Languages, cfg.LanguageParam = []string{"cs", "en", "de"}, "sprache" })
}

// A site without a plugin offers the languages of its settings: they choose the
// wording, of errors and descriptions, and nothing else.
func TestPromisedLanguages(t *testing.T) {
	s := promisingSite(t)
	words := i18n.Catalogues()
	for _, code := range []string{"cs", "en", "de"} {
		a := s.get("events/99999?sprache=" + code)
		want := strings.Replace(words[code].Errors["rest-event-not-found"], "{id}", "99999", 1)
		if got := a.json("message"); got != want || want == "" {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
		description := "description\":\"" + jsonText(words[code].Arguments["search"]) + "\""
		for _, target := range []string{"?sprache=" + code, "doc?sprache=" + code} {
			if got := s.get(target).body; !strings.Contains(got, description) || len(description) < 20 {
				t.Errorf("%s is not in the wording of %s: %s", target, code, description)
			}
		}
		for _, other := range []string{"cs", "en", "de"} {
			if same := words[other].Arguments["search"] == words[code].Arguments["search"]; same != (other == code) {
				t.Errorf("%s and %s describe arguments in the same words", code, other)
			}
		}
	}
	if got := s.get("events?sprache=fr").outcome(); got != "400 rest_invalid_param" {
		t.Errorf("French: %s", got)
	}
	all := newTestSite(t).get("events?" + wide).ids("events")
	for _, code := range []string{"cs", "en", "de"} {
		if got := s.get("events?sprache=" + code + "&" + wide).ids("events"); got != all {
			t.Errorf("%s chooses content: %s, not %s", code, got, all)
		}
	}
	for _, target := range []string{"/en" + testBase + "/events", "/cs" + testBase} {
		if a := s.get(target); a.status != http.StatusNotFound || strings.Contains(a.header.Get("Content-Type"), "json") {
			t.Errorf("%s is a root: %d", target, a.status)
		}
	}
	plain := newTestSite(t)
	if a := plain.get("events?language_code=xx&lang[]=y"); a.status != http.StatusOK {
		t.Errorf("without languages the parameter is unknown, but: %s", a.outcome())
	}
	if strings.Contains(plain.get("").body, "language_code") {
		t.Error("without languages the parameter is advertised")
	}
}

// jsonText returns a text as it stands in a response.
func jsonText(s string) string {
	return strings.Trim(string(phpjson.Append(nil, s)), "\"")
}

// routeExamples are values for the named parts of patterns of routes.
var routeExamples = map[string][2]string{ // id and slug
	"events": {"101", "dance"}, "venues": {"201", "old-mill"}, "organizers": {"301", "friends"}, "categories": {"31", ""}, "tags": {"41", ""},
}

var namedPart = regexp.MustCompile(`\(\?P<(\w+)>[^)]*\)`)

// TestPromisedLanguagesEverywhere: the parameter is advertised and validated on
// every route and method, for every user.
func TestPromisedLanguagesEverywhere(t *testing.T) {
	s := promisingSite(t)
	advertised := s.get("").body
	endpoints := 0
	for _, rt := range wprest.NewTable(tribev1.Dialect("fairs/v1", nil), nil, "", nil).Routes {
		collection, _, _ := strings.Cut(strings.TrimPrefix(rt.Pattern, "/"), "/")
		path := namedPart.ReplaceAllStringFunc(rt.Pattern, func(part string) string {
			return routeExamples[collection][number(namedPart.FindStringSubmatch(part)[1] == "slug")]
		})
		for _, ep := range rt.Endpoints {
			endpoints++
			for _, method := range ep.Methods {
				for value, want := range map[string]string{"sprache=fr": "rest_not_in_enum", "sprache=": "rest_not_in_enum", "sprache=EN": "rest_not_in_enum", "sprache[]=en": "rest_invalid_type"} {
					body := ""
					if method != http.MethodGet {
						body = `{"title":"x","venue":"x","organizer":"x","name":"x","start_date":"2027-01-01","end_date":"2027-01-02"}`
						if collection == "events" {
							body = `{"title":"x","start_date":"2027-01-01","end_date":"2027-01-02"}`
						}
					}
					a := s.do(ask{method: method, target: testBase + path + "?" + value, body: body, contentType: "application/json"})
					if got := a.json("data.details.sprache.code"); a.status != http.StatusBadRequest || got != want {
						t.Errorf("%s %s %s: %d %s, want 400 %s", method, path, value, a.status, got, want)
					}
				}
			}
		}
	}
	if got := strings.Count(advertised, `"sprache":{`); got != endpoints || endpoints < 20 {
		t.Errorf("the index shows the parameter %d times, there are %d endpoints", got, endpoints)
	}
	if got := strings.Count(advertised, `"enum":["cs","en","de"]`); got != endpoints {
		t.Errorf("the index lists the languages %d times, there are %d endpoints", got, endpoints)
	}
}
