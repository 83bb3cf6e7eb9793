package systemtest

import (
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// frontCache is a shared cache that obeys s-maxage, private, no-store and purges by name. A response that
// is under way during a purge is stored after it, as in any cache.
type frontCache struct {
	*httptest.Server
	t       *testing.T
	longest time.Duration // that s-maxage may be

	mu      sync.Mutex
	backend string
	copies  map[string]frontCopy
}

type frontCopy struct {
	header http.Header
	body   []byte
	names  []string
	until  time.Time
}

func newFrontCache(t *testing.T, longest time.Duration) *frontCache {
	c := &frontCache{t: t, longest: longest, copies: map[string]frontCopy{}}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

var sharedAge = regexp.MustCompile(`s-maxage=(\d+)`)

// ServeHTTP implements http.Handler.
func (c *frontCache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	backend, found := c.backend, c.copies[r.RequestURI]
	if r.Method == "PURGE" {
		for _, name := range strings.Fields(r.Header.Get("Xkey")) {
			for target, stored := range c.copies {
				if strings.Contains(" "+strings.Join(stored.names, " ")+" ", " "+name+" ") {
					delete(c.copies, target)
				}
			}
		}
		c.mu.Unlock()
		return
	}
	c.mu.Unlock()
	if time.Now().Before(found.until) {
		maps.Copy(w.Header(), found.header)
		w.Header().Set("X-Varnish", "2 1") // from the cache
		_, _ = w.Write(found.body)
		return
	}
	inner, err := http.NewRequestWithContext(r.Context(), http.MethodGet, backend+r.RequestURI, nil)
	if err != nil {
		c.t.Error(err)
		return
	}
	resp, err := http.DefaultTransport.RoundTrip(inner)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	c.store(r.RequestURI, resp, body)
	maps.Copy(w.Header(), resp.Header)
	w.WriteHeader(resp.StatusCode)
	_, _ = w.Write(body)
}

// store stores a response if its headers allow that, and checks them.
func (c *frontCache) store(target string, resp *http.Response, body []byte) {
	control := resp.Header.Get("Cache-Control")
	names := strings.Fields(resp.Header.Get("Xkey"))
	private := strings.Contains(control, "private") || strings.Contains(control, "no-store")
	m := sharedAge.FindStringSubmatch(control)
	if private != (m == nil) || private != (len(names) == 0) {
		c.t.Errorf("%s: Cache-Control %q with the names %q", target, control, names)
	}
	if m == nil || private {
		return
	}
	if resp.Header.Get("X-Powered-By") != "" {
		c.t.Errorf("%s: a response of WordPress has %q", target, control)
	}
	seconds, err := strconv.Atoi(m[1])
	age := time.Duration(seconds) * time.Second
	if err != nil || age > c.longest {
		c.t.Errorf("%s: %q, want at most %s", target, control, c.longest)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.copies[target] = frontCopy{resp.Header, body, names, time.Now().Add(age)}
}

// TestPushAuto puts a cache in front of mode auto. Its WordPress has a plugin that changes a field of
// each event, so that responses are composed. Nothing that the cache has may be older than pushBound
// after a row has changed, or after calbridge has learned that WordPress answers otherwise, and nothing
// older than --fragment-max-age if nobody could notice.
func TestPushAuto(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short; set CALBRIDGE_PUSH_FOR=10m for a long run")
	}
	const maxAge = 12 * time.Second
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 24)
	if _, err := site.db.Exec("CREATE TABLE wp_guards (id int PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	field := func(value string) { ref.broken.Store(&[2]string{`"sticky":false`, `"sticky":"` + value + `"`}) }
	field("no")
	front := newFrontCache(t, maxAge*3/4)
	file := filepath.Join(t.TempDir(), "purge.json")
	if err := os.WriteFile(file, fmt.Appendf(nil, `{"max_age": "24h", "caches": [{"provider": "varnish", "url": %q}]}`, front.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", modesNow, "--read-only", "--compat", "safe", "--mode", "auto", "--upstream", ref.URL,
		"--proof-comparisons", "2", "--proof-time", "1s", "--proof-sample", "0", "--proof-without-companion", "--fragment-max-age", maxAge.String(), "--cache-tags", "xkey", "--purge", file), ref}
	front.backend = s.api
	v := &varnished{t: t, coherentSite: site, front: strings.TrimPrefix(front.URL, "http://"), titles: map[int][]time.Time{}}
	v.by = []titleWriter{{"SQL", v.writeSQL}}
	const base = "/wp-json/calendar/events/v1/"
	event := base + fmt.Sprint("events/", synthetic.FirstEvent)
	get := func(target string) (text string, hit bool) {
		t.Helper()
		text, h, err := v.get(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		return text, fromCache(h)
	}
	// stored waits until the cache has the response to a target with a text.
	stored := func(t *testing.T, target, text string) {
		t.Helper()
		waitFor(t, func() bool { got, hit := get(target); return hit && strings.Contains(got, text) })
	}
	// replaced waits until the response to a target has a text, however it comes about.
	replaced := func(t *testing.T, target, text string, bound time.Duration) {
		t.Helper()
		began := time.Now()
		waitFor(t, func() bool { got, _ := get(target); return strings.Contains(got, text) })
		if took := time.Since(began); took > bound {
			t.Errorf("%s has %s only after %s", target, text, took)
		}
	}
	t.Run("a row changes", func(t *testing.T) {
		stored(t, event, `"sticky":"no"`)
		stored(t, base+"venues", `"venues":`)
		if _, err := site.db.Exec("UPDATE wp_posts SET post_title = 'Another title' WHERE ID = ?", synthetic.FirstEvent); err != nil {
			t.Fatal(err)
		}
		replaced(t, event, "Another title", pushBound)
	})
	t.Run("an unknown table changes, and the plugin's field", func(t *testing.T) {
		stored(t, event, `"sticky":"no"`)
		field("yes")
		if _, err := site.db.Exec("INSERT INTO wp_guards VALUES (1)"); err != nil {
			t.Fatal(err)
		}
		replaced(t, event, `"sticky":"yes"`, pushBound)
	})
	t.Run("hidden by a file", func(t *testing.T) {
		other := base + fmt.Sprint("events/", synthetic.FirstEvent+1)
		stored(t, other, `"sticky":"yes"`)
		path := strings.TrimPrefix(other, "/wp-json/calendar/events/v1")
		ref.hides.Store(&path)
		replaced(t, other, "hidden", maxAge)
	})
	t.Run("under load", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), pushTime())
		defer cancel()
		var work sync.WaitGroup
		for i := range 4 {
			work.Go(func() {
				r := rand.New(rand.NewPCG(uint64(i), 5))
				for ctx.Err() == nil {
					target := base + fmt.Sprint("events/", v.hot(r))
					if r.IntN(4) == 0 {
						target = base + "events?start_date=2026-01-01&end_date=2027-12-31&per_page=20"
					}
					asked := time.Now()
					text, h, err := v.get(ctx, target)
					if err != nil {
						continue
					}
					if fromCache(h) {
						v.hits.Add(1)
					}
					v.judge(t, target, text, asked)
				}
			})
		}
		r := rand.New(rand.NewPCG(1, 6))
		for ctx.Err() == nil {
			v.rename(t, v.hot(r))
			time.Sleep(100 * time.Millisecond)
		}
		work.Wait()
		t.Logf("%d responses, %.0f %% of them by the cache; the oldest was %s behind", v.asked.Load(), 100*float64(v.hits.Load())/float64(max(v.asked.Load(), 1)), time.Duration(v.oldest.Load()).Round(time.Millisecond))
		time.Sleep(pushBound)
		hits, wordpress := 0, &varnished{front: strings.TrimPrefix(ref.URL, "http://")}
		for range 2 {
			for id := range 24 {
				target := base + fmt.Sprint("events/", synthetic.FirstEvent+id)
				got, hit := get(target)
				want, _, err := wordpress.get(t.Context(), target)
				if err != nil {
					t.Fatal(err)
				}
				if hit {
					hits++
				}
				if got != want {
					t.Errorf("%s, from the cache: %t\n%.600s\nWordPress:\n%.600s", target, hit, got, want)
				}
			}
		}
		if hits == 0 {
			t.Error("the cache has nothing at the end")
		}
	})
	t.Run("the plugin's field changes by a file", func(t *testing.T) {
		other := base + fmt.Sprint("events/", synthetic.FirstEvent+2)
		for _, target := range []string{event, other} {
			stored(t, target, `"sticky":"yes"`)
		}
		field("perhaps")
		replaced(t, event, `"sticky":"perhaps"`, maxAge)
		// What was learned of one event purges the other, for which nobody has asked meanwhile.
		replaced(t, other, `"sticky":"perhaps"`, pushBound)
	})
}
