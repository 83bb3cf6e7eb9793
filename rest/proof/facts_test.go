package proof

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/invalidation"
)

const testSite = "https://town.example"

// asked is a request to testSite, or to another site.
type asked struct{ query, site string }

func (a asked) Query() string { return a.query }
func (a asked) Site() string  { return cmp.Or(a.site, testSite) }

// nobody ignores all events.
type nobody struct{}

func (nobody) Ended(Ending)   {}
func (nobody) Decided(Reason) {}

// prover is one of which a shape is proven by two comparisons at once.
type prover struct {
	*Prover
	at    time.Time
	facts Facts
	code  Facts
	err   error // of reading the code
	draft *api.Summary
}

func newTestProver(t *testing.T, withoutCompanion bool) *prover {
	t.Helper()
	p := &prover{
		at: time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC), facts: Facts{"plugins": "a"}, code: Facts{CodeFact: "read", "code plugins/a": "1"},
		draft: &api.Summary{Route: "/events/{id}", ContentType: "application/json", Shared: true, Tags: []invalidation.Tag{{Kind: invalidation.Post, ID: 7}}},
	}
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	p.Prover = New(Config{
		Settings: Settings{Comparisons: 2, Bytes: 1 << 20, WithoutCompanion: withoutCompanion}, Tracker: tracker, CodeAge: 30 * time.Second,
		Facts: func(context.Context) (Facts, error) {
			all := maps.Clone(p.facts)
			maps.Copy(all, p.code)
			return all, p.err
		},
		Code:  func(context.Context) (Facts, error) { return p.code, p.err },
		Known: map[string]bool{"page": true, "per_page": true},
		Now:   func() time.Time { return p.at }, Observer: nobody{}, Logger: slog.New(slog.DiscardHandler),
	})
	return p
}

// result returns a comparison that begins now.
func (p *prover) result(target string, v Verdict, fields ...string) *Result {
	return &Result{
		Begun: p.Begin(), Target: target, Site: testSite, Summary: p.draft, Verdict: v, Fields: fields,
		Ours: Side{Status: 200, Header: http.Header{}}, Theirs: Side{Status: 200, Header: http.Header{}},
	}
}

// prove makes the shape of the draft proven.
func (p *prover) prove(t *testing.T) {
	t.Helper()
	if err := p.RefreshIfDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.Record(p.result("/a", Same))
	p.Record(p.result("/b", Same))
	p.expect(t, "proven", None)
}

func (p *prover) expect(t *testing.T, what string, want Reason) {
	t.Helper()
	if got := p.Release(asked{}, p.draft).Why; got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestCode: changed code ends all proofs. Code that is not known lets nothing be answered
// natively, unless WordPress doesn't answer at all.
func TestCode(t *testing.T) {
	p := newTestProver(t, false)
	p.prove(t)
	look := func(want error) {
		t.Helper()
		if err := p.RefreshCode(t.Context()); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	p.at = p.at.Add(10 * time.Second)
	p.Here()
	look(nil)
	p.expect(t, "the same code", None)

	p.err = errors.New("away")
	for range 10 {
		p.at = p.at.Add(10 * time.Second)
		look(p.err)
	}
	p.expect(t, "WordPress is away", None)
	p.Here()
	p.expect(t, "WordPress is back, but its companion isn't", NoCompanion)
	p.err = nil
	look(nil)
	p.expect(t, "back with the same code", None)

	p.code = Facts{CodeFact: "read", "code plugins/a": "2"}
	look(nil)
	p.expect(t, "other code", NotProven)
	if changed := p.Report().Changed; len(changed) != 1 || changed[0] != "code plugins/a" {
		t.Errorf("changed %v", changed)
	}
	p.prove(t)
	p.code = nil
	look(nil)
	p.expect(t, "no code", NoCompanion)
	p.code = Facts{"file a.json": "1"}
	look(nil)
	p.expect(t, "data files but no code", NoCompanion)

	p = newTestProver(t, true)
	p.code = nil
	p.prove(t)
}

// TestDataFiles checks that a changed data file ends the proofs of objects and not those of shapes,
// unless the owner has named it as harmless, and that it is reported by its name.
func TestDataFiles(t *testing.T) {
	p := newTestProver(t, false)
	p.cfg.HarmlessTables = []string{"*", "file:*/seen.json"}
	p.prove(t)
	const guards, seen = "file uploads/guards.json", "file uploads/seen.json"
	for _, c := range []struct {
		name  string
		files Facts
		want  Reason
	}{
		{"a new file", Facts{guards: "1"}, NotSeen},
		{"the same file", Facts{guards: "1"}, None},
		{"other content", Facts{guards: "2"}, NotSeen},
		{"a harmless file", Facts{guards: "2", seen: "1"}, None},
		{"the file is gone", Facts{seen: "1"}, NotSeen},
	} {
		t.Run(c.name, func(t *testing.T) {
			if p.Release(asked{}, p.draft).Why == NotSeen {
				p.Record(p.result("/a", Same))
				p.expect(t, "after one more identical response", None)
			}
			p.code = Facts{CodeFact: "read", "code plugins/a": "1"}
			maps.Copy(p.code, c.files)
			if err := p.RefreshCode(t.Context()); err != nil {
				t.Error(err)
			}
			p.expect(t, "after RefreshCode", c.want)
			if err := p.Refresh(t.Context()); err != nil {
				t.Error(err)
			}
			p.expect(t, "after Refresh", c.want)
		})
	}
	if got := p.Report().Tables; len(got) != 1 || got["file:uploads/guards.json"] != 3 {
		t.Errorf("%v", got)
	}
}
