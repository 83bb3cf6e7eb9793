package cachetag

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/invalidation"
)

func many(kind invalidation.Kind, n int) (tags []invalidation.Tag) {
	for i := range n {
		tags = append(tags, invalidation.Tag{Kind: kind, ID: int64(1_000_000_000 + i)})
	}
	return tags
}

// TestHeaders checks the syntax of each format, and what it leaves out beyond its provider's limits.
func TestHeaders(t *testing.T) {
	few := []invalidation.Tag{{Kind: invalidation.Term, ID: 7}, {Kind: invalidation.Post, ID: 42}, {Kind: invalidation.Events}, {Kind: invalidation.Post, ID: 9}, {Kind: invalidation.Site}}
	for _, c := range []struct {
		name   string
		format Format
		tags   []invalidation.Tag
		header string
		want   string
	}{
		{"Fastly", SurrogateKey, few, "Surrogate-Key", "a-site a-events a-p9 a-p42 a-t7"},
		{"Cloudflare", CacheTag, few, "Cache-Tag", "a-site,a-events,a-p9,a-p42,a-t7"},
		{"Varnish", XKey, few, "Xkey", "a-site a-events a-p9 a-p42 a-t7"},
		{"RFC 9875", CacheGroups, few, "Cache-Groups", `"a-site", "a-events", "a-p9", "a-p42", "a-t7"`},
		{"too many posts", CacheGroups, append(many(invalidation.Post, 32), few...), "Cache-Groups", `"a-site", "a-events", "a-p", "a-t7"`},
		{"too many posts and terms", CacheGroups, slices.Concat(many(invalidation.Post, 1), many(invalidation.Term, 32)), "Cache-Groups", `"a-site", "a-p", "a-t"`},
		{"too many of everything", XKey, slices.Concat(many(invalidation.Post, 1000), many(invalidation.Term, 1000), many(invalidation.User, 1000)), "Xkey", "a-site a-p a-t a-u"},
		{"no tags", XKey, nil, "Xkey", "a-site"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &Policy{Formats: []Format{c.format}, Prefix: "a-"}
			if got := p.Headers(c.tags).Get(c.header); got != c.want {
				t.Errorf("%s: %.200q, want %q", c.header, got, c.want)
			}
		})
	}
}

// TestLimits checks that no header is longer than its provider accepts, whatever a response has.
func TestLimits(t *testing.T) {
	longest := strings.Repeat("x", MaxPrefix)
	for n := 1; n < 5000; n *= 3 {
		tags := slices.Concat(many(invalidation.Post, n), many(invalidation.Term, n/2), []invalidation.Tag{{Kind: invalidation.User, ID: 1<<63 - 1}, {Kind: invalidation.Translations}})
		h := (&Policy{Formats: Formats(), Prefix: longest}).Headers(tags)
		if got := len(h.Get("Xkey")) + len("Xkey: "); got > 8<<10 {
			t.Errorf("%d posts: xkey has %d bytes", n, got)
		}
		for _, name := range []string{"Surrogate-Key", "Cache-Tag"} {
			if got := len(h.Get(name)); got > 16<<10 {
				t.Errorf("%d posts: %s has %d bytes", n, name, got)
			}
		}
		for name := range strings.FieldsSeq(h.Get("Xkey")) {
			// Fastly: at most 1,024 bytes, no space. Cloudflare: at most 1,024 printable ASCII characters, no
			// space and no comma, and case doesn't count.
			if len(name) > 1024 || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || r == ',' || r >= 'A' && r <= 'Z' }) {
				t.Errorf("%d posts: the name %q", n, name)
			}
		}
		groups := strings.Split(h.Get("Cache-Groups"), ", ")
		for _, group := range groups {
			if len(groups) > 32 || len(strings.Trim(group, `"`)) > 32 {
				t.Errorf("%d posts: %d groups, one is %s", n, len(groups), group)
			}
		}
	}
}

// TestPurgedNamesAreFound checks that a response is purged if and only if one of its tags changes,
// also if its tags are collapsed.
func TestPurgedNamesAreFound(t *testing.T) {
	for _, format := range Formats() {
		for _, more := range [][]invalidation.Tag{nil, many(invalidation.Post, 3000), many(invalidation.Term, 3000), many(invalidation.User, 3000)} {
			p := &Policy{Formats: []Format{format}, Prefix: "cal-"}
			tags := append([]invalidation.Tag{{Kind: invalidation.Post, ID: 42}, {Kind: invalidation.Term, ID: 42}, {Kind: invalidation.User, ID: 42}, {Kind: invalidation.Terms}}, more...)
			s := format.syntax()
			var named []string
			for name := range strings.SplitSeq(p.Headers(tags).Get(s.header), s.separator) {
				named = append(named, strings.Trim(name, s.quote))
			}
			hit := func(changed ...invalidation.Tag) bool {
				return slices.ContainsFunc(p.Purged(changed), func(name string) bool { return slices.Contains(named, name) })
			}
			for _, tag := range append(tags, invalidation.Tag{Kind: invalidation.Site}) {
				if !hit(tag) {
					t.Fatalf("%s with %d tags: a change of %v purges %q, which it lacks", format, len(tags), tag, p.Purged([]invalidation.Tag{tag}))
				}
			}
			for _, tag := range []invalidation.Tag{{Kind: invalidation.Post, ID: 4}, {Kind: invalidation.Posts}, {Kind: invalidation.Events}} {
				if len(more) == 0 && hit(tag) {
					t.Errorf("%s: a change of %v purges it", format, tag)
				}
			}
		}
	}
	p := &Policy{Formats: Formats()}
	if unknown := p.Headers([]invalidation.Tag{{Kind: invalidation.Anything}}).Get("Xkey"); !slices.Contains(p.Purged([]invalidation.Tag{{Kind: invalidation.Post, ID: 1}}), strings.Fields(unknown)[1]) {
		t.Errorf("a response that depends on anything has %q", unknown)
	}
}

// TestStore checks which responses shared caches may store, and for how long.
func TestStore(t *testing.T) {
	const private = "private, no-cache"
	for name, c := range map[string]struct {
		method, origin string
		policy         Policy
		cookie         bool
		until          int64
		direct         bool // without a guard
		want           string
		tagged         bool
	}{
		"stored":           {policy: Policy{MaxAge: time.Hour}, want: "max-age=0, must-revalidate, s-maxage=3600", tagged: true},
		"own control":      {policy: Policy{MaxAge: time.Hour, Control: "max-age=60"}, want: "max-age=60, s-maxage=3600", tagged: true},
		"until midnight":   {policy: Policy{MaxAge: time.Hour}, until: 1100, want: "max-age=0, must-revalidate, s-maxage=98", tagged: true},
		"never changes":    {policy: Policy{MaxAge: time.Minute}, until: 9999, want: "max-age=0, must-revalidate, s-maxage=60", tagged: true},
		"changes at once":  {policy: Policy{MaxAge: time.Hour}, until: 1001, want: private},
		"changes soon":     {policy: Policy{MaxAge: time.Hour}, until: 1002, want: private},
		"Origin":           {policy: Policy{MaxAge: time.Hour}, origin: "https://a.example", want: private},
		"sets a cookie":    {policy: Policy{MaxAge: time.Hour}, cookie: true, want: private},
		"HEAD":             {policy: Policy{MaxAge: time.Hour}, method: "HEAD", want: private},
		"tags alone":       {policy: Policy{}, want: "no-cache", tagged: true},
		"without a guard":  {policy: Policy{MaxAge: time.Hour}, direct: true, want: "no-cache"},
		"tags with Origin": {policy: Policy{}, origin: "https://a.example", want: "no-cache"},
	} {
		t.Run(name, func(t *testing.T) {
			p := c.policy
			p.Formats = []Format{XKey}
			handler := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Cache-Control", "no-cache")
				if c.cookie {
					w.Header().Set("Set-Cookie", "a=b")
				}
				p.Store(w, r, p.Headers(nil), c.until, 1000)
				fmt.Fprint(w, "{}")
			}))
			if !c.direct {
				handler = p.Guard(handler)
			}
			r := httptest.NewRequest(c.method, "/", nil)
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if got := w.Header().Get("Cache-Control"); got != c.want || (w.Header().Get("Xkey") != "") != c.tagged {
				t.Errorf("Cache-Control %q, want %q; %v", got, c.want, w.Header())
			}
		})
	}
}

// TestGuard checks that nothing else is stored, whatever headers a handler or WordPress sets.
func TestGuard(t *testing.T) {
	for name, c := range map[string]struct {
		header http.Header
		status int
		want   string
	}{
		"nothing":           {status: 200, want: "no-store"},
		"no-cache":          {http.Header{"Cache-Control": {"no-cache"}}, 200, "private, no-cache"},
		"WordPress's":       {http.Header{"Cache-Control": {"no-cache, must-revalidate, max-age=0, no-store, private"}}, 401, "no-cache, must-revalidate, max-age=0, no-store, private"},
		"of a plugin":       {http.Header{"Cache-Control": {"public", "s-maxage=60"}, "Surrogate-Control": {"max-age=60"}, "Cdn-Cache-Control": {"max-age=60"}, "X-Accel-Expires": {"60"}, "Xkey": {"a"}, "Surrogate-Key": {"a"}}, 200, "private, public, s-maxage=60"},
		"not found":         {status: 404, want: "no-store"},
		"headers are early": {status: 103, want: "no-store"},
	} {
		t.Run(name, func(t *testing.T) {
			w := httptest.NewRecorder()
			(&Policy{MaxAge: time.Hour, Formats: []Format{XKey}}).Guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				for field, values := range c.header {
					w.Header()[field] = values
				}
				w.WriteHeader(c.status)
				fmt.Fprint(w, "{}")
			})).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			if got := w.Header().Get("Cache-Control"); got != c.want {
				t.Errorf("Cache-Control %q, want %q", got, c.want)
			}
			for _, field := range []string{"Surrogate-Control", "Cdn-Cache-Control", "X-Accel-Expires", "Xkey", "Surrogate-Key"} {
				if w.Header().Get(field) != "" {
					t.Errorf("it still has %s", field)
				}
			}
		})
	}
}
