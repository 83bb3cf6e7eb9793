package rollout

import (
	"context"
	"net/http"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/proof"
)

// factsTimeout bounds reading the facts.
const factsTimeout = 30 * time.Second

// proveRounds is the maximum number of rounds until nothing changes meanwhile. Responses that
// differ in each round count as different, although something has changed.
const proveRounds = 10

// prove makes a comparison whose result is a proof, or the end of one.
func (a *auto) prove(ctx context.Context, c *comparison) {
	done := &Compared{Outcome: Incomplete}
	defer func() {
		a.pending.remove(a.h.site(c.request) + c.request.RequestURI)
		if a.h.Guard.Caught(comparing, recover()) != nil {
			done.Outcome, done.Kinds = Incomplete, nil
		}
		if ctx.Err() != nil { // closing
			a.h.Observer.Dropped(DropClosed)
			return
		}
		a.h.Observer.Compared(done)
	}()
	if err := a.prover.AwaitFacts(ctx); err != nil {
		done.Err = err
		return
	}
	var before *round
	for n := 1; n <= proveRounds; n++ {
		next, err := a.ask(ctx, c.request, before)
		if err != nil {
			done.Err = err
			return
		}
		done.Route = next.pair.Route
		same := next.outcome == Same || next.outcome == Known
		if before == nil && !same && a.suffices(c.request, next) && a.settle(ctx) && a.prover.Unchanged(next.begun, next.summary.Tags) {
			done.Outcome, next.agrees = Known, true
			a.record(ctx, c, next, proof.Different)
			return
		}
		if same && before == nil {
			done.Outcome, next.agrees = next.outcome, next.settled
			a.record(ctx, c, next, proof.Same)
			return
		}
		// A changed row is in our response before its change arrives.
		unchanged := a.settle(ctx) && before != nil && a.prover.Unchanged(before.begun, next.summary.Tags)
		if unchanged { // so that nothing was late in either round
			before.settled, next.settled = true, true
		}
		verdict := proof.Different
		if unchanged && before.disagrees(next, a.h.Judge) {
			verdict = proof.Disagreeing
		}
		next.agrees = before != nil && a.agree(c.request, before, next)
		switch {
		case same && verdict == proof.Disagreeing:
			done.Outcome = Different
			before.agrees = false
			a.record(ctx, c, before, verdict)
			return
		case same:
			done.Outcome = next.outcome
			a.record(ctx, c, next, proof.Same)
			return
		case unchanged || n == proveRounds:
			if a.explained(next) {
				done.Outcome = Known
			} else {
				done.Outcome, done.Kinds = Different, next.kinds
				a.h.Judge.Record(ctx, &next.pair, next.kinds)
			}
			if unchanged {
				next.vary = before.varying(next)
			}
			a.record(ctx, c, next, verdict)
			return
		case before != nil:
			a.record(ctx, c, next, proof.Inconclusive)
		}
		before = next
	}
}

// round holds one response of each side.
type round struct {
	begun   proof.Stamp
	pair    Pair
	summary *api.Summary
	applied []proof.HeaderRule
	outcome Outcome
	kinds   []string
	split   *proof.Split // nil if the responses have other objects
	// settled reports that all changes of rows from before WordPress's response had arrived when
	// calbridge answered.
	settled bool
	// agrees reports that the objects of a settled round are those of the round before, or that there is
	// none and one round suffices.
	agrees bool
	vary   []string // headers in which WordPress's response differs from the one before
}

// disagrees reports whether WordPress's response differs from its earlier one in more than times
// that went on, and calbridge's doesn't.
func (r *round) disagrees(later *round, judge Judge) bool {
	return sameAnswer(r.pair.Ours, later.pair.Ours) && !sameAnswer(r.pair.Theirs, later.pair.Theirs) && !judge.Moved(r.pair.Theirs, later.pair.Theirs)
}

func sameAnswer(a, b *Answer) bool { return a.Status == b.Status && string(a.Body) == string(b.Body) }

// ask sends the request to both sides, WordPress first: what has changed in between is in our
// response, and in the next round. before is the round before, nil in the first one: the seconds
// in WordPress's response lie between those of calbridge's two responses.
func (a *auto) ask(ctx context.Context, request *http.Request, before *round) (*round, error) {
	s := a.h.shadow
	r := &round{begun: a.prover.Begin(), pair: *s.pair(request)}
	if before != nil {
		r.pair.Earlier = before.pair.Ours
	}
	begin := time.Now()
	theirs, err := a.h.upstream.get(ctx, request, proof.ComparisonAddress, s.maxAnswer)
	asked := &Asked{Request: request, Purpose: ForComparison, Took: time.Since(begin), Err: err}
	if theirs != nil {
		asked.Status = theirs.Status
	}
	asked.Result = resultOf(ctx, err, asked.Status)
	a.h.Observer.Asked(asked)
	if err == nil && theirs.Status >= http.StatusInternalServerError {
		err = errFailed
	}
	if err != nil {
		if ctx.Err() == nil {
			a.prover.Away()
		}
		return nil, err
	}
	a.prover.Here()
	a.prover.Took(asked.Took)
	r.settled = a.settle(ctx)
	ours, summary, err := s.ours(ctx, request)
	if err != nil {
		return nil, err
	}
	r.summary, r.pair.Route = summary, summary.Route
	if ours.Status == http.StatusServiceUnavailable || ours.Status == http.StatusTooManyRequests {
		return nil, errOverloaded
	}
	if r.pair.Theirs, err = theirs.plain(s.maxAnswer); err != nil {
		return nil, err
	}
	if r.pair.Ours, err = ours.plain(s.maxAnswer); err != nil {
		return nil, err
	}
	if r.summary.Shared {
		r.applied = a.prover.Adjustments().Headers().Apply(r.pair.Ours.Header, a.h.site(request))
	}
	a.prover.Adjustments().Align(r.pair.Ours.Header, r.pair.Theirs.Header)
	r.outcome, r.kinds, err = a.h.Judge.Compare(ctx, &r.pair)
	if err == nil {
		r.split, err = a.split(ctx, request, r, before != nil && before.split != nil)
	}
	return r, err
}

// varying returns the headers in which two responses of WordPress differ.
func (r *round) varying(later *round) (names []string) {
	before, after := r.pair.Theirs, later.pair.Theirs
	if before.Status != after.Status {
		return nil
	}
	return proof.DifferingHeaders(before.Header, after.Header)
}

// settle waits until all changes of rows that were committed before have arrived, and reports
// whether they have. Otherwise a difference may come from a change that hasn't arrived.
func (a *auto) settle(ctx context.Context) bool {
	return a.h.Settle == nil || a.h.Settle(ctx) == nil
}

func (a *auto) record(ctx context.Context, c *comparison, r *round, verdict proof.Verdict) {
	_, query := api.SplitTarget(c.request.RequestURI)
	result := &proof.Result{
		Begun: r.begun, Target: c.request.RequestURI, Query: query, Site: a.h.site(c.request), Summary: r.summary, Applied: r.applied, Verdict: verdict, Varying: r.vary,
		Ours:   proof.Side{Status: r.pair.Ours.Status, Header: r.pair.Ours.Header, Body: r.pair.Ours.Body},
		Theirs: proof.Side{Status: r.pair.Theirs.Status, Header: r.pair.Theirs.Header, Body: r.pair.Theirs.Body},
	}
	if r.agrees {
		result.Split = r.split
	}
	if verdict == proof.Different || verdict == proof.Disagreeing {
		result.Fields = a.h.Judge.Fields(ctx, &r.pair)
	}
	a.prover.Record(result)
}
