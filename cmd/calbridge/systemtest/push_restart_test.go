package systemtest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// TestPushRestart starts calbridge again after changes that were made while it wasn't running. With a state
// folder, it purges what has changed meanwhile. It purges everything if that isn't known, or if responses may
// look different now.
func TestPushRestart(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 6)
	cache := newPurgedCache(t)
	dir := t.TempDir()
	file, state := filepath.Join(dir, "purge.json"), filepath.Join(dir, "state")
	if err := os.WriteFile(file, fmt.Appendf(nil, `{"max_age": "24h", "caches": [{"provider": "varnish", "url": %q}]}`, cache.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	bare := []string{"serve", "--dsn", dsn, "--namespace", "calendar/events/v1", "--cache-tags", "xkey", "--purge", file}
	args := slices.Concat(bare, []string{"--state-dir", state})
	position := filepath.Join(state, "purge", "position.json")
	serial := 0
	rename := func(event int) string {
		t.Helper()
		serial++
		if _, err := site.db.Exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", fmt.Sprint("Title ", serial), synthetic.FirstEvent+event); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint("p", synthetic.FirstEvent+event)
	}
	// stored waits until the stored position has not moved for a while.
	stored := func(t *testing.T) {
		t.Helper()
		var last string
		since := time.Now()
		waitFor(t, func() bool {
			text, _ := os.ReadFile(position)
			if string(text) != last {
				last, since = string(text), time.Now()
			}
			return last != "" && time.Since(since) > 3*time.Second
		})
	}
	end := func(t *testing.T, s *child, by syscall.Signal) {
		t.Helper()
		s.signal(by)
		s.wait(30 * time.Second)
		for len(cache.names) > 0 {
			<-cache.names
		}
	}
	var s *child
	start := func(args ...string) *child { return spawn(t, nil, args...) } // until the end of the whole test
	// names returns what is purged until a name was purged twice.
	names := func(t *testing.T, last string) (list []string) {
		t.Helper()
		times := 0
		defer func() {
			if times < 2 {
				t.Logf("%s isn't among %q\n%s", last, list, s.stderr)
			}
		}()
		waitFor(t, func() bool {
			for {
				select {
				case name := <-cache.names:
					list = append(list, name)
					if name == last {
						times++
					}
				default:
					return times >= 2
				}
			}
		})
		return list
	}
	const whole = "site"
	s = start(args...)
	names(t, whole)
	names(t, rename(0))
	other := fmt.Sprint("p", synthetic.FirstEvent)
	for _, c := range []struct {
		name      string
		by        syscall.Signal
		meanwhile func(t *testing.T) // while it isn't running
		args      []string
		whole     bool
	}{
		{"SIGTERM", syscall.SIGTERM, nil, args, false},
		{"kill -9", syscall.SIGKILL, nil, args, false},
		{"other settings", syscall.SIGTERM, nil, slices.Concat(args, []string{"--cache-control", "no-cache, must-revalidate"}), true},
		{"the settings from before", syscall.SIGKILL, nil, args, true},
		{"a damaged file", syscall.SIGTERM, func(t *testing.T) {
			if err := os.Truncate(position, 20); err != nil {
				t.Error(err)
			}
		}, args, true},
		{"the log started over", syscall.SIGTERM, func(t *testing.T) {
			if _, err := site.db.Exec("RESET MASTER"); err != nil {
				t.Error(err)
			}
		}, args, true},
		{"SIGTERM again", syscall.SIGTERM, nil, args, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			stored(t)
			end(t, s, c.by)
			changed := rename(1)
			if c.meanwhile != nil {
				c.meanwhile(t)
			}
			s = start(c.args...)
			wait := changed
			if c.whole {
				wait = whole
			}
			list := names(t, wait)
			if got := slices.Contains(list, whole); got != c.whole {
				t.Errorf("everything was purged: %t; %q", got, list)
			}
			if !c.whole && (slices.Contains(list, other) || !slices.Contains(list, "events")) {
				t.Errorf("purged %q", list)
			}
			waitFor(t, func() bool { // until changes arrive; those from before are part of everything
				changed, found := rename(2), false
				time.Sleep(500 * time.Millisecond)
				for len(cache.names) > 0 {
					found = <-cache.names == changed || found
				}
				return found
			})
		})
	}
	t.Run("a cache that refuses calls", func(t *testing.T) {
		stored(t)
		cache.refuses.Store(true)
		changed := rename(3)
		waitFor(t, func() bool { return s.metric(`calbridge_purge_calls_total{cache="varnish",result="failed"}`) > 0 })
		time.Sleep(2 * time.Second) // in which the position may be stored
		end(t, s, syscall.SIGKILL)
		cache.refuses.Store(false)
		s = start(args...)
		if list := names(t, changed); slices.Contains(list, whole) || slices.Contains(list, other) {
			t.Errorf("purged %q", list)
		}
	})
	t.Run("without a state folder", func(t *testing.T) {
		end(t, s, syscall.SIGTERM)
		s = start(bare...)
		names(t, whole)
	})
}
