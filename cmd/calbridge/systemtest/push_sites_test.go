package systemtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// TestPushSites serves several sites of a file, which share a cache and have prefixes of their own. Each has a
// stored position of its own: a start purges what has changed in each, and only the site whose settings or files
// have changed is purged as a whole.
func TestPushSites(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Parallel()
	p := newPushed(t, 6)
	dir := t.TempDir()
	second := newCoherentSite(t, wptest.Replicated(t), 6)
	const town, library, third = "town-", "library-", "third-"
	file := filepath.Join(dir, "sites.conf")
	purges := map[string]string{}
	for _, prefix := range []string{town, library, third} {
		purges[prefix] = filepath.Join(dir, prefix+"purge.json")
	}
	putPurge := func(t *testing.T, prefix, maxAge string) {
		t.Helper()
		if err := os.WriteFile(purges[prefix], fmt.Appendf(nil, `{"max_age": %q, "caches": [{"provider": "varnish", "url": %q}]}`, maxAge, p.cache.URL), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dsns := map[string]string{town: p.dsn, library: second.dsn, third: p.dsn} // two sites share a database
	put := func(t *testing.T, more map[string]string) {
		t.Helper()
		var text strings.Builder
		for _, prefix := range []string{town, library, third} {
			name := strings.TrimSuffix(prefix, "-")
			fmt.Fprintf(&text, "[%s]\naddress = https://%s.example/\ndsn = %s\ncache-tag-prefix = %s\npurge = %s\n%s\n", name, name, dsns[prefix], prefix, purges[prefix], more[prefix])
		}
		if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for prefix := range purges {
		putPurge(t, prefix, "24h")
	}
	put(t, nil)
	position := func(prefix string) string {
		return filepath.Join(p.state, "sites", strings.TrimSuffix(prefix, "-"), "purge", "position.json")
	}
	stored := func(t *testing.T) {
		t.Helper()
		awaitStored(t, position(town), position(library), position(third))
	}
	start := func() { // until the end of the whole test
		p.program = spawn(t, nil, "serve", "--sites", file, "--namespace", "calendar/events/v1", "--cache-tags", "xkey", "--state-dir", p.state)
	}
	serial := 0
	// rename changes the title of an event of a site, and returns its tag.
	rename := func(t *testing.T, prefix string, event int) string {
		t.Helper()
		serial++
		db := p.db
		if prefix == library {
			db = second.db
		}
		if _, err := db.Exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", fmt.Sprint("Other ", serial), synthetic.FirstEvent+event); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(prefix, "p", synthetic.FirstEvent+event)
	}
	purged := p.cache.purgedTwice
	// check checks that sites were purged as a whole, and no others.
	check := func(t *testing.T, list []string, whole ...string) {
		t.Helper()
		for prefix := range purges {
			if got, want := slices.Contains(list, prefix+everything), slices.Contains(whole, prefix); got != want {
				t.Errorf("%s was purged as a whole: %t, want %t; %q", prefix, got, want, list)
			}
		}
	}
	start()
	purged(t, town+everything, library+everything, third+everything)
	purged(t, rename(t, town, 0), rename(t, library, 0))

	for _, c := range []struct {
		name      string
		by        syscall.Signal
		meanwhile func(t *testing.T)
		whole     string // the site that is purged as a whole
	}{
		{"SIGTERM", syscall.SIGTERM, nil, ""},
		{"kill -9", syscall.SIGKILL, nil, ""},
		{"another setting of a site", syscall.SIGTERM, func(t *testing.T) { put(t, map[string]string{library: "cache-control = max-age=7"}) }, library},
		{"the setting from before", syscall.SIGKILL, func(t *testing.T) { put(t, nil) }, library},
		{"another purge file of a site", syscall.SIGTERM, func(t *testing.T) { putPurge(t, third, "12h") }, third},
		{"a site without a position", syscall.SIGKILL, func(t *testing.T) {
			if err := os.Remove(position(library)); err != nil {
				t.Error(err)
			}
		}, library},
		{"SIGTERM again", syscall.SIGTERM, nil, ""},
	} {
		t.Run("start/"+c.name, func(t *testing.T) {
			stored(t)
			p.end(t, c.by)
			await := []string{}
			events := map[string]int{town: 1, library: 2, third: 1} // town and third share their rows
			for prefix, event := range events {
				tag := rename(t, prefix, event)
				if prefix == c.whole {
					tag = prefix + everything
				}
				await = append(await, tag)
			}
			if c.meanwhile != nil {
				c.meanwhile(t)
			}
			start()
			list := purged(t, await...)
			check(t, list, c.whole)
			for prefix, event := range events {
				for other := range 6 {
					if tag := fmt.Sprint(prefix, "p", synthetic.FirstEvent+other); other != event && slices.Contains(list, tag) {
						t.Errorf("purged %s, which has not changed: %q", tag, list)
					}
				}
			}
			// Changes arrive at each.
			waitFor(t, func() bool {
				wanted := []string{rename(t, town, 3), rename(t, library, 3), rename(t, third, 3)}
				time.Sleep(500 * time.Millisecond)
				var list []string
				for len(p.cache.names) > 0 {
					list = append(list, <-p.cache.names)
				}
				return !slices.ContainsFunc(wanted, func(tag string) bool { return !slices.Contains(list, tag) })
			})
		})
	}

	for _, c := range []struct {
		name   string
		change func(t *testing.T)
		whole  []string
	}{
		{"nothing", func(*testing.T) {}, nil},
		{"another setting of a site", func(t *testing.T) { put(t, map[string]string{town: "cache-control = max-age=7"}) }, []string{town}},
		{"the setting from before, and one of another site", func(t *testing.T) { put(t, map[string]string{third: "cache-control = max-age=7"}) }, []string{town, third}},
		{"another purge file of a site", func(t *testing.T) { putPurge(t, library, "6h") }, []string{library}},
	} {
		t.Run("reload/"+c.name, func(t *testing.T) {
			stored(t)
			for len(p.cache.names) > 0 {
				<-p.cache.names
			}
			c.change(t)
			p.program.reload()
			await := []string{}
			for _, prefix := range c.whole {
				await = append(await, prefix+everything)
			}
			check(t, purged(t, await...), c.whole...)
			check(t, purged(t, rename(t, town, 4), rename(t, library, 4)), c.whole[:0]...)
		})
	}
	t.Run("kill -9 after reloads", func(t *testing.T) {
		stored(t)
		p.end(t, syscall.SIGKILL)
		await := []string{rename(t, town, 5), rename(t, library, 5)}
		start()
		check(t, purged(t, await...))
	})
}
