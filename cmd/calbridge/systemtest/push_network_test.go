package systemtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/wpstore/wptest"
)

// TestPushNetwork purges a cache in front of a network. Each site has a stored position of its own. A start purges
// what has changed in each, and what a site has that is archived or deleted is purged.
func TestPushNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Parallel()
	n := readNetwork(t)
	db := wptest.ReplicatedSite(t, "network")
	store := openStore(t, db)
	const first, second = 100, 101
	sites := []int{first, second}
	for _, id := range sites {
		copySite(t, store, id)
	}
	// One event of each, whose numbers differ.
	events := map[int]int{}
	for i, id := range sites {
		var event int
		if err := store.SQL().QueryRow(fmt.Sprintf("SELECT ID FROM wp_%d_posts WHERE post_type = 'tribe_events' AND post_status = 'publish' ORDER BY ID LIMIT 1 OFFSET %d", id, i)).Scan(&event); err != nil {
			t.Fatal(err)
		}
		events[id] = event
	}
	serial := 0
	rename := func(t *testing.T, id int) (tag string) {
		t.Helper()
		serial++
		change(t, store, fmt.Sprintf("UPDATE wp_%d_posts SET post_title = 'Other %d' WHERE ID = %d", id, serial, events[id]))
		return fmt.Sprint("p", events[id])
	}
	cache := newPurgedCache(t)
	dir := t.TempDir()
	state, file := filepath.Join(dir, "state"), filepath.Join(dir, "purge.json")
	if err := os.WriteFile(file, fmt.Appendf(nil, `{"max_age": "24h", "caches": [{"provider": "varnish", "url": %q}]}`, cache.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	p, config := &pushed{cache: cache}, n.config(t)
	start := func() { // until the end of the whole test
		p.program = spawn(t, nil, "serve", "--network", "--wp-config", config, "--dsn", db.DSN, "--namespace", recording.DefaultNamespace, "--cache-tags", "xkey", "--purge", file, "--state-dir", state)
	}
	var positions []string
	for _, id := range sites {
		positions = append(positions, filepath.Join(state, "sites", strconv.Itoa(id), "purge", "position.json"))
	}
	quiet := func(t *testing.T) {
		t.Helper()
		awaitStored(t, positions...)
		for len(cache.names) > 0 {
			<-cache.names
		}
	}
	start()
	waitFor(t, func() bool { // all sites follow their changes
		a, b := rename(t, first), rename(t, second)
		time.Sleep(500 * time.Millisecond)
		var list []string
		for len(cache.names) > 0 {
			list = append(list, <-cache.names)
		}
		return slices.Contains(list, a) && slices.Contains(list, b) && !slices.Contains(list, everything)
	})
	for _, by := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run("start after "+by.String(), func(t *testing.T) {
			quiet(t)
			p.end(t, by)
			a, b := rename(t, first), rename(t, second)
			start()
			if list := cache.purgedTwice(t, a, b); slices.Contains(list, everything) {
				t.Errorf("purged as a whole: %q", list)
			}
		})
	}
	t.Run("archived", func(t *testing.T) {
		quiet(t)
		change(t, store, fmt.Sprintf("UPDATE wp_blogs SET archived = 1 WHERE blog_id = %d", second))
		cache.purgedTwice(t, everything)
	})
	t.Run("deleted", func(t *testing.T) {
		quiet(t)
		change(t, store, fmt.Sprintf("DELETE FROM wp_blogs WHERE blog_id = %d", second))
		cache.purgedTwice(t, everything)
	})
}
