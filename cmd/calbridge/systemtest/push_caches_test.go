package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// purgedCache is a cache, or the API of a CDN, that is told which names to purge.
type purgedCache struct {
	*httptest.Server
	names   chan string // of accepted calls
	refuses atomic.Bool
}

func newPurgedCache(t *testing.T) *purgedCache {
	c := &purgedCache{names: make(chan string, 1000)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.refuses.Load() {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		var in struct {
			Keys []string `json:"surrogate_keys"`
			Tags []string `json:"tags"`
		}
		if r.Method == http.MethodPost {
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
				t.Errorf("%s: %v", r.URL, err)
			}
		}
		for _, name := range slices.Concat(in.Keys, in.Tags, strings.Fields(r.Header.Get("Xkey"))) {
			c.names <- name
		}
		fmt.Fprint(w, `{"success": true, "status": "ok"}`)
	}))
	t.Cleanup(c.Close)
	return c
}

// purged waits until a name is purged.
func (c *purgedCache) purged(t *testing.T, name string) {
	t.Helper()
	waitFor(t, func() bool {
		for {
			select {
			case got := <-c.names:
				if got == name {
					return true
				}
			default:
				return false
			}
		}
	})
}

// untilTwice returns what is purged until each of names was purged twice.
func (c *purgedCache) untilTwice(t *testing.T, names ...string) (list []string) {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Logf("%q aren't all among %q", names, list)
		}
	}()
	times := map[string]int{}
	waitFor(t, func() bool {
		for len(c.names) > 0 {
			name := <-c.names
			list = append(list, name)
			times[name]++
		}
		return !slices.ContainsFunc(names, func(name string) bool { return times[name] < 2 })
	})
	return list
}

// purgedTwice returns what is purged until each of names was purged twice, and for a second after.
func (c *purgedCache) purgedTwice(t *testing.T, names ...string) (list []string) {
	t.Helper()
	list = c.untilTwice(t, names...)
	for end := time.After(time.Second); ; {
		select {
		case name := <-c.names:
			list = append(list, name)
		case <-end:
			return list
		}
	}
}

// TestSeveralCaches names a cache of each provider in one file. Responses have the tags of all, each
// cache is purged when something changes, also while another one refuses, and everything is purged at
// the start, because changes may have been made while calbridge wasn't running.
func TestSeveralCaches(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 6)
	caches := map[string]*purgedCache{}
	dir := t.TempDir()
	token, file := filepath.Join(dir, "token"), filepath.Join(dir, "purge.json")
	type cache struct {
		Provider string `json:"provider"`
		Name     string `json:"name"`
		URL      string `json:"url"`
		ID       string `json:"id,omitempty"`
		Token    string `json:"token_file,omitempty"`
	}
	var list []cache
	for _, c := range []cache{{Provider: "varnish", Name: "near"}, {Provider: "varnish", Name: "far"}, {Provider: "fastly", ID: "svc", Token: token}, {Provider: "cloudflare", ID: "zone", Token: token}, {Provider: "http", Token: token}} {
		if c.Name == "" {
			c.Name = c.Provider
		}
		caches[c.Name] = newPurgedCache(t)
		c.URL = caches[c.Name].URL
		list = append(list, c)
	}
	text, err := json.Marshal(map[string]any{"max_age": "24h", "caches": list})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{token: "secret", file: string(text)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"serve", "--dsn", dsn, "--namespace", "calendar/events/v1", "--cache-tags", "xkey,surrogate-key,cache-tag", "--purge", file}
	rename := func(title string) {
		t.Helper()
		if _, err := site.db.Exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", title, synthetic.FirstEvent); err != nil {
			t.Fatal(err)
		}
	}
	event := fmt.Sprint("p", synthetic.FirstEvent)
	s := spawn(t, nil, args...)
	for _, c := range caches {
		c.purged(t, "site")
	}
	var resp *http.Response
	waitFor(t, func() bool { // until changes arrive
		resp, _ = fetch(t, s.api+fmt.Sprint("/wp-json/calendar/events/v1/events/", synthetic.FirstEvent))
		return resp.Header.Get("Xkey") != ""
	})
	for _, header := range []string{"Xkey", "Surrogate-Key", "Cache-Tag"} {
		if !strings.Contains(resp.Header.Get(header), event) {
			t.Errorf("%s: %q", header, resp.Header.Get(header))
		}
	}
	rename("First")
	for _, c := range caches {
		c.purged(t, event)
	}
	caches["fastly"].refuses.Store(true)
	rename("Second")
	for name, c := range caches {
		if name != "fastly" {
			c.purged(t, event)
		}
	}
	caches["fastly"].refuses.Store(false)
	caches["fastly"].purged(t, event)
	s.signal(syscall.SIGKILL)
	s.wait(10 * time.Second)
	rename("While it is down")
	spawn(t, nil, args...)
	for _, c := range caches {
		c.purged(t, "site")
	}
}
