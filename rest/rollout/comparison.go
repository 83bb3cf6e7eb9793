package rollout

import (
	"context"
	"errors"
	"net/http"
	"runtime/debug"
	"time"

	"calbridge/rest/api"
)

// Pair is one request with what both sides answered.
type Pair struct {
	Request *http.Request
	// Route is the template of the route, "" when none matched.
	Route        string
	Ours, Theirs *Answer
}

// Outcome is what a comparison led to.
type Outcome string

// The outcomes.
const (
	Same Outcome = "same"
	// Known: nothing differs but what is known to.
	Known     Outcome = "known"
	Different Outcome = "different"
	// Changed: they differed, and do no longer when both are asked again: something
	// was written in between, or the clock went on.
	Changed Outcome = "changed"
	// Unfaithful: calbridge knows that it cannot render what WordPress shows.
	Unfaithful Outcome = "unfaithful"
	// Incomplete: the other side did not answer, or not in a way to be compared.
	Incomplete Outcome = "incomplete"
)

// Outcomes lists all outcomes.
func Outcomes() []Outcome { return []Outcome{Same, Known, Different, Changed, Unfaithful, Incomplete} }

// Judge compares answers. Its methods are called from several goroutines.
type Judge interface {
	// Compare says whether the answers are the same, known to differ or different,
	// and in which kinds of things.
	Compare(*Pair) (o Outcome, kinds []string, err error)
	// Keep stores a pair that differs, for people to look at.
	Keep(p *Pair, kinds []string)
}

// Compared is a finished comparison.
type Compared struct {
	Route   string
	Outcome Outcome
	Kinds   []string // of Different
	Err     error    // of Incomplete
}

// comparison is a request that a client has been answered.
type comparison struct {
	request *http.Request
	route   string
	theirs  *Answer // nil: to be asked
	size    int64
}

// compare asks those sides whose answers are missing and judges. Answers that differ are asked for once
// more on both sides, for the first two did not come at the same moment.
func (s *shadow) compare(ctx context.Context, c *comparison) {
	done := &Compared{Route: c.route, Outcome: Incomplete}
	defer func() {
		if p := recover(); p != nil { // a fault in comparing must not end the server
			s.h.Logger.Error("panic while comparing", "panic", p, "stack", string(debug.Stack()))
			done.Outcome, done.Kinds = Incomplete, nil
		}
		if ctx.Err() != nil { // closing
			s.h.Observer.Dropped(DropClosed)
			return
		}
		s.h.Observer.Compared(done)
	}()
	p := &Pair{Request: c.request, Route: c.route, Theirs: c.theirs}
	done.Err = s.complete(ctx, p)
	if done.Err == nil {
		done.Outcome, done.Kinds, done.Err = s.judge(p)
	}
	if done.Err == nil && done.Outcome == Different {
		again := &Pair{Request: c.request, Route: p.Route}
		done.Err = s.complete(ctx, again)
		if done.Err == nil {
			done.Outcome, done.Kinds, done.Err = s.judge(again)
			if done.Outcome != Different {
				done.Outcome, done.Kinds = Changed, nil
			}
		}
		p = again
	}
	done.Route = p.Route
	switch {
	case errors.Is(done.Err, errUnfaithful):
		done.Outcome = Unfaithful
	case done.Err != nil:
		done.Outcome = Incomplete
	case done.Outcome == Different:
		s.h.Judge.Keep(p, done.Kinds)
	}
}

var (
	errUnfaithful = errors.New("only WordPress can render the answer")
	errOverloaded = errors.New("calbridge did not answer for reasons of its own")
)

// complete gets the answers that are missing.
func (s *shadow) complete(ctx context.Context, p *Pair) error {
	if p.Theirs == nil {
		begin := time.Now()
		theirs, err := s.h.upstream.get(ctx, p.Request, s.maxAnswer)
		a := &Asked{Request: p.Request, Purpose: ForComparison, Result: ResultAnswered, Took: time.Since(begin), Err: err}
		switch {
		case errors.Is(err, errTooLarge):
			a.Result = ResultTooLarge
		case err != nil:
			a.Result = resultOf(ctx, err)
		default:
			a.Status = theirs.Status
			if theirs.Status >= http.StatusInternalServerError {
				a.Result = ResultFailed
			}
		}
		s.h.Observer.Asked(a)
		if err != nil {
			return err
		}
		p.Theirs = theirs
	}
	if p.Ours == nil {
		ours, observed, err := s.own(ctx, p.Request)
		if err != nil {
			return err
		}
		p.Ours, p.Route = ours, observed.Route
	}
	// Being overloaded is told elsewhere; it is no difference.
	if p.Ours.Status == http.StatusServiceUnavailable || p.Ours.Status == http.StatusTooManyRequests {
		return errOverloaded
	}
	return nil
}

// own asks calbridge itself.
func (s *shadow) own(ctx context.Context, r *http.Request) (*Answer, *api.Observation, error) {
	own := &run{mayDecline: true, unseen: true}
	kept := &capture{limit: s.maxAnswer}
	begin := time.Now()
	s.h.Native.ServeHTTP(kept, r.WithContext(context.WithValue(ctx, runKey{}, own)))
	if own.declined != nil {
		return nil, nil, errUnfaithful
	}
	answer := kept.answer(time.Since(begin))
	if answer == nil {
		return nil, nil, errTooLarge
	}
	return answer, &own.observed, nil
}

// judge compares what is inside of any encoding.
func (s *shadow) judge(p *Pair) (Outcome, []string, error) {
	for _, side := range []**Answer{&p.Ours, &p.Theirs} {
		plain, err := (*side).plain(s.maxAnswer)
		if err != nil {
			return Incomplete, nil, err
		}
		*side = plain
	}
	return s.h.Judge.Compare(p)
}
