package rollout

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"calbridge/rest/proof"
	"calbridge/wpstore/invalidation"
)

// event returns a tag of all responses of native.
func event() invalidation.Tag { return invalidation.Tag{Kind: invalidation.Post, ID: 45} }

// provenSides returns sides in mode auto that have proved a shape. Then WordPress responds by
// round, which counts the requests to it from 1: its response is the same as calbridge's if round
// returns true. settle is Config.Settle.
func provenSides(t *testing.T, tracker *invalidation.Tracker, round func(s *sides, n int) (same bool), settle func() error) *sides {
	t.Helper()
	armed := false
	s := newSides(t, Plan{Mode: Auto, Clients: 100, Compared: 100}, func(c *Config) {
		c.Limits.Workers = 1
		c.Settle = func(context.Context) error {
			if !armed {
				return nil
			}
			return settle()
		}
		proves(tracker)(c)
	})
	tracker.Resume(true)
	s.native.body = "same"
	s.wp.answers(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "same") })
	s.send("GET", events, "")
	s.settle(1)
	before := s.wp.count()
	s.wp.answers(func(w http.ResponseWriter, _ *http.Request) {
		if round(s, s.wp.count()-before) {
			_, _ = io.WriteString(w, "same")
		} else {
			_, _ = io.WriteString(w, "another")
		}
	})
	if shapes := s.h.Prover.Report().Shapes; len(shapes) != 1 || shapes[0].State != proof.Proven {
		t.Fatalf("%+v", shapes)
	}
	armed = true
	return s
}

func (s *sides) proof() proof.Proof { return s.h.Prover.Report().Shapes[0] }

// TestRowsChange: answers that differ while rows change are compared again. They end no proof
// unless they go on to differ.
func TestRowsChange(t *testing.T) {
	late := errors.New("the change is late")
	for _, test := range []struct {
		name string
		// sameFrom is the first round in which the responses are the same; 0 for none.
		sameFrom int
		// changes reports whether a row changes in a round. Its change arrives by itself, or
		// only when it is waited for after calbridge has answered.
		changes func(n int) bool
		arrives bool
		settle  error
		want    proof.State
		rounds  int
	}{
		{"a change in each of five rounds", 6, func(int) bool { return true }, true, nil, proof.Proven, 6},
		{"changes that are late", 6, func(int) bool { return true }, false, nil, proof.Proven, 6},
		{"changes that don't arrive in time", 6, func(int) bool { return false }, true, late, proof.Proven, 6},
		{"a difference", 0, func(int) bool { return false }, true, nil, proof.Differing, 2},
		{"a difference after three changes", 0, func(n int) bool { return n <= 3 }, true, nil, proof.Differing, 5},
		{"a difference while rows always change", 0, func(int) bool { return true }, true, nil, proof.Differing, proveRounds},
		{"a difference while changes don't arrive in time", 0, func(int) bool { return false }, true, late, proof.Differing, proveRounds},
	} {
		t.Run(test.name, func(t *testing.T) {
			tracker := invalidation.NewTracker()
			waits, answeredInDoubt := 0, false
			round := func(s *sides, n int) bool {
				if test.changes(n) {
					if waits = 2; test.arrives {
						tracker.Invalidate(event())
					}
				}
				answeredInDoubt = answeredInDoubt || n > 2 && s.proof().State == proof.Proven
				return test.sameFrom > 0 && n >= test.sameFrom
			}
			s := provenSides(t, tracker, round, func() error {
				if waits--; waits == 0 {
					tracker.Invalidate(event())
				}
				return test.settle
			})
			before := s.wp.count()
			s.send("GET", events, "")
			s.settle(2)
			p, report := s.proof(), s.h.Prover.Report()
			if p.State != test.want || s.wp.count()-before != test.rounds {
				t.Errorf("%s after %d rounds, want %s after %d", p.State, s.wp.count()-before, test.want, test.rounds)
			}
			if ended := len(report.Endings) > 0; ended != (test.want != proof.Proven) {
				t.Errorf("ended: %v", report.Endings)
			}
			if answeredInDoubt {
				t.Error("proven while two answers differ")
			}
		})
	}
}
