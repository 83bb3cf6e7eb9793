package record

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"calbridge/compat/recording"
)

// asked is a request being recorded.
type asked struct {
	planned
	id       string
	exchange *recording.Exchange
	resumed  bool
	at       time.Time // when the first answer came
	unstable bool      // the two answers have different statuses
}

// chunk is the number of requests sent before the first of them is repeated. An
// interruption loses at most that many.
const chunk = 40

// session sends requests and writes the exchanges.
type session struct {
	client      *politeClient
	out         *recordingFile
	concurrency int
	gap         time.Duration  // minimum time between the two sendings of a request
	secrets     []string       // texts that must not be in the recording
	progress    func(Progress) // may be nil
	at          Progress
	result      *Result
	seen        map[string]bool // ids of the requests sent by this run
}

// ask records the requests that were not recorded yet and returns the exchanges in
// order, without unstable ones.
func (s *session) ask(ctx context.Context, batch []planned) ([]*recording.Exchange, error) {
	var fresh []*asked
	for _, p := range batch {
		id := recording.RequestID(p.as, p.request)
		if !s.seen[id] {
			s.seen[id] = true
			fresh = append(fresh, &asked{planned: p, id: id})
		}
	}
	s.at.Planned += len(fresh)
	var exchanges []*recording.Exchange
	for part := range slices.Chunk(fresh, chunk) {
		for _, round := range []func(context.Context, *asked) error{s.first, s.second} {
			if err := s.each(ctx, part, round); err != nil {
				return exchanges, err
			}
		}
		for _, a := range part {
			if err := s.store(a); err != nil {
				return exchanges, err
			}
			if !a.unstable {
				exchanges = append(exchanges, a.exchange)
			}
		}
	}
	return exchanges, nil
}

// each calls a function for several requests, on as many connections as allowed, and
// stops at the first error.
func (s *session) each(ctx context.Context, part []*asked, do func(context.Context, *asked) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(s.concurrency)
	for _, a := range part {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return do(ctx, a)
		})
	}
	return group.Wait()
}

// store writes an exchange and reports the progress.
func (s *session) store(a *asked) error {
	s.at.Done++
	switch {
	case a.unstable:
		s.result.Unstable = append(s.result.Unstable, a.request.Method+" "+a.request.Path)
	case a.resumed:
		s.result.Resumed++
		s.result.Exchanges++
	default:
		s.result.Exchanges++
		if err := s.out.write(a.exchange); err != nil {
			return err
		}
	}
	if len(a.exchange.Noise) > 0 {
		s.result.Noisy++
	}
	if s.progress != nil {
		s.progress(s.at)
	}
	return nil
}

// first sends a request, or returns the answer that an earlier run recorded.
func (s *session) first(ctx context.Context, a *asked) error {
	a.exchange, a.resumed = s.out.have[a.id]
	if a.resumed {
		return nil
	}
	answer, took, err := s.client.ask(ctx, a.as, a.request)
	if err != nil {
		return err
	}
	a.at = time.Now()
	a.exchange = &recording.Exchange{ID: a.group + "-" + a.id, As: a.as, Request: a.request, Response: answer, TookMS: recording.Milliseconds(took)}
	return nil
}

// second sends it again, once the clock has moved on, and turns the differences into
// noise rules.
func (s *session) second(ctx context.Context, a *asked) error {
	if a.resumed {
		return nil
	}
	if err := sleep(ctx, time.Until(a.at.Add(s.gap))); err != nil {
		return err
	}
	answer, _, err := s.client.ask(ctx, a.as, a.request)
	if err != nil {
		return err
	}
	a.unstable = answer.Status != a.exchange.Response.Status
	a.exchange.Noise = noiseBetween(a.exchange, answer)
	a.exchange = recording.Redact(a.exchange, s.secrets)
	return nil
}

// addEarlier counts exchanges of an earlier run that this one had no reason to request.
func (r *Result) addEarlier(out *recordingFile, seen map[string]bool) {
	for id := range out.have {
		if !seen[id] {
			r.Exchanges++
			r.Resumed++
		}
	}
}
