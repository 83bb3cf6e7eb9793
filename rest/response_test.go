package rest

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func cutLast(s, sep string) (string, string) {
	i := strings.LastIndex(s, sep)
	return s[:i], s[i+len(sep):]
}

func withAmpersand(target string) string { return strings.Replace(target, "?", "&", 1) }

// TestErrorsMayBeStored: before WordPress 6.8 only answers to users who are logged in
// forbid storing.
func TestErrorsMayBeStored(t *testing.T) {
	const short = "no-cache, must-revalidate, max-age=0"
	wrongNonce := ask{target: "events", header: http.Header{"X-Wp-Nonce": {"0123456789"}}}
	for version, want := range map[string][2]string{"6.7": {short, short + ", no-store, private"}, "6.8": {short + ", no-store, private", short + ", no-store, private"}} {
		s := newTestSite(t, func(c *Config) { c.WordPress = version })
		for i, a := range []ask{wrongNonce, {target: "events", as: "edita"}} {
			if got := s.do(a).header.Get("Cache-Control"); got != want[i] {
				t.Errorf("WordPress %s, %+v: %s", version, a, got)
			}
		}
	}
}

func TestHeaders(t *testing.T) {
	const noCache = "no-cache, must-revalidate, max-age=0, no-store, private"
	common := map[string]string{
		"Content-Type": "application/json; charset=UTF-8", "X-Robots-Tag": "noindex", "X-Content-Type-Options": "nosniff",
		"Link": `<https://village.example/wp-json/>; rel="https://api.w.org/"`, "Access-Control-Expose-Headers": "X-WP-Total, X-WP-TotalPages, Link",
		"Access-Control-Allow-Headers": "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type",
	}
	origin := http.Header{"Origin": {"https://app.example"}}
	for _, c := range []struct {
		name   string
		ask    ask
		status int
		want   map[string]string // "" means absent
	}{
		{"anonymous list", ask{target: "events"}, 200, map[string]string{
			"Vary": "Origin", "Allow": "GET", "X-TEC-Total": "5", "X-TEC-TotalPages": "1", "Cache-Control": "", "Expires": "", "Access-Control-Allow-Origin": "", "Content-Type": common["Content-Type"]}},
		{"editor's list", ask{target: "events", as: "edita"}, 200, map[string]string{"Vary": "", "Allow": "GET, POST", "Cache-Control": noCache, "Expires": "Wed, 11 Jan 1984 05:00:00 GMT"}},
		{"editor's event", ask{target: "events/101", as: "edita"}, 200, map[string]string{"Allow": "GET, DELETE, POST, PUT, PATCH", "X-TEC-Total": ""}},
		{"editor's category", ask{target: "categories/31", as: "edita"}, 200, map[string]string{"Allow": "GET, POST, PUT, PATCH, DELETE"}},
		{"missing page", ask{target: "events?page=99"}, 404, map[string]string{"Vary": "Origin", "Allow": "GET", "X-TEC-Total": ""}},
		{"editor's missing event", ask{target: "events/999", as: "edita"}, 404, map[string]string{"Allow": "GET, DELETE, POST, PUT, PATCH", "Cache-Control": noCache}},
		{"no route", ask{target: "nothing"}, 404, map[string]string{"Vary": "Origin", "Allow": "", "Cache-Control": ""}},
		{"no route for the method", ask{method: "PUT", target: "events"}, 404, map[string]string{"Vary": "", "Allow": ""}},
		{"HEAD", ask{method: "HEAD", target: "events"}, 200, map[string]string{"Vary": "", "Allow": "GET", "X-TEC-Total": "5", "Content-Length": ""}},
		{"OPTIONS", ask{method: "OPTIONS", target: "events"}, 200, map[string]string{"Vary": "", "Allow": "GET", "Content-Type": common["Content-Type"]}},
		{"OPTIONS of nothing", ask{method: "OPTIONS", target: "nothing"}, 200, map[string]string{"Allow": ""}},
		{"OPTIONS of an author", ask{method: "OPTIONS", target: "events/103", as: "alois"}, 200, map[string]string{"Allow": "GET"}},
		{"another origin", ask{target: "events", header: origin}, 200, map[string]string{
			"Vary": "Origin", "Access-Control-Allow-Origin": "https://app.example", "Access-Control-Allow-Credentials": "true", "Access-Control-Allow-Methods": "OPTIONS, GET, POST, PUT, PATCH, DELETE"}},
		{"pre-flight", ask{method: "OPTIONS", target: "events", header: origin}, 200, map[string]string{"Vary": "Origin", "Access-Control-Allow-Origin": "https://app.example", "Allow": "GET"}},
		{"error for another origin", ask{method: "POST", target: "events", header: origin}, 400, map[string]string{"Vary": "Origin", "Access-Control-Allow-Origin": "https://app.example"}},
		{"null origin", ask{target: "events", header: http.Header{"Origin": {"null"}}}, 200, map[string]string{"Access-Control-Allow-Origin": "null"}},
		{"origin without scheme", ask{target: "events", header: http.Header{"Origin": {"localhost"}}}, 200, map[string]string{"Access-Control-Allow-Origin": "http://localhost"}},
		{"hostile origin", ask{target: "events", header: http.Header{"Origin": {"https://a.example/<x>"}}}, 200, map[string]string{"Access-Control-Allow-Origin": "https://a.example/x"}},
		{"method by header, refused", ask{method: "POST", target: "events/101", header: http.Header{"X-Http-Method-Override": {"DELETE"}}}, 401, map[string]string{"Cache-Control": noCache, "Vary": ""}},
		{"method by parameter, refused", ask{method: "POST", target: "events/101?_method=DELETE"}, 401, map[string]string{"Cache-Control": ""}},
		{"wrong password", ask{target: "nothing", header: http.Header{"Authorization": {"Basic ZWRpdGE6eA=="}}}, 401, map[string]string{"Vary": "Origin", "Allow": "", "Www-Authenticate": "", "Cache-Control": ""}},
		{"wrong nonce", ask{target: "events", header: http.Header{"X-Wp-Nonce": {"0123456789"}}}, 403, map[string]string{"Cache-Control": noCache, "Allow": ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTestSite(t)
			a := s.do(c.ask)
			if a.status != c.status {
				t.Errorf("status %d: %.200s", a.status, a.body)
			}
			for name, want := range common {
				if got := a.header.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			for name, want := range c.want {
				if got := a.header.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if c.ask.method == "HEAD" && a.body != "" {
				t.Errorf("HEAD with a body of %d bytes", len(a.body))
			}
		})
	}
}

func TestWireSwitches(t *testing.T) {
	s := newTestSite(t)
	for _, c := range []struct{ target, want string }{
		{"tags/41?_fields=id,name", `{"id":41,"name":"outdoors"}`},
		{"tags/41?_fields[]=slug&_fields[]=id", `{"id":41,"slug":"outdoors"}`},
		{"tags/41?_fields=urls.self", `{"urls":{"self":"https:\/\/village.example\/wp-json\/calendar\/events\/v1\/tags\/41"}}`},
		{"tags/41?_fields=nothing", `[]`},
		{"events?_fields=events.id,total", `{"events":[],"total":5}`},
		{"events?_fields=total,total_pages", `{"total":5,"total_pages":1}`},
		{"tags/999?_fields=code", `{"code":"rest_invalid_param","message":"Invalid parameters: id","data":{"status":400,"params":{"id":"This value is not accepted."},"details":[]}}`},
		{"?_fields=namespace", `{"namespace":"calendar\/events\/v1","_links":{"up":[{"href":"https:\/\/village.example\/wp-json\/"}]}}`},
		{"tags/41?_fields=id&_envelope", `{"body":{"id":41},"status":200,"headers":{"Allow":"GET"}}`},
		{"tags/41?_fields=id&_envelope=0&_jsonp=f", `/**/f({"body":{"id":41},"status":200,"headers":{"Allow":"GET"}})`},
		{"events?_fields=total&_envelope", `{"body":{"total":5},"status":200,"headers":{"X-TEC-Total":5,"X-TEC-TotalPages":1,"Allow":"GET"}}`},
		{"nothing?_envelope", `{"body":{"code":"rest_no_route","message":"No route matches this URL and method.","data":{"status":404}},"status":404,"headers":[]}`},
		{"tags/41?_fields=id&_pretty", "{\n    \"id\": 41\n}"},
		{"tags/41?_fields=meta&_pretty=0", "{\n    \"meta\": []\n}"},
		{"tags/41?_fields=id&_jsonp=My.call_1", `/**/My.call_1({"id":41})`},
		{"tags/41?_fields=id&_jsonp=", `{"id":41}`},
		{"tags/41?_fields=id&_jsonp=0", `{"id":41}`},
		{"tags/41?_jsonp=a-b", `{"code":"rest_callback_invalid","message":"The JSONP callback is not a valid name."}`},
		{"tags/41?_jsonp=alert(1)", `{"code":"rest_callback_invalid","message":"The JSONP callback is not a valid name."}`},
		{"tags/41?_jsonp[]=a", `{"code":"rest_callback_invalid","message":"The JSONP callback is not a valid name."}`},
		{"nothing?_method=OPTIONS", `[]`},
		{"events/101?_method=OPTIONS&_fields=methods", `{"methods":["GET","DELETE","POST","PUT","PATCH"]}`},
	} {
		if got := s.get(c.target).body; got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.target, got, c.want)
		}
	}
}

// TestJSONPHeaders: a refused callback gets only the first headers, an accepted
// one all of them.
func TestJSONPHeaders(t *testing.T) {
	s := newTestSite(t)
	const script = "application/javascript; charset=UTF-8"
	for target, want := range map[string]struct {
		status int
		expose bool
	}{"tags/41?_jsonp=f": {200, true}, "tags/41?_jsonp=f-": {400, false}, "nothing?_jsonp=f": {404, true}} {
		a := s.get(target)
		if a.status != want.status || a.header.Get("Content-Type") != script || (a.header.Get("Access-Control-Expose-Headers") != "") != want.expose {
			t.Errorf("%s: %d %v", target, a.status, a.header)
		}
	}
	if h := s.get("tags/41?_jsonp=f-").header; h.Get("Vary") != "" || h.Get("X-Robots-Tag") != "noindex" {
		t.Error(h)
	}
}

// TestEnvelopeKeepsHeadersInside: what the envelope holds is no header any more.
func TestEnvelopeKeepsHeadersInside(t *testing.T) {
	s := newTestSite(t)
	h := s.get("events?_envelope").header
	if h.Get("X-TEC-Total") != "" || h.Get("Allow") != "" || h.Get("Vary") != "Origin" || h.Get("X-Robots-Tag") != "noindex" {
		t.Error(h)
	}
}

// TestOptionsEqualsIndex: OPTIONS shows of each route what the index shows.
func TestOptionsEqualsIndex(t *testing.T) {
	s := newTestSite(t)
	var index struct {
		Routes map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(s.get("").body), &index); err != nil {
		t.Fatal(err)
	}
	if len(index.Routes) != 15 {
		t.Errorf("%d routes", len(index.Routes))
	}
	for pattern, want := range index.Routes {
		path := strings.NewReplacer(`(?P<id>\d+)`, "1", `(?P<slug>[^/]+)`, "x").Replace(pattern)
		if got := s.do(ask{method: "OPTIONS", target: "/wp-json" + path}).body; got != string(want) {
			t.Errorf("%s:\n got %.300s\nwant %.300s", pattern, got, want)
		}
	}
	if got := s.get("?namespace=wp/v2").outcome(); got != "404 rest_invalid_namespace" {
		t.Error(got)
	}
}
