package purge

import (
	"encoding"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"calbridge/rest/cachetag"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

// mark is a position in a test.
type mark string

var _ encoding.TextMarshaler = mark("")

func (m mark) MarshalText() ([]byte, error) { return []byte(m), nil }

// opened returns the position in a folder.
func opened(t *testing.T, dir, identity string) string {
	t.Helper()
	s := &saved{dir: dir, identity: identity}
	text, err := s.open()
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	return string(text)
}

func TestSaved(t *testing.T) {
	for _, c := range []struct {
		name, identity string
		change         func(t *testing.T, dir string, s *saved)
		want           string
	}{
		{"same identity", "a", nil, "7"},
		{"another identity", "b", nil, ""},
		{"damaged", "a", func(t *testing.T, dir string, _ *saved) {
			if err := os.WriteFile(filepath.Join(dir, savedFile), []byte(`{"Version": 1, "Iden`), 0o600); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"another version", "a", func(t *testing.T, dir string, _ *saved) {
			if err := os.WriteFile(filepath.Join(dir, savedFile), []byte(`{"Version": 2, "Identity": "a", "Position": "7"}`), 0o600); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"missing", "a", func(t *testing.T, dir string, _ *saved) {
			if err := os.Remove(filepath.Join(dir, savedFile)); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"nobody can resume", "a", func(t *testing.T, _ string, s *saved) {
			if err := s.save(mark("")); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"released", "a", func(t *testing.T, _ string, s *saved) {
			s.release()
			if err := s.save(mark("8")); err != nil {
				t.Fatal(err)
			}
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "purge")
			s := &saved{dir: dir, identity: "a"}
			if text, err := s.open(); text != nil || err != nil {
				t.Fatal(text, err)
			}
			if err := s.save(mark("7")); err != nil {
				t.Fatal(err)
			}
			second := &saved{dir: dir, identity: "a"}
			if text, err := second.open(); text != nil || err != nil || second.held() || second.lock() {
				t.Fatalf("two have the folder: %q %v", text, err)
			}
			if c.change != nil {
				c.change(t, dir, s)
			}
			s.close()
			if got := opened(t, dir, c.identity); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if got := opened(t, dir, "a"); got != c.want { // a start with another identity removes it
				t.Errorf("later %q, want %q", got, c.want)
			}
		})
	}
}

// TestSucceed checks that a site that replaces others leaves the folder alone until they are closed, and then
// removes what they have stored.
func TestSucceed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "purge")
	first := &saved{dir: dir, identity: "a"}
	if _, err := first.open(); err != nil {
		t.Fatal(err)
	}
	if err := first.save(mark("7")); err != nil {
		t.Fatal(err)
	}
	first.close()
	second := &saved{dir: dir, identity: "a", waits: true}
	if text, err := second.open(); text != nil || err != nil || second.lock() || second.held() {
		t.Fatalf("doesn't wait: %q %v", text, err)
	}
	second.succeed()
	if !second.lock() || !second.held() {
		t.Error("has no folder")
	}
	second.close()
	if got := opened(t, dir, "a"); got != "" {
		t.Errorf("the position is still %q", got)
	}
}

// TestConfirmed checks that a position is stored only after the cache has accepted the purge and its repetition.
func TestConfirmed(t *testing.T) {
	p := &provider{t: t, kind: Varnish, most: Varnish.limits().names}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	file, err := load(t, `{"caches": [{"provider": "varnish", "url": "`+server.URL+`/"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "purge")
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	changes, err := Collect(tracker, dir, "a", false)
	if err != nil {
		t.Fatal(err)
	}
	purger := Start(Config{
		Changes: changes, File: file, Policy: &cachetag.Policy{Prefix: "x-"}, Tracker: tracker, Observer: &counts{results: map[string]int{}},
		Logger: slog.New(slog.DiscardHandler), Guard: guard.New(slog.New(slog.DiscardHandler), nil),
	})
	t.Cleanup(purger.Close)
	stored := func() bool {
		_, err := os.Stat(filepath.Join(dir, savedFile))
		return err == nil
	}
	p.mu.Lock()
	for range 3 {
		p.answers = append(p.answers, answer{status: 500})
	}
	p.mu.Unlock()
	tracker.Invalidate(post(7))
	changes.Reached(mark("7"))
	eventually(t, "the position is stored", func() bool {
		before := stored()
		if n := p.purged("x-site") + p.purged("x-p7"); before && n < 2 {
			t.Fatalf("stored after %d purges", n)
		}
		return before
	})
	before := p.purged("x-p8")
	tracker.Invalidate(post(8))
	changes.Reached(mark("8"))
	began := time.Now()
	eventually(t, "the position has moved", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, savedFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(text) == `{"Version":1,"Identity":"a","Position":"8"}`
	})
	if n := p.purged("x-p8"); before != 0 || n != 2 || time.Since(began) < again {
		t.Errorf("stored %s after the change, and %d purges", time.Since(began), n)
	}
	purger.Close()
	if got := opened(t, dir, "a"); got != "8" {
		t.Errorf("%q at the end", got)
	}
}
