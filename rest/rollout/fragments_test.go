package rollout

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/rest/fragment"
	"calbridge/rest/proof"
	"calbridge/wpstore/invalidation"
)

// fragmented are sides in mode auto with fragments, of which calbridge's clock is the test's.
type fragmented struct {
	*sides
	tracker *invalidation.Tracker
	clock   atomic.Int64
	late    atomic.Int64 // the number of waits for changes that will fail
}

const ourEvent = `{"id":45,"title":"Fair"}`

func newFragmented(t *testing.T) *fragmented {
	t.Helper()
	f := &fragmented{tracker: invalidation.NewTracker()}
	f.clock.Store(time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC).UnixNano())
	now := func() time.Time { return time.Unix(0, f.clock.Load()) }
	f.sides = newSides(t, Plan{Mode: Auto, Clients: 100, Compared: 100}, func(c *Config) {
		c.Limits.Workers = 1
		c.Settle = func(context.Context) error {
			if f.late.Add(-1) >= 0 {
				return context.DeadlineExceeded
			}
			return nil
		}
		c.Prover = proof.New(proof.Config{
			Settings: proof.Settings{Comparisons: 1, Sample: 0, Rate: 100, Time: time.Hour, MaxAge: 10 * time.Minute, Bytes: 1 << 20, WithoutCompanion: true}, Tracker: f.tracker, Now: now, Observer: unobserved{}, Logger: slog.New(slog.DiscardHandler),
			Known:     map[string]bool{"page": true, "context": true, "_embed": true, "_fields": true},
			Facts:     func(context.Context) (proof.Facts, error) { return proof.Facts{"wordpress": "7.0"}, nil },
			Fragments: fragment.New(fragment.Config{Tracker: f.tracker, MaxAge: 10 * time.Minute, StaleIfError: 5 * time.Hour, Apart: time.Minute, Bytes: 1 << 20, Now: now}),
		})
	})
	f.tracker.Resume(true)
	f.native.body = ourEvent
	f.theirs(`{"id":45,"title":"Fair","dress":"black"}`)
	return f
}

// theirs sets WordPress's response.
func (f *fragmented) theirs(body string) {
	f.wp.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		_, _ = io.WriteString(w, body)
	})
}

// ask requests a target and waits for comparisons. It reports whether calbridge answered.
func (f *fragmented) ask(target string) (native bool, body string) {
	f.t.Helper()
	before := f.native.answered()
	_, body = f.send("GET", target, "")
	f.quiet()
	return f.native.answered() > before, body
}

// prove requests targets for more than the time that a proof takes.
func (f *fragmented) prove(targets ...string) {
	f.t.Helper()
	for range 8 {
		for _, target := range targets {
			f.ask(target)
		}
		f.clock.Add(int64(9 * time.Minute))
	}
}

func (f *fragmented) expect(what, target, body string, native bool) {
	f.t.Helper()
	if is, got := f.ask(target); is != native || body != "" && got != body {
		f.t.Errorf("%s: native %t: %s", what, is, got)
	}
}

// TestFragments checks the way of WordPress's objects into responses, and what keeps them out.
func TestFragments(t *testing.T) {
	const black, white = `{"id":45,"title":"Fair","dress":"black"}`, `{"id":45,"title":"Fair","dress":"white"}`
	t.Run("a field of a plugin", func(t *testing.T) {
		f := newFragmented(t)
		f.expect("at first", events, black, false)
		f.expect("too early", events, black, false)
		f.prove(events)
		f.expect("proven", events, black, true)
		before := f.wp.count()
		f.tracker.Invalidate(event())
		f.theirs(white)
		f.expect("a row has changed", events, white, false)
		if n := f.wp.count() - before; n != 2 {
			t.Errorf("a change took %d requests to WordPress", n)
		}
		f.expect("filled again", events, white, true)
		f.native.body = `{"id":45,"title":"Show"}`
		f.expect("another rendering of ours", events, "", false)
	})
	t.Run("other arguments", func(t *testing.T) {
		f := newFragmented(t)
		f.prove(events, events+"?context=edit", events+"?_embed=1", events+"?_fields=id")
		f.expect("proven", events, black, true)
		f.expect("context", events+"?context=edit", black, false)
		f.expect("embedded", events+"?_embed=1", black, false)
		f.expect("fields", events+"?_fields=id", black, true)
		f.expect("other fields", events+"?_fields=title", black, false)
	})
	t.Run("refused", func(t *testing.T) {
		f := newFragmented(t)
		f.prove(events)
		f.wp.answers(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
		f.expect("before it is requested again", events, black, true)
		f.expect("closed", events, "", false)
		f.theirs(black)
		f.expect("stays closed", events, "", false)
		f.tracker.Invalidate(event())
		f.ask(events)
		f.expect("a row has changed", events, black, true)
	})
	t.Run("the envelope differs", func(t *testing.T) {
		f := newFragmented(t)
		f.native.body = `{"events":[` + ourEvent + `],"total":1}`
		f.theirs(`{"events":[` + black + `],"total":1}`)
		f.prove(events)
		f.expect("proven", events, `{"events":[`+black+`],"total":1}`, true)
		f.theirs(`{"events":[` + black + `],"total":2}`)
		f.clock.Add(int64(9 * time.Minute))
		f.ask(events)
		f.expect("another total", events, "", false)
	})
	t.Run("varies", func(t *testing.T) {
		f := newFragmented(t)
		var n atomic.Int64
		f.wp.answers(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"id":45,"title":"Fair","asked":%d}`, n.Add(1))
		})
		f.prove(events)
		f.expect("varies", events, "", false)
		if v := f.h.Prover.Report().Volatile; len(v) != 1 || strings.Join(v[0].Members, " ") != "asked" {
			t.Errorf("%+v", v)
		}
	})
	t.Run("varies while rows change", func(t *testing.T) {
		f := newFragmented(t)
		var n atomic.Int64
		f.wp.answers(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.UserAgent() == proof.ComparisonAgent && n.Add(1)%3 == 1 { // in the first of three rounds
				f.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Events})
			}
			_, _ = fmt.Fprintf(w, `{"id":45,"title":"Fair","asked":%d}`, n.Load())
		})
		f.prove(events)
		if fills := f.h.Prover.Report().Fragments.Fills; fills > 0 {
			t.Errorf("%d fills", fills)
		}
	})
	t.Run("a row changes during a comparison", func(t *testing.T) {
		f := newFragmented(t)
		f.prove(events)
		f.tracker.Invalidate(event())
		before, n := f.wp.count(), 0
		f.wp.answers(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if r.UserAgent() == proof.ComparisonAgent {
				if n++; n == 1 {
					f.tracker.Invalidate(event())
				}
			}
			_, _ = io.WriteString(w, black)
		})
		f.ask(events)
		if asked := f.wp.count() - before; asked != 4 {
			t.Errorf("%d requests to WordPress, want the client's and three rounds", asked)
		}
	})
	t.Run("changes don't arrive in time", func(t *testing.T) {
		f := newFragmented(t)
		f.late.Store(math.MaxInt64)
		f.prove(events)
		f.expect("never filled", events, black, false)
	})
	for late := range int64(6) {
		t.Run(fmt.Sprintf("changes are late in %d waits", late), func(t *testing.T) {
			f := newFragmented(t)
			f.prove(events)
			f.late.Store(late)
			f.expect("while they are late", events, black, true)
			f.expect("later", events, black, true)
			if endings := f.h.Prover.Report().Endings; len(endings) > 0 {
				t.Errorf("ended: %v; %+v", endings, f.h.Prover.Report().Shapes)
			}
			f.late.Store(2)
			f.tracker.Invalidate(event())
			f.theirs(white)
			f.expect("a row has changed", events, white, false)
			f.expect("filled again", events, white, true)
		})
	}
	t.Run("an unknown table", func(t *testing.T) {
		f := newFragmented(t)
		f.prove(events)
		f.h.Prover.Others([]string{"guards"})
		f.expect("changed", events, black, false)
		f.expect("filled again", events, black, true)
		f.h.Prover.Hidden()
		f.expect("something was hidden", events, black, false)
		f.expect("filled once more", events, black, true)
		f.h.Prover.Change("plugins")
		f.expect("other code", events, black, false)
		f.expect("other code, once more", events, black, false)
	})
	t.Run("WordPress is down", func(t *testing.T) {
		f := newFragmented(t)
		f.prove(events)
		f.expect("proven", events, black, true)
		f.wp.answers(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		f.clock.Add(int64(11 * time.Minute))
		for range 3 {
			if status, _ := f.send("GET", events, ""); status != http.StatusBadGateway {
				t.Errorf("%d", status)
			}
			f.quiet()
		}
		f.expect("down", events, black, true)
		f.clock.Add(int64(6 * time.Hour))
		if status, _ := f.send("GET", events, ""); status != http.StatusBadGateway {
			t.Errorf("down for too long: %d", status)
		}
	})
}

// TestMaxAge checks how long an object counts as shown if no plugin changes it: what hides it may be
// in no row.
func TestMaxAge(t *testing.T) {
	refuse := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
	proven := func(t *testing.T) *fragmented {
		t.Helper()
		f := newFragmented(t)
		f.theirs(ourEvent)
		f.prove(events)
		f.ask(events)
		return f
	}
	t.Run("in use", func(t *testing.T) {
		f := proven(t)
		for range 4 {
			before := f.wp.count()
			f.clock.Add(int64(8 * time.Minute))
			for range 3 {
				f.expect("in use", events, ourEvent, true)
			}
			if n := f.wp.count() - before; n != 1 {
				t.Errorf("%d requests to WordPress", n)
			}
		}
	})
	t.Run("hidden while in use", func(t *testing.T) {
		f := proven(t)
		f.wp.answers(refuse)
		f.clock.Add(int64(8 * time.Minute))
		f.expect("before it is compared", events, ourEvent, true)
		f.expect("hidden", events, "", false)
	})
	t.Run("hidden while not in use", func(t *testing.T) {
		f := proven(t)
		f.wp.answers(refuse)
		f.clock.Add(int64(10 * time.Minute))
		f.expect("hidden", events, "", false)
	})
	t.Run("shown again", func(t *testing.T) {
		f := proven(t)
		f.clock.Add(int64(11 * time.Minute))
		f.expect("expired", events, ourEvent, false)
		f.expect("shown again", events, ourEvent, true)
	})
	t.Run("WordPress is down", func(t *testing.T) {
		f := proven(t)
		f.wp.answers(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		f.clock.Add(int64(11 * time.Minute))
		if status, _ := f.send("GET", events, ""); status != http.StatusBadGateway {
			t.Errorf("%d", status)
		}
		for range 3 {
			f.expect("down", events, ourEvent, true)
			f.clock.Add(int64(6 * time.Hour))
		}
		f.theirs(ourEvent)
		f.expect("before it is compared", events, ourEvent, true)
		f.expect("up", events, ourEvent, true)
	})
}

// headed is a Judge that compares headers whose names begin with "X-" too.
type headed struct{ *notes }

func (j headed) Compare(ctx context.Context, p *Pair) (Outcome, []string, error) {
	if len(j.Fields(ctx, p)) == 0 {
		return Same, nil, nil
	}
	return Different, []string{"semantic"}, nil
}

func (headed) Fields(_ context.Context, p *Pair) (fields []string) {
	for _, name := range proof.DifferingHeaders(p.Ours.Header, p.Theirs.Header) {
		if strings.HasPrefix(name, "X-") {
			fields = append(fields, "headers "+strings.ToLower(name))
		}
	}
	if !bytes.Equal(p.Ours.Body, p.Theirs.Body) {
		fields = append(fields, "body")
	}
	return fields
}

// TestFragmentHeaders checks that responses with WordPress's objects have its headers: those that it
// adds, removes and replaces, and not those that vary.
func TestFragmentHeaders(t *testing.T) {
	f := newFragmented(t)
	f.h.Judge = headed{f.notes}
	f.native.head = map[string]string{"X-Frame": "deny", "X-Powered": "calbridge"}
	var value atomic.Value
	value.Store("open")
	var n atomic.Int64
	f.wp.answers(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Frame", "sameorigin")
		w.Header().Set("X-Shop", value.Load().(string))
		w.Header().Set("X-Request", strconv.FormatInt(n.Add(1), 10))
		_, _ = io.WriteString(w, `{"id":45,"title":"Fair","dress":"black"}`)
	})
	for range 4 { // for the headers first
		f.prove(events)
	}
	for _, encoding := range []string{"identity", "gzip"} {
		before := f.native.answered()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.front.URL+events, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "town.example"
		request.Header.Set("Accept-Encoding", encoding)
		response, err := f.front.Client().Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		_ = response.Body.Close()
		f.quiet()
		if f.native.answered() == before || !strings.Contains(string(body), "black") {
			t.Errorf("%s: not composed: %s; %+v", encoding, body, f.h.Prover.Report().Shapes)
		}
		for name, want := range map[string]string{"X-Frame": "sameorigin", "X-Shop": "open", "X-Powered": "", "X-Request": ""} {
			if got := response.Header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", encoding, name, got, want)
			}
		}
	}
	value.Store("closed")
	f.clock.Add(int64(9 * time.Minute))
	f.ask(events)
	f.expect("a rule was refuted", events, "", false)
	if rules := f.h.Prover.Report().Headers; slices.ContainsFunc(rules, func(r proof.HeaderRule) bool { return r.Value == "open" }) {
		t.Errorf("%+v", rules)
	}
}

// TestFragmentTables checks that a table isn't reported as probably harmless if WordPress's objects
// have changed with it, although responses without them stay identical.
func TestFragmentTables(t *testing.T) {
	for _, c := range []struct {
		name string
		row  bool // of the event changes too
		want []string
	}{
		{"only the table", false, nil},
		{"a row too", true, []string{"dresses"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFragmented(t)
			var dress atomic.Value
			dress.Store("black")
			f.wp.answers(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				body := ourEvent
				if r.URL.RawQuery == "" {
					body = fmt.Sprintf(`{"id":45,"title":"Fair","dress":%q}`, dress.Load())
				}
				_, _ = io.WriteString(w, body)
			})
			f.prove(events, events+"?_fields=id")
			for n := range 25 {
				if n == 20 {
					dress.Store("white")
					if c.row {
						f.tracker.Invalidate(event())
					}
				}
				f.h.Prover.Others([]string{"dresses"})
				f.clock.Add(int64(time.Hour))
				f.ask(events + "?_fields=id")
				f.ask(events)
			}
			if got := f.h.Prover.Report().Harmless; !slices.Equal(got, c.want) {
				t.Errorf("probably harmless: %v, want %v", got, c.want)
			}
			f.expect("composed", events, `{"id":45,"title":"Fair","dress":"white"}`, true)
		})
	}
}

// TestStoredFragments checks that caches in front store a composed response no longer than until its
// objects are due to be requested again, and that they are purged when an object turns out to vary.
func TestStoredFragments(t *testing.T) {
	f := newFragmented(t)
	purged := 0
	f.h.Prover.Listen(func() { purged++ })
	f.prove(events)
	f.expect("proven", events, `{"id":45,"title":"Fair","dress":"black"}`, true)
	for f.native.limit.Load() == nil { // the last request filled it
		f.ask(events)
	}
	f.clock.Add(int64(time.Minute))
	f.ask(events)
	limit := f.native.limit.Load()
	if limit.Age < 6*time.Minute || limit.Age > 7*time.Minute+30*time.Second || !limit.Holds.Holds() {
		t.Errorf("stored for %s", limit.Age)
	}
	f.theirs(`{"id":45,"title":"Fair","dress":"white"}`)
	f.clock.Add(int64(7 * time.Minute))
	f.ask(events) // requests it again
	if purged != 1 || limit.Holds.Holds() {
		t.Errorf("%d purges after another rendering", purged)
	}
}
