package demo

import (
	"bytes"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
)

func newFront(addr string) *Front {
	tcp, _ := net.ResolveTCPAddr("tcp", addr)
	return NewFront(FrontConfig{User: "demo", Password: "secret", Path: "/wp-json/calendar/events/v1", Addr: tcp, Now: time.Now})
}

// TestPaths checks that the page's own paths are served by the page and that all others reach
// the API, even if WordPress would read them as the same path.
func TestPaths(t *testing.T) {
	f := newFront("127.0.0.1:8080")
	h := f.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	for path, want := range map[string]struct {
		status   int
		contains string
	}{
		"/": {200, f.token}, "/demo/app.js": {200, "import"}, "/demo/style.css": {200, ":root"}, "/demo/views/month.js": {200, "import"}, "/demo/README.txt": {200, "# calbridge"}, "/demo/requests/none": {404, ""}, "/demo/none": {404, ""},
		"/wp-content/uploads/2026/07/square-300x200.jpg": {200, "<svg"},
		"/?rest_route=/calendar/events/v1/events":        {418, ""}, "/wp-json/calendar/events/v1/": {418, ""}, "/en/": {418, ""}, "/demo": {418, ""}, "/?ical=1": {418, ""},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080"+path, nil))
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.contains) {
			t.Errorf("%s: %d %.100s", path, w.Code, w.Body)
		}
		if policy := w.Header().Get("Content-Security-Policy"); (policy != "") != (want.status != 418) || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
}

// TestToken checks that only requests with the token write as the administrator, and only on a
// loopback listener under a loopback Host.
func TestToken(t *testing.T) {
	for name, c := range map[string]struct {
		listen, host string
		token        func(*Front) string
		writes       bool
	}{
		"page":              {"127.0.0.1:8080", "127.0.0.1:8080", func(f *Front) string { return f.token }, true},
		"localhost":         {"127.0.0.1:8080", "localhost:8080", func(f *Front) string { return f.token }, true},
		"IPv6":              {"[::1]:8080", "[::1]:8080", func(f *Front) string { return f.token }, true},
		"no token":          {"127.0.0.1:8080", "127.0.0.1:8080", func(*Front) string { return "" }, false},
		"another token":     {"127.0.0.1:8080", "127.0.0.1:8080", func(*Front) string { return newFront("127.0.0.1:8080").token }, false},
		"rebinding":         {"127.0.0.1:8080", "evil.example:8080", func(f *Front) string { return f.token }, false},
		"open to the world": {"0.0.0.0:8080", "127.0.0.1:8080", func(f *Front) string { return f.token }, false},
	} {
		f := newFront(c.listen)
		var user, password, passed, cookie string
		h := f.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			user, password, _ = r.BasicAuth()
			passed, cookie = r.Header.Get(tokenHeader), r.Header.Get("Cookie")
		}))
		r := httptest.NewRequest(http.MethodPut, "http://"+c.host+"/wp-json/calendar/events/v1/events/1", nil)
		r.Header.Set(tokenHeader, c.token(f))
		r.Header.Set("Cookie", "a=b")
		h.ServeHTTP(httptest.NewRecorder(), r)
		if writes := user == "demo" && password == "secret" && cookie == ""; writes != c.writes || passed != "" {
			t.Errorf("%s: %q %q, token %q", name, user, password, passed)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://"+c.host+"/", nil))
		if mayWrite := c.host != "evil.example:8080" && c.listen != "0.0.0.0:8080"; strings.Contains(w.Body.String(), f.token) != mayWrite {
			t.Errorf("%s: the page has the token: %t", name, !mayWrite)
		}
	}
}

// TestSeen checks that the page can look up how its request was answered, and that the list is
// limited.
func TestSeen(t *testing.T) {
	f := newFront("127.0.0.1:8080")
	h := f.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		f.Observe(&api.Observation{Context: r.Context(), Cache: api.CacheHit, Took: 1500 * time.Microsecond, Queries: 2})
	}))
	for want, o := range map[string]api.Observation{"memory": {Cache: api.CacheHit}, "rows": {Cache: api.CacheMiss}, "database": {Cache: api.CacheMiss, Queries: 1}} {
		f.seen.add(want, &o)
		if one, ok := f.seen.find(want); !ok || one.Source != want {
			t.Errorf("%s: %+v", want, one)
		}
	}
	ask := func(id string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/wp-json/", nil)
		r.Header.Set(requestHeader, id)
		h.ServeHTTP(httptest.NewRecorder(), r)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/demo/requests/"+id, nil))
		return w
	}
	if w := ask("abc"); strings.TrimSpace(w.Body.String()) != `{"source":"memory","queries":2,"ms":1.5}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(strings.Repeat("x", maxID+1)); w.Code != http.StatusNotFound {
		t.Errorf("long id: %d", w.Code)
	}
	for range maxSeen {
		ask("other")
	}
	if _, ok := f.seen.find("abc"); ok || len(f.seen.list) != maxSeen {
		t.Errorf("%d are remembered", len(f.seen.list))
	}
}

// TestREADME checks that the page's copy of README.md, which no package can embed from the root of
// the module, is up to date.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if copied, err := fs.ReadFile(page, "page/README.txt"); err != nil || !bytes.Equal(readme, copied) {
		t.Errorf("the copy differs (%v): run cp README.md cmd/calbridge/demo/page/README.txt at the root", err)
	}
}
