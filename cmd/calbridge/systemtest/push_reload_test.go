package systemtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
)

// purgeRecord notes what is purged, and what has changed, with times.
type purgeRecord struct {
	cache *purgedCache

	mu      sync.Mutex
	purged  []timed
	changed []timed
}

// timed is a tag at a time.
type timed struct {
	name string
	at   time.Time
}

// run notes what is purged until the context ends.
func (r *purgeRecord) run(ctx context.Context) {
	for {
		select {
		case name := <-r.cache.names:
			r.mu.Lock()
			r.purged = append(r.purged, timed{name, time.Now()})
			r.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// change notes that what a tag stands for has changed.
func (r *purgeRecord) change(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.changed = append(r.changed, timed{name, time.Now()})
}

// since returns the tags that were purged since a time.
func (r *purgeRecord) since(begin time.Time) (names []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, purged := range r.purged {
		if !purged.at.Before(begin) {
			names = append(names, purged.name)
		}
	}
	return names
}

// late returns the changes that were not purged within a time.
func (r *purgeRecord) late(within time.Duration) (late []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, changed := range r.changed {
		if !slices.ContainsFunc(r.purged, func(purged timed) bool {
			return (purged.name == changed.name || purged.name == everything) && purged.at.After(changed.at) && purged.at.Sub(changed.at) <= within
		}) {
			late = append(late, fmt.Sprint(changed.name, changed.at.Format(" 05.000")))
		}
	}
	return late
}

// TestPushReload reloads the settings while rows change and positions are stored. Each reload purges everything.
// It loses no change, and the position is stored again only after the last request from before the reload.
func TestPushReload(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	p := newPushed(t, 60)
	config := filepath.Join(t.TempDir(), "calbridge.conf")
	put := func(t *testing.T, lines string) {
		t.Helper()
		text := fmt.Sprintf("dsn = %s\nnamespace = calendar/events/v1\ncache-tags = xkey\npurge = %s\n%s\n", p.dsn, p.file, lines)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	start := func() { p.program = spawn(t, nil, "serve", "--config", config) } // until the end of the whole test
	reload := func(t *testing.T, want float64) {
		t.Helper()
		p.program.reload()
		if got := p.program.metric("calbridge_config_last_reload_successful"); got != want {
			t.Errorf("calbridge_config_last_reload_successful is %v, want %v\n%s", got, want, p.program.stderr)
		}
	}
	stored := func() string {
		text, err := os.ReadFile(p.position)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		return string(text)
	}
	state := "state-dir = " + p.state + "\n"
	put(t, state)
	start()
	p.names(t, everything)
	p.names(t, p.rename(t, 0))
	p.awaitStored(t)

	event := regexp.MustCompile(`^p\d+$`)
	// resumes checks that a start after kill -9 purges what has changed meanwhile, and nothing else.
	resumes := func(t *testing.T) {
		t.Helper()
		p.awaitStored(t)
		p.end(t, syscall.SIGKILL)
		changed, other := p.rename(t, 1), p.rename(t, 2)
		start()
		list := p.names(t, changed)
		if slices.ContainsFunc(list, func(name string) bool {
			return name == everything || event.MatchString(name) && name != changed && name != other
		}) {
			t.Errorf("purged %q", list)
		}
		p.awaitFollowed(t, 3)
	}

	t.Run("while rows change", func(t *testing.T) {
		r := &purgeRecord{cache: p.cache}
		reading, stopReading := context.WithCancel(t.Context())
		writing, stopWriting := context.WithCancel(t.Context())
		var readers, writers sync.WaitGroup
		defer func() {
			stopWriting()
			writers.Wait()
			stopReading()
			readers.Wait()
		}()
		readers.Go(func() { r.run(reading) })
		writers.Go(func() {
			for event := 0; writing.Err() == nil; event++ {
				r.change(p.rename(t, 4+event%50))
				time.Sleep(10 * time.Millisecond)
			}
		})
		moves := func(t *testing.T) { // the stored position
			t.Helper()
			before := stored()
			waitFor(t, func() bool { return stored() != "" && stored() != before })
		}
		for _, c := range []struct {
			name   string
			lines  string
			signal int     // reloads one after the other
			want   float64 // whether they succeed
		}{
			{"the same settings", "", 1, 1},
			{"several times", "", 4, 1},
			{"another setting", "cache-control = max-age=7", 1, 1},
			{"another setting, several times", "cache-control = max-age=8", 3, 1},
			{"a setting that is refused", "cache-control = max-age=9\nprofile = /nowhere", 2, 0},
			{"the settings from before", "", 1, 1},
		} {
			t.Run(c.name, func(t *testing.T) {
				moves(t)
				put(t, state+c.lines)
				time.Sleep(time.Second) // the repetitions of the reload before
				began := time.Now()
				for range c.signal {
					reload(t, c.want)
				}
				if c.want == 1 {
					waitFor(t, func() bool { return slices.Contains(r.since(began), everything) })
				}
				moves(t)
				moves(t)
				if c.want == 0 && slices.Contains(r.since(began), everything) {
					t.Error("everything was purged by a reload that failed")
				}
				began = time.Now()
				moves(t)
				if slices.Contains(r.since(began), everything) {
					t.Error("everything was purged after the reload")
				}
			})
		}
		stopWriting()
		writers.Wait()
		waitFor(t, func() bool { return len(r.late(time.Hour)) == 0 })
		const bound = 5 * pushBound // a reload may hold a change up
		if late := r.late(bound); len(late) > 0 {
			t.Errorf("of %d changes, %d were not purged within %s: %q", len(r.changed), len(late), bound, late)
		}
		t.Logf("%d changes, %d purges", len(r.changed), len(r.purged))
	})
	t.Run("and then kill -9", resumes)

	// hung is a request from before a reload.
	hung := func(t *testing.T) (end func()) {
		t.Helper()
		conn := hang(t, p.program.api)
		return func() {
			if _, err := conn.Write([]byte("{}")); err != nil {
				t.Error(err)
			}
			if _, err := conn.Read(make([]byte, 1)); err != nil {
				t.Error(err)
			}
			_ = conn.(*net.TCPConn).Close()
		}
	}
	// unstored checks that no position is stored while a request from before a reload hasn't ended.
	unstored := func(t *testing.T) {
		t.Helper()
		for began := time.Now(); time.Since(began) < 4*time.Second; { // the position is stored each second
			p.names(t, p.rename(t, 1))
			if text := stored(); text != "" {
				t.Fatalf("stored %s", text)
			}
		}
	}
	t.Run("a request from before the reload", func(t *testing.T) {
		p.awaitStored(t)
		end := hung(t)
		reload(t, 1)
		unstored(t)
		end()
		resumes(t)
	})
	t.Run("requests from before two reloads, of which the first ends first", func(t *testing.T) {
		p.awaitStored(t)
		first := hung(t)
		reload(t, 1)
		second := hung(t)
		reload(t, 1)
		unstored(t)
		first()
		unstored(t)
		second()
		resumes(t)
	})
	t.Run("kill -9 during a request from before the reload", func(t *testing.T) {
		p.awaitStored(t)
		hung(t)
		reload(t, 1)
		unstored(t)
		p.end(t, syscall.SIGKILL)
		start()
		p.names(t, everything)
	})
	t.Run("without a state folder, two reloads during a request", func(t *testing.T) {
		p.end(t, syscall.SIGTERM)
		put(t, "")
		start()
		p.awaitFollowed(t, 1)
		end := hung(t)
		reload(t, 1)
		reload(t, 1)
		for began := time.Now(); time.Since(began) < 2*time.Second; {
			p.names(t, p.rename(t, 1))
		}
		end()
		p.names(t, everything)
	})
}
