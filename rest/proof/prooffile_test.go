package proof

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/statedir"
)

const storedSite = "0123abcd"

// example returns a Saved with some of everything.
func example() Saved {
	return Saved{
		Facts:  Facts{"wordpress": "hash"},
		Shapes: []SavedShape{{Shape: Shape{Route: "/events", Arguments: "page=number", Language: "cs", Answer: "application/json"}, Identical: 20, First: time.Unix(1_700_000_000, 0).UTC()}},
		Rules:  Rules{Headers: []HeaderRule{{Name: "X-Shop", Value: "open"}}, PageCaps: []PageCapRule{{Route: "/events", Entries: 100}}},
	}
}

// TestFormat checks that a written file can be read, and that any other is refused with a reason.
func TestFormat(t *testing.T) {
	data, err := encode(storedSite, example())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decode(storedSite, data); err != nil || !reflect.DeepEqual(got, example()) {
		t.Errorf("%+v %v", got, err)
	}
	text := string(data)
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"another site":     {strings.Replace(text, storedSite, "ffff", 1), errSite},
		"a newer format":   {strings.Replace(text, magic+" 1 ", magic+" 2 ", 1), errFormat},
		"newer, otherwise": {magic + " 2\nanything", errFormat},
		"empty":            {"", errDamaged},
		"another file":     {"SQLite format 3\x00", errDamaged},
		"half":             {text[:len(text)/2], errDamaged},
		"a changed byte":   {strings.Replace(text, "page=number", "page=numbar", 1), errDamaged},
		"more":             {text + "x", errDamaged},
		"no JSON":          {string(seal(storedSite, []byte("[]"))), errDamaged},
		"two documents":    {string(seal(storedSite, []byte("{}{}"))), errDamaged},
		"an unknown field": {string(seal(storedSite, []byte(`{"objects":[]}`))), errDamaged},
		"a long line":      {strings.Repeat("a", 1e6), errDamaged},
	} {
		if _, err := decode(storedSite, []byte(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	for n := range data {
		broken := append([]byte{}, data...)
		broken[n] ^= 1
		if _, err := decode(storedSite, broken); err == nil {
			t.Errorf("byte %d changed: accepted", n)
		}
	}
}

// FuzzDecode: no file harms, and what is read can be restored and written again.
func FuzzDecode(f *testing.F) {
	data, err := encode(storedSite, example())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"facts":{},"shapes":[{"route":"/events","answer":"application/json","identical":9,"first":"2020-01-01T00:00:00Z"}],"headers":[{"name":"A","value":"b"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, data := range [][]byte{data, seal(storedSite, data)} {
			k, err := decode(storedSite, data)
			if err != nil {
				continue
			}
			again, err := encode(storedSite, k)
			if err != nil {
				t.Fatal(err)
			}
			if same, err := decode(storedSite, again); err != nil || len(same.Shapes) != len(k.Shapes) {
				t.Fatalf("%+v became %+v: %v", k, same, err)
			}
			k.Facts = nil
			p := New(Config{Settings: Settings{Comparisons: 3, Bytes: 1 << 16}, Now: time.Now, Logger: slog.New(slog.DiscardHandler),
				Facts: func(context.Context) (Facts, error) { return Facts{}, nil }})
			if n, _, err := Restore(t.Context(), p, k); err != nil || n > len(k.Shapes) || len(p.Report().Headers) > len(k.Headers) {
				t.Fatalf("%d of %+v: %v", n, k, err)
			}
		}
	})
}

// site is a prover of a site with facts that a test sets, and its keeper.
type site struct {
	t      *testing.T
	dir    string
	at     *atomic.Int64 // Unix time in seconds
	facts  Facts
	prover *Prover
	keeper *Store
	log    *safeText
}

type safeText struct {
	mu sync.Mutex
	strings.Builder
}

func (s *safeText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Builder.Write(p)
}

func (s *safeText) has(part string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.String(), part)
}

// Ended and Decided implement proof.Observer.
func (s *site) Ended(why Ending) {
	if s.keeper != nil {
		s.keeper.Ended(why)
	}
}
func (s *site) Decided(Reason) {}

// newSite returns a site as a process begins, after another one or for the first time.
func newSite(t *testing.T, before *site) *site {
	t.Helper()
	s := &site{t: t, at: &atomic.Int64{}, facts: Facts{"wordpress": "7.0"}, log: &safeText{}}
	s.at.Store(1_800_000_000)
	if before != nil {
		s.dir, s.at, s.facts = before.dir, before.at, maps.Clone(before.facts)
	} else {
		s.dir = filepath.Join(t.TempDir(), "state", "proof")
	}
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	s.prover = New(Config{
		Settings: Settings{Comparisons: 2, Time: time.Minute, Bytes: 1 << 20, WithoutCompanion: true}, Tracker: tracker, Observer: s,
		Now: func() time.Time { return time.Unix(s.at.Load(), 0) }, Logger: slog.New(slog.DiscardHandler),
		Facts: func(context.Context) (Facts, error) { return s.facts, nil },
	})
	if err := s.prover.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// keep opens the keeper, whose first look has been when it returns.
func (s *site) keep() {
	s.t.Helper()
	k, err := Open(StoreConfig{Dir: s.dir, Site: storedSite, Every: time.Hour, Logger: slog.New(slog.NewTextHandler(s.log, nil))}, s.prover)
	if err != nil {
		s.t.Fatal(err)
	}
	s.keeper = k
	for restored := false; !restored; time.Sleep(time.Millisecond) {
		k.mu.Lock()
		restored = k.restored
		k.mu.Unlock()
	}
}

// address is the one that requests are sent to.
const address = "https://town.example"

// asked is a request without arguments.
type storedAsked struct{}

func (storedAsked) Query() string { return "" }
func (storedAsked) Site() string  { return address }

// draft is an answer that shows no object, so that it is answered natively once its shape is
// proven.
func storedDraft(route string) *api.Summary { return &api.Summary{Route: route, Shared: true} }

func (s *site) compare(route string, request int, verdict Verdict) {
	s.at.Add(60)
	s.prover.Record(&Result{Site: address, Begun: s.prover.Begin(), Target: fmt.Sprint(route, request), Summary: storedDraft(route), Verdict: verdict})
}

func (s *site) prove(route string) {
	s.compare(route, 1, Same)
	s.compare(route, 2, Same)
}

func (s *site) native(route string) bool {
	why := s.prover.Release(storedAsked{}, storedDraft(route)).Why
	return why == None
}

// onDisk reads the file's shapes; -1 without a file.
func (s *site) onDisk() int {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, fileName))
	if errors.Is(err, os.ErrNotExist) {
		return -1
	}
	k, err := decode(storedSite, data)
	if err != nil {
		s.t.Fatal(err)
	}
	return len(k.Shapes)
}

// TestStore: what is proved is on disk until something ends it, and comes back after a restart.
func TestStore(t *testing.T) {
	s := newSite(t, nil)
	s.keep()
	s.keeper.save()
	if n := s.onDisk(); n != -1 {
		t.Errorf("%d shapes at first", n)
	}
	s.prove("/events")
	s.prove("/venues")
	s.keeper.save()
	if n := s.onDisk(); n != 2 {
		t.Errorf("%d shapes", n)
	}
	for path, want := range map[string]os.FileMode{s.dir: 0o700, filepath.Join(s.dir, fileName): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	s.prover.Others([]string{"guards"}) // ends proofs of objects
	if n := s.onDisk(); n != 2 {
		t.Errorf("%d shapes after an unknown table", n)
	}
	s.compare("/venues", 3, Different)
	if n := s.onDisk(); n != -1 {
		t.Errorf("%d shapes right after a difference", n)
	}
	if err := s.keeper.Close(); err != nil || s.onDisk() != 1 {
		t.Errorf("%d shapes after the end: %v", s.onDisk(), err)
	}
	s.keeper.Ended(EndDifference) // of a comparison that ends late
	if s.onDisk() != 1 {
		t.Error("the file of others was removed")
	}

	again := newSite(t, s)
	again.keep()
	again.keeper.save()
	if again.native("/events") || again.onDisk() != 1 {
		t.Error("what was kept counts without another identical answer, or is forgotten before")
	}
	if again.compare("/events", 1, Same); !again.native("/events") || again.native("/venues") {
		t.Errorf("after a restart: %+v", again.prover.Report().Shapes)
	}
	if err := again.keeper.Leave(); err != nil || again.onDisk() != -1 {
		t.Errorf("%d shapes after leaving: %v", again.onDisk(), err)
	}
}

// TestNotUsed checks that unusable files are replaced, and that the log has the reason.
func TestNotUsed(t *testing.T) {
	valid, err := encode(storedSite, example())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ content, log string }{
		"damaged": {"x", "damaged"}, "of another site": {strings.Replace(string(valid), storedSite, "other", 1), "another site"},
		"newer": {magic + " 9 x y\n", "reads format"}, "of other facts": {string(valid), "wordpress"},
	} {
		s := newSite(t, nil)
		if err := errors.Join(os.MkdirAll(s.dir, 0o755), os.WriteFile(filepath.Join(s.dir, fileName), []byte(c.content), 0o644)); err != nil {
			t.Fatal(err)
		}
		s.keep()
		if s.onDisk() != -1 || !s.log.has(c.log) || len(s.prover.Report().Shapes) > 0 {
			t.Errorf("%s: %s", name, s.log)
		}
		s.prove("/events")
		if err := s.keeper.Close(); err != nil || s.onDisk() != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
	s := newSite(t, nil)
	s.keep()
	if _, err := Open(StoreConfig{Dir: s.dir, Site: storedSite, Logger: slog.New(slog.DiscardHandler)}, s.prover); !errors.Is(err, statedir.ErrInUse) {
		t.Errorf("a second one: %v", err)
	}
	_ = s.keeper.Close()
}

// TestDeleted checks that deleting the folder loses what was kept, and nothing else.
func TestDeleted(t *testing.T) {
	s := newSite(t, nil)
	s.keep()
	s.prove("/events")
	s.keeper.save()
	if err := os.RemoveAll(s.dir); err != nil {
		t.Fatal(err)
	}
	s.prove("/venues")
	s.keeper.save()
	if !s.native("/venues") || !s.log.has("--state-dir") {
		t.Errorf("%s", s.log)
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if s.keeper.save(); s.onDisk() != 2 {
		t.Error("not written again")
	}
	_ = s.keeper.Close()
}

// TestMain also runs the process that TestKilled kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv("PROOFFILE_KILLED"); dir != "" {
		demote(dir)
	}
	os.Exit(m.Run())
}

// demote proves two shapes, keeps them, finds a difference in one, and is killed at once.
func demote(dir string) {
	t := &testing.T{}
	s := newSite(t, &site{dir: dir, at: &atomic.Int64{}, facts: Facts{"wordpress": "7.0"}})
	s.keep()
	s.prove("/events")
	s.prove("/venues")
	s.keeper.save()
	if os.Getenv("PROOFFILE_DIFFERENCE") != "" {
		s.compare("/venues", 3, Different)
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// TestKilled: a killed process leaves what it had proved, and nothing that had ended.
func TestKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for difference, want := range map[string]int{"": 2, "1": -1} {
		s := newSite(t, nil)
		child := exec.Command(self)
		child.Env = append(os.Environ(), "PROOFFILE_KILLED="+s.dir, "PROOFFILE_DIFFERENCE="+difference)
		if out, err := child.CombinedOutput(); !strings.Contains(fmt.Sprint(err), "killed") {
			t.Fatalf("%v %s", err, out)
		}
		if n := s.onDisk(); n != want {
			t.Errorf("difference %q: %d shapes, want %d", difference, n, want)
		}
		s.keep()
		for _, route := range []string{"/events", "/venues"} {
			if s.compare(route, 5, Same); s.native(route) != (want == 2) {
				t.Errorf("difference %q: %s native %t", difference, route, s.native(route))
			}
		}
		_ = s.keeper.Close()
	}
}

// TestRace: saving, endings and facts that change at the same time neither block each other nor
// leave a file with what has ended.
func TestRace(t *testing.T) {
	s := newSite(t, nil)
	s.keep()
	var work sync.WaitGroup
	for range 3 {
		work.Go(func() {
			for range 50 {
				s.keeper.save()
			}
		})
	}
	work.Go(func() {
		for n := range 50 {
			s.prove("/events")
			s.compare("/events", n, Different)
			if n := s.onDisk(); n > 0 {
				t.Errorf("%d shapes after a difference", n)
			}
			s.prover.Change("site")
			if err := s.prover.Refresh(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	work.Wait()
	_ = s.keeper.Close()
}
