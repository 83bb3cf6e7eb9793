package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestHugeRequests: ten megabytes in all shapes are answered soon. A web server in
// front refuses most of them before.
func TestHugeRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s := newTestSite(t)
	const size = hostileSize
	rep := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	for name, target := range map[string]string{
		"one value":         "events?a=" + rep("x"),
		"empty pieces":      "events?" + rep("&"),
		"many names":        "events?" + rep("a=1&"),
		"arrays":            "events?" + rep("a[]=1&"),
		"deep":              "events?a" + rep("[a]") + "=1",
		"open brackets":     "events?" + rep("["),
		"escapes":           "events?a=" + rep("%41"),
		"bad escapes":       "events?a=" + rep("%"),
		"search":            "events?search=" + rep("x"),
		"search words":      "events?search=" + rep("x+y+"),
		"search quotes":     "events?search=" + rep("%22"),
		"venue search":      "venues?search=" + rep("x"),
		"venue words":       "venues?search=" + rep("ab+"),
		"categories":        "events?categories=" + rep("a,"),
		"category ids":      "events?categories=" + rep("31,"),
		"same ids":          "events?include=" + rep("101,"),
		"venues":            "events?venue=" + rep("201,"),
		"statuses":          "events?status=" + rep("publish,"),
		"date":              "events?start_date=" + rep("1"),
		"date words":        "events?start_date=" + rep("next+day+"),
		"zeros":             "events/" + rep("0"),
		"slug":              "events/by-slug/" + rep("a"),
		"escaped slug":      "events/by-slug/" + rep("%25"),
		"nested slug":       "events/by-slug/x?slug=" + rep("a/"),
		"slashes":           rep("/"),
		"fields":            "events?_fields=" + rep("a.b,"),
		"nested fields":     "events?_fields=" + rep("a."),
		"callback":          "events?_jsonp=" + rep("f"),
		"embed":             "categories/34?_embed=" + rep("a,"),
		"orderby":           "categories?orderby=" + rep("x"),
		"term search":       "tags?search=" + rep("x"),
		"term slug":         "tags?slug=" + rep("-"),
		"password":          "events/106?password=" + rep("x"),
		"method":            "events?_method=" + rep("x"),
		"page":              "events?page=" + rep("9"),
		"route":             "/?rest_route=" + rep("/a"),
		"a list of its own": "events?organizer[]=" + rep("301") + "&has_events=" + rep("y"),
	} {
		s.soon(name, ask{target: target})
	}
	// Behind a limit of its own, a body may be large, even of a GET.
	rep = func(unit string) string { return strings.Repeat(unit, size/4/len(unit)) }
	for name, body := range map[string]string{
		"list of ids":     `{"include":[101` + rep(",101") + `]}`,
		"list of venues":  `{"venue":[201` + rep(",201") + `],"search":"` + rep("x ") + `"}`,
		"list of words":   `{"categories":["music"` + rep(`,"music"`) + `]}`,
		"list of nothing": `{"tags":["",` + rep(`"",`) + `"outdoors"]}`,
		"number":          `{"page":` + rep("9") + `}`,
		"numeric text":    `{"start_date":"` + rep("9") + `","per_page":"1` + rep("0") + `"}`,
		"date":            `{"end_date":"` + rep("tomorrow ") + `"}`,
		"deep":            rep("[") + rep("]"),
		"members":         `{"a":1` + rep(`,"a":1`) + `}`,
		"text":            `"` + rep("\\u0041"),
		"venue search":    `{"search":"` + rep("a-b c ") + `"}`,
		"fields":          `{"_fields":["a"` + rep(`,"a.b.c"`) + `]}`,
	} {
		for _, target := range []string{"events", "venues", "tags"} {
			s.soon(name+" to "+target, ask{target: target, body: body, contentType: jsonType})
		}
	}
}

// soon sends a request whose response must not take long, with what slows tests
// down in mind: the race detector and a busy machine.
func (s *testSite) soon(what string, a ask) {
	s.t.Helper()
	start := time.Now()
	got := s.do(a)
	took := time.Since(start)
	if took > time.Minute {
		s.t.Errorf("%s: took %v", what, took)
	} else if took > 500*time.Millisecond {
		s.t.Logf("%s: took %v", what, took)
	}
	sensible(s.t, what, got)
}

// TestManyIDs: more ids than a statement takes parameters.
func TestManyIDs(t *testing.T) {
	s := newTestSite(t)
	var ids strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&ids, "%d,", 101+i)
	}
	for _, target := range []string{"events?include=", "events?venue=", "events?organizer=", "events?categories=", "tags?include=", "categories?exclude=", "events?tags="} {
		s.soon(target, ask{target: target + ids.String()})
	}
}

// TestInvalidUTF8 sends bytes that are not valid UTF-8, wherever a client may put them.
func TestInvalidUTF8(t *testing.T) {
	s := newTestSite(t)
	for _, raw := range []string{"\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\x00b", "%FF", "%C3", "%ED%A0%80", "%00", "\xff%FF"} {
		for _, target := range []string{
			"events?search=", "events?categories=", "events?tags[]=", "events?start_date=", "events?venue=", "events?status=", "events?include=", "events?_fields=",
			"events?password=", "events?geoloc=1&geoloc_lat=", "events?page=", "events/by-slug/", "venues/by-slug/", "events/", "venues?search=", "venues?has_events=",
			"categories?search=", "tags?slug=", "tags?orderby=", "?namespace=", "events?_method=", "tags/41?_jsonp=", "categories/34?_embed=", "/?rest_route=/calendar/", "/",
			"events?", "events?a[", "events/106?password=",
		} {
			sensible(t, target+raw, s.get(target+raw))
		}
		for _, name := range []string{"Authorization", "Cookie", "X-WP-Nonce", "Origin", "Content-Type", "X-HTTP-Method-Override", "Accept", "X-Forwarded-For", "X-Forwarded-Proto"} {
			sensible(t, name+": "+raw, s.do(ask{target: "events", header: http.Header{http.CanonicalHeaderKey(name): {raw, "Basic " + raw}}}))
		}
		for _, contentType := range []string{jsonType, "application/x-www-form-urlencoded", "multipart/form-data; boundary=" + raw} {
			for _, body := range []string{raw, `{"title":"` + raw + `","start_date":"` + raw + `"}`, "title=" + raw + "&start_date=now&end_date=now", "--" + raw + "\r\n\r\n" + raw + "\r\n--" + raw + "--"} {
				sensible(t, contentType+" "+body, s.do(ask{method: "POST", target: "events", contentType: contentType, body: body}))
				sensible(t, contentType+" "+body, s.do(ask{method: "PUT", target: "events/101", contentType: contentType, body: body}))
			}
		}
	}
}

// TestHeaderInjection: what a client sends does not break headers.
func TestHeaderInjection(t *testing.T) {
	s := newTestSite(t)
	for _, origin := range []string{"https://a.example\r\nX-Evil: 1", "https://a.example\nX-Evil: 1", "https://a.example/\x00", "null\r\nX: 1"} {
		h := s.do(ask{target: "events", header: http.Header{"Origin": {origin}}}).header
		if v := h.Get("Access-Control-Allow-Origin"); strings.ContainsAny(v, "\r\n\x00") {
			t.Errorf("%q is answered with %q", origin, v)
		}
	}
}
