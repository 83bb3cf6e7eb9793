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

// pushed is a site whose program purges a cache, and is stopped and started.
type pushed struct {
	*coherentSite
	cache    *purgedCache
	program  *child // that runs
	file     string // of --purge
	state    string // the state folder
	position string // the file with the stored position
	serial   int    // of the last title
}

func newPushed(t *testing.T, events int) *pushed {
	t.Helper()
	dir := t.TempDir()
	p := &pushed{coherentSite: newCoherentSite(t, wptest.Replicated(t), events), cache: newPurgedCache(t), file: filepath.Join(dir, "purge.json"), state: filepath.Join(dir, "state")}
	p.position = filepath.Join(p.state, "purge", "position.json")
	if err := os.WriteFile(p.file, fmt.Appendf(nil, `{"max_age": "24h", "caches": [{"provider": "varnish", "url": %q}]}`, p.cache.URL), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// rename changes the title of an event, and returns its tag.
func (p *pushed) rename(t *testing.T, event int) string {
	t.Helper()
	p.serial++
	if _, err := p.db.Exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", fmt.Sprint("Title ", p.serial), synthetic.FirstEvent+event); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint("p", synthetic.FirstEvent+event)
}

// awaitStored waits until the stored position has not moved for a while.
func (p *pushed) awaitStored(t *testing.T) {
	t.Helper()
	awaitStored(t, p.position)
}

// awaitStored waits until files exist and have not changed for a while.
func awaitStored(t *testing.T, files ...string) {
	t.Helper()
	var last []string
	since := time.Now()
	waitFor(t, func() bool {
		var now []string
		for _, file := range files {
			text, _ := os.ReadFile(file)
			now = append(now, string(text))
		}
		if !slices.Equal(now, last) {
			last, since = now, time.Now()
		}
		return !slices.Contains(last, "") && time.Since(since) > 3*time.Second
	})
}

// end ends the program, and forgets what was purged.
func (p *pushed) end(t *testing.T, by syscall.Signal) {
	t.Helper()
	p.program.signal(by)
	p.program.wait(30 * time.Second)
	for len(p.cache.names) > 0 {
		<-p.cache.names
	}
}

// names returns what is purged until a name was purged twice.
func (p *pushed) names(t *testing.T, last string) []string {
	t.Helper()
	defer func() {
		if t.Failed() {
			t.Log(p.program.stderr)
		}
	}()
	return p.cache.untilTwice(t, last)
}

// awaitFollowed renames an event until that is purged: changes arrive. Those from before are part of
// everything.
func (p *pushed) awaitFollowed(t *testing.T, event int) {
	t.Helper()
	waitFor(t, func() bool {
		changed, found := p.rename(t, event), false
		time.Sleep(500 * time.Millisecond)
		for len(p.cache.names) > 0 {
			found = <-p.cache.names == changed || found
		}
		return found
	})
}

// purgeLog removes everything up to now from the server's binary log.
func (p *pushed) purgeLog(t *testing.T) {
	t.Helper()
	logs := func() (names []string) {
		rows, err := p.db.Query("SHOW BINARY LOGS")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			var size int64
			if err := rows.Scan(&name, &size); err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return names
	}
	if _, err := p.db.Exec("FLUSH BINARY LOGS"); err != nil {
		t.Fatal(err)
	}
	newest := slices.Max(logs())
	waitFor(t, func() bool { // the server keeps a file that a connection reads, until it notices its end
		if _, err := p.db.Exec("PURGE BINARY LOGS TO '" + newest + "'"); err != nil {
			t.Fatal(err)
		}
		return len(logs()) == 1
	})
}

// everything is the tag of each response.
const everything = "site"

// TestPushRestart starts calbridge again after changes that were made while it wasn't running. With a state
// folder, it purges what has changed meanwhile. It purges everything if that isn't known, or if responses may
// look different now.
func TestPushRestart(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	t.Parallel()
	p := newPushed(t, 6)
	bare := []string{"serve", "--dsn", p.dsn, "--namespace", "calendar/events/v1", "--cache-tags", "xkey", "--purge", p.file}
	args := slices.Concat(bare, []string{"--state-dir", p.state})
	start := func(args ...string) { p.program = spawn(t, nil, args...) } // until the end of the whole test
	start(args...)
	p.names(t, everything)
	p.names(t, p.rename(t, 0))
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
			if err := os.Truncate(p.position, 20); err != nil {
				t.Error(err)
			}
		}, args, true},
		{"the log started over", syscall.SIGTERM, func(t *testing.T) {
			if _, err := p.db.Exec("RESET MASTER"); err != nil {
				t.Error(err)
			}
		}, args, true},
		{"the log no longer has the changes", syscall.SIGTERM, p.purgeLog, args, true},
		{"the log no longer has the changes, after kill -9", syscall.SIGKILL, p.purgeLog, args, true},
		{"SIGTERM again", syscall.SIGTERM, nil, args, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.awaitStored(t)
			p.end(t, c.by)
			changed := p.rename(t, 1)
			if c.meanwhile != nil {
				c.meanwhile(t)
			}
			start(c.args...)
			wait := changed
			if c.whole {
				wait = everything
			}
			list := p.names(t, wait)
			if got := slices.Contains(list, everything); got != c.whole {
				t.Errorf("everything was purged: %t; %q", got, list)
			}
			if !c.whole && (slices.Contains(list, other) || !slices.Contains(list, "events")) {
				t.Errorf("purged %q", list)
			}
			p.awaitFollowed(t, 2)
		})
	}
	t.Run("a cache that refuses calls", func(t *testing.T) {
		p.awaitStored(t)
		p.cache.refuses.Store(true)
		changed := p.rename(t, 3)
		waitFor(t, func() bool {
			return p.program.metric(`calbridge_purge_calls_total{cache="varnish",result="failed"}`) > 0
		})
		time.Sleep(2 * time.Second) // in which the position may be stored
		p.end(t, syscall.SIGKILL)
		p.cache.refuses.Store(false)
		start(args...)
		if list := p.names(t, changed); slices.Contains(list, everything) || slices.Contains(list, other) {
			t.Errorf("purged %q", list)
		}
	})
	t.Run("without a state folder", func(t *testing.T) {
		p.end(t, syscall.SIGTERM)
		start(bare...)
		p.names(t, everything)
	})
}
