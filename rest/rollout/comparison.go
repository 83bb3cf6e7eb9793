package rollout

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"calbridge/rest/api"
)

// Pair is one request with the responses of both sides.
type Pair struct {
	Request *http.Request
	// Route is the template of the route, "" when none matched.
	Route        string
	Ours, Theirs *Answer
	// Earlier is calbridge's answer to the same request from before Theirs, nil without one. A
	// time in Theirs may lie between those of the two.
	Earlier *Answer
	// Ask returns calbridge's answer to another GET of the same client.
	Ask func(ctx context.Context, target string) (*Answer, error)
}

// Outcome is the outcome of a comparison.
type Outcome string

// The outcomes.
const (
	Same Outcome = "same"
	// Known means that all differences are known ones.
	Known     Outcome = "known"
	Different Outcome = "different"
	// Changed means that they differed, but no longer when requested again: there was a write in
	// between, or the time has changed.
	Changed Outcome = "changed"
	// Unfaithful means that calbridge can't render what WordPress shows.
	Unfaithful Outcome = "unfaithful"
	// Incomplete means that one side has no response that can be compared.
	Incomplete Outcome = "incomplete"
)

// Outcomes lists all outcomes.
func Outcomes() []Outcome { return []Outcome{Same, Known, Different, Changed, Unfaithful, Incomplete} }

// Judge compares responses. Its methods are called from several goroutines.
type Judge interface {
	// Compare returns Same, Known or Different, with the kinds of differences.
	Compare(context.Context, *Pair) (o Outcome, kinds []string, err error)
	// Record stores a pair that differs.
	Record(ctx context.Context, p *Pair, kinds []string)
	// Fields lists where a pair differs, without values: "status", "headers vary",
	// "body events.3.cost".
	Fields(context.Context, *Pair) []string
	// Moved reports whether two responses of one side differ only in times that went on.
	Moved(earlier, later *Answer) bool
}

// Compared is a finished comparison.
type Compared struct {
	Route   string
	Outcome Outcome
	Kinds   []string // of Different
	Err     error    // of Incomplete
}

// comparison is a request that has been answered and is to be compared.
type comparison struct {
	request *http.Request
	route   string
	theirs  *Answer // nil: not requested yet
	size    int64
}

// compare requests the missing responses and judges. If they differ, it requests both again,
// because the first two were not built at the same moment.
func (s *shadow) compare(ctx context.Context, c *comparison) {
	done := &Compared{Route: c.route, Outcome: Incomplete}
	defer func() {
		if s.h.Guard.Caught(comparing, recover()) != nil {
			done.Outcome, done.Kinds = Incomplete, nil
		}
		if ctx.Err() != nil { // closing
			s.h.Observer.Dropped(DropClosed)
			return
		}
		s.h.Observer.Compared(done)
	}()
	p := s.pair(c.request)
	p.Route, p.Theirs = c.route, c.theirs
	done.Outcome, done.Kinds, done.Err = s.judge(ctx, p)
	if done.Err == nil && done.Outcome == Different {
		first := p
		p = s.pair(c.request)
		p.Route, p.Earlier = first.Route, first.Ours
		if done.Outcome, done.Kinds, done.Err = s.judge(ctx, p); done.Outcome != Different {
			done.Outcome, done.Kinds = Changed, nil
		}
	}
	done.Route = p.Route
	switch {
	case errors.Is(done.Err, errUnfaithful):
		done.Outcome = Unfaithful
	case done.Err != nil:
		done.Outcome = Incomplete
	case done.Outcome == Different:
		s.h.Judge.Record(ctx, p, done.Kinds)
	}
}

// pair returns a pair without responses.
func (s *shadow) pair(r *http.Request) *Pair {
	return &Pair{Request: r, Ask: func(ctx context.Context, target string) (*Answer, error) {
		at, err := url.ParseRequestURI(target)
		if err != nil {
			return nil, err
		}
		other := r.Clone(ctx)
		other.Method, other.URL, other.RequestURI = http.MethodGet, at, target
		answer, _, err := s.ours(ctx, other)
		if err != nil {
			return nil, err
		}
		return answer.plain(s.maxAnswer)
	}}
}

var (
	errUnfaithful = errors.New("only WordPress can render the answer")
	errOverloaded = errors.New("calbridge is overloaded")
)

// complete requests the missing responses.
func (s *shadow) complete(ctx context.Context, p *Pair) error {
	if p.Theirs == nil {
		begin := time.Now()
		theirs, err := s.h.upstream.get(ctx, p.Request, "", s.maxAnswer)
		a := &Asked{Request: p.Request, Purpose: ForComparison, Took: time.Since(begin), Err: err}
		if theirs != nil {
			a.Status = theirs.Status
		}
		a.Result = resultOf(ctx, err, a.Status)
		s.h.Observer.Asked(a)
		if err != nil {
			return err
		}
		p.Theirs = theirs
	}
	if p.Ours == nil {
		ours, summary, err := s.ours(ctx, p.Request)
		if err != nil {
			return err
		}
		p.Ours, p.Route = ours, summary.Route
	}
	// An overloaded server does not count as a difference.
	if p.Ours.Status == http.StatusServiceUnavailable || p.Ours.Status == http.StatusTooManyRequests {
		return errOverloaded
	}
	return nil
}

// ours returns calbridge's response, and what describes it.
func (s *shadow) ours(ctx context.Context, r *http.Request) (*Answer, *api.Summary, error) {
	copied := &capture{limit: s.maxAnswer}
	begin := time.Now()
	own := s.h.Native.Answer(copied, r.WithContext(ctx))
	defer own.Close()
	if own.Elsewhere() || s.h.auto == nil && len(own.NotRendered()) > 0 {
		return nil, nil, errUnfaithful
	}
	if err := own.Copy(copied); err != nil {
		return nil, nil, err
	}
	answer := copied.answer(time.Since(begin))
	if answer == nil {
		return nil, nil, errTooLarge
	}
	return answer, own.Summary(), nil
}

// judge completes a pair and compares it, without content codings.
func (s *shadow) judge(ctx context.Context, p *Pair) (Outcome, []string, error) {
	if err := s.complete(ctx, p); err != nil {
		return Incomplete, nil, err
	}
	for _, side := range []**Answer{&p.Ours, &p.Theirs} {
		plain, err := (*side).plain(s.maxAnswer)
		if err != nil {
			return Incomplete, nil, err
		}
		*side = plain
	}
	return s.h.Judge.Compare(ctx, p)
}
