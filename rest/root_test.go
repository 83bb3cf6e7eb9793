package rest

import (
	"net/http"
	"testing"
)

func TestEntryPoints(t *testing.T) {
	const ns = "/calendar/events/v1"
	plain := "404 not REST"
	for _, site := range []struct {
		name, structure, home string
		want                  map[string]string
	}{
		{"pretty", "/%postname%/", "https://village.example", map[string]string{
			"/wp-json" + ns:                                              "index",
			"/wp-json" + ns + "/":                                        "index",
			"/wp-json" + ns + "///":                                      "index",
			"/wp-json" + ns + `/\/\`:                                     "index",
			"/wp-json" + ns + "?x=1":                                     "index",
			"/WP-JSON" + ns:                                              plain,
			"/wp-jsonx" + ns:                                             plain,
			"/foo/wp-json" + ns:                                          plain,
			"/":                                                          plain,
			"/wp%2Djson" + ns:                                            "index",
			"//wp-json" + ns:                                             "index",
			"/index.php/wp-json" + ns:                                    "index",
			"/index.php/index.php/wp-json" + ns:                          plain,
			"/?rest_route=" + ns:                                         "index",
			"/?rest_route=" + ns + "/":                                   "index",
			"/?rest_route=%2Fcalendar%2Fevents%2Fv1":                     "index",
			"/index.php?rest_route=" + ns:                                "index",
			"/any/other/path?rest_route=" + ns:                           "index",
			"/sub/index.php?rest_route=" + ns:                            plain,
			"/?rest_route=":                                              plain,
			"/?rest_route=0":                                             plain,
			"/?rest_route=calendar/events/v1":                            "404 rest_no_route",
			"/?rest_route[]=/x":                                          "400 rest_path_invalid_type",
			"/wp-json/a/b?rest_route=" + ns:                              "index",
			"/wp-json" + ns + "?rest_route=/c/d":                         "404 rest_no_route",
			"/wp-json" + ns + "?rest_route=":                             "index",
			"/wp-json":                                                   "404 rest_no_route",
			"/wp-json/":                                                  "404 rest_no_route",
			"/wp-json/wp/v2/posts":                                       "404 rest_no_route",
			"/wp-json/CALENDAR/Events/V1":                                "index",
			"/wp-json/calendar/events/v1x":                               "404 rest_no_route",
			"/wp-json/calendar/events/v1/EVENTS/101":                     "101",
			"/wp-json/calendar/events/v1/events/101/":                    "101",
			"/wp-json/calendar/events/v1//events/101":                    "404 rest_no_route",
			"/wp-json/calendar/events/v1/events//101":                    "404 rest_no_route",
			"/wp-json/calendar/events/v1/events/101%2F":                  "404 rest_no_route",
			"/wp-json/calendar/events/v1/events/abc":                     "404 rest_no_route",
			"/wp-json/calendar/events/v1/events/10é":                     "404 rest_no_route",
			"/wp-json/calendar/events/v1/events/-1":                      "404 rest_no_route",
			"/wp-json/calendar/events/v1/events/by-slug":                 "404 rest_no_route",
			"/wp-json/calendar/events/v1/events/BY-SLUG/dance":           "101",
			"/wp-json/calendar/events/v1/events/by-slug/a/b":             "404 rest_no_route",
			"/wp-json/calendar/events/v1/categories/by-slug/music":       "404 rest_no_route",
			"https://village.example/wp-json" + ns:                       "index",
			"https://village.example?rest_route=" + ns:                   "index",
			"https://village.example":                                    plain,
			"*":                                                          plain,
			"/?rest_route=" + ns + "/events/by-slug/it%27s":              "400 rest_invalid_param",
			"/?rest_route=" + ns + "/events/101&_method=OPTIONS":         "200",
			"/wp-json/calendar/events/v1/events/by-slug/dance?slug=none": "400 rest_invalid_param",
		}},
		{"sub-directory", "/%postname%/", "https://village.example/Blog", map[string]string{
			"/Blog/wp-json" + ns:                  "index",
			"/blog/wp-json" + ns:                  "index",
			"/blog/index.php/wp-json" + ns:        "index",
			"/blog/?rest_route=" + ns:             "index",
			"/blog/index.php?rest_route=" + ns:    "index",
			"/blog/wp-jsonx" + ns:                 plain,
			"/other/wp-json" + ns:                 plain,
			"/blog":                               plain,
			"/blog/blog/wp-json" + ns:             plain,
			"/blog/wp-json" + ns + "/events/101/": "101",
		}},
		{"plain", "", "https://village.example", map[string]string{
			"/wp-json" + ns:                             plain,
			"/index.php/wp-json" + ns:                   plain,
			"/?rest_route=" + ns:                        "index",
			"/index.php?rest_route=" + ns + "/":         "index",
			"/?rest_route=" + ns + "/events/101&x=y":    "101",
			"/?x=y&rest_route=" + ns + "/events/101///": "101",
		}},
		{"index", "/index.php/%postname%/", "https://village.example", map[string]string{
			"/wp-json" + ns:           "index",
			"/index.php/wp-json" + ns: "index",
			"/?rest_route=" + ns:      "index",
		}},
	} {
		t.Run(site.name, func(t *testing.T) {
			s := newTestSite(t)
			s.setOption("permalink_structure", site.structure)
			s.setOption("home", site.home)
			for target, want := range site.want {
				got := kindOfAnswer(s.do(ask{target: target, method: "GET", header: http.Header{"Accept": {"*/*"}}}))
				if got != want {
					t.Errorf("%s: %s, want %s", target, got, want)
				}
			}
		})
	}
}

// kindOfAnswer returns "index" for the namespace's, the id of an item, or the outcome.
func kindOfAnswer(a answer) string {
	switch {
	case a.header.Get("Content-Type") == "text/plain; charset=utf-8":
		return "404 not REST"
	case a.status >= 400:
		return a.outcome()
	case a.json("routes") != "":
		return "index"
	case a.json("id") != "":
		return a.json("id")
	}
	return a.outcome()
}

func TestRouteInTheForm(t *testing.T) {
	s := newTestSite(t)
	const form = "application/x-www-form-urlencoded"
	for _, c := range []struct{ target, body, want string }{
		{"/", "rest_route=/calendar/events/v1/events", "400 rest_missing_callback_param"},
		{"/", "rest_route=/calendar/events/v1/nothing", "404 rest_no_route"},
		{"/?rest_route=/calendar/events/v1/events", "rest_route=/calendar/events/v1/events", "400 rest_missing_callback_param"},
		{"/?rest_route=/calendar/events/v1/events", "rest_route=/calendar/events/v1/tags", "400 wp_die"},
		{"/wp-json/calendar/events/v1/nothing", "rest_route=/calendar/events/v1/events", "400 rest_missing_callback_param"},
	} {
		got := s.do(ask{method: "POST", target: c.target, body: c.body, contentType: form, header: http.Header{"Accept": {"application/json"}}}).outcome()
		if got != c.want {
			t.Errorf("%s with %s: %s, want %s", c.target, c.body, got, c.want)
		}
	}
}

// TestRoutePrefixAndNamespace: both are settings.
func TestRoutePrefixAndNamespace(t *testing.T) {
	s := newTestSite(t, func(c *Config) { c.RESTPrefix, c.Namespace = "api", "tribe/events/v1" })
	if got := kindOfAnswer(s.get("/api/tribe/events/v1")); got != "index" {
		t.Error("own prefix:", got)
	}
	if got := kindOfAnswer(s.get("/wp-json/tribe/events/v1")); got != "404 not REST" {
		t.Error("default prefix:", got)
	}
	if got := s.get("/api/tribe/events/v1/events/101").json("rest_url"); got != "https://village.example/api/tribe/events/v1/events/101" {
		t.Error(got)
	}
}

func TestClientAddress(t *testing.T) {
	s := emptyTestSite(t)
	for _, c := range []struct {
		peer, forwarded, proto string
		addr                   string
		https                  bool
	}{
		{"192.0.2.9:5000", "", "", "192.0.2.9", false},
		{"192.0.2.9:5000", "203.0.113.1", "https", "192.0.2.9", false},                  // nobody's proxy
		{"127.0.0.1:5000", "203.0.113.1", "https", "203.0.113.1", true},                 // through a proxy
		{"127.0.0.1:5000", "198.51.100.7, 203.0.113.1", "", "203.0.113.1", false},       // the left one is invented
		{"127.0.0.1:5000", "203.0.113.1, 10.1.2.3", "HTTPS", "203.0.113.1", true},       // two proxies
		{"127.0.0.1:5000", "10.9.9.9, 10.1.2.3", "http", "10.9.9.9", false},             // only proxies: the farthest
		{"127.0.0.1:5000", "nonsense", "https, http", "127.0.0.1", true},                // unreadable
		{"127.0.0.1:5000", "1.2.3.4, nonsense, 10.1.2.3", "", "10.1.2.3", false},        // readable up to there
		{"[::ffff:127.0.0.1]:5000", "::ffff:203.0.113.1", "https", "203.0.113.1", true}, // IPv4 in IPv6
		{"127.0.0.1:5000", "2001:db8::1", "https", "2001:db8::1", true},                 //
		{"@", "203.0.113.1", "https", "@", false},                                       // a Unix socket
		{"127.0.0.1:5000", "", "", "127.0.0.1", false},                                  //
		{"127.0.0.1:5000", "203.0.113.1:4711", "", "127.0.0.1", false},                  // no plain address
		{"[2001:db8::5]:5000", "203.0.113.1", "https", "2001:db8::5", false},            //
		{"10.0.0.1:5000", "203.0.113.1,203.0.113.2,10.0.0.2", "", "203.0.113.2", false}, //
		{"127.0.0.1:5000", "203.0.113.1,,10.0.0.2", "", "10.0.0.2", false},              // an empty hop
		{"127.0.0.1:5000", " 203.0.113.1 ", " https ,http", "203.0.113.1", true},        //
		{"127.0.0.1:5000", "203.0.113.1", "https\x00", "203.0.113.1", false},            //
		{"[::1]:5000", "203.0.113.1", "https", "::1", false},                            // not listed
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header{}}
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if c.proto != "" {
			r.Header.Set("X-Forwarded-Proto", c.proto)
		}
		if addr, https := s.srv.client(r); addr != c.addr || https != c.https {
			t.Errorf("peer %s, for %q, proto %q: %s %v, want %s %v", c.peer, c.forwarded, c.proto, addr, https, c.addr, c.https)
		}
	}
}

// TestSchemeOfURLs: https when the request came so, else as the option has it.
func TestSchemeOfURLs(t *testing.T) {
	s := newTestSite(t)
	s.setOption("home", "http://village.example")
	for from, want := range map[string]string{
		"127.0.0.1:1": "https://village.example/event/dance/", "192.0.2.9:1": "http://village.example/event/dance/",
	} {
		if got := s.do(ask{target: "events/101", from: from}).json("url"); got != want {
			t.Errorf("from %s: %s", from, got)
		}
	}
}
