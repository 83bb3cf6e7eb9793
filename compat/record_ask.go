package compat

import (
	"calbridge/compat/recording"
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// planned is a request to be recorded.
type planned struct {
	group   string // beginning of the exchange's id
	as      string
	request recording.Request
}

// asked is a request that is being recorded.
type asked struct {
	planned
	id       string
	exchange *recording.Exchange
	resumed  bool
	at       time.Time // when the first answer came
	unstable bool      // the two answers have not the same status
}

// chunk is how many requests are asked a first time before the first of them is
// asked again, and what is lost when the recording is interrupted.
const chunk = 40

// ask records the requests, those that were not recorded yet, and gives the
// exchanges in their order, without unstable ones.
func (r *recorder) ask(ctx context.Context, batch []planned) ([]*recording.Exchange, error) {
	var fresh []*asked
	for _, p := range batch {
		id := recording.RequestID(p.as, p.request)
		if !r.seen[id] {
			r.seen[id] = true
			fresh = append(fresh, &asked{planned: p, id: id})
		}
	}
	r.progress.Planned += len(fresh)
	var exchanges []*recording.Exchange
	for part := range slices.Chunk(fresh, chunk) {
		if err := r.each(ctx, part, r.first); err != nil {
			return exchanges, err
		}
		if err := r.each(ctx, part, r.second); err != nil {
			return exchanges, err
		}
		for _, a := range part {
			if err := r.keep(a); err != nil {
				return exchanges, err
			}
			if !a.unstable {
				exchanges = append(exchanges, a.exchange)
			}
		}
	}
	return exchanges, nil
}

// each does the same with several requests, on as many connections as allowed,
// and stops at the first error.
func (r *recorder) each(ctx context.Context, part []*asked, do func(context.Context, *asked) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(r.Concurrency)
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

// keep writes an exchange and reports the progress.
func (r *recorder) keep(a *asked) error {
	r.progress.Done++
	r.progress.Current = a.request.Method + " " + a.request.Path
	switch {
	case a.unstable:
		r.result.Unstable = append(r.result.Unstable, r.progress.Current)
	case a.resumed:
		r.progress.Resumed++
		r.result.Resumed++
		r.result.Exchanges++
	default:
		r.result.Exchanges++
		if err := r.out.write(a.exchange); err != nil {
			return err
		}
	}
	if len(a.exchange.Noise) > 0 {
		r.result.Noisy++
	}
	if r.Progress != nil {
		r.Progress(r.progress)
	}
	return nil
}

// first asks a request, or takes what an earlier run recorded.
func (r *recorder) first(ctx context.Context, a *asked) error {
	if a.exchange, a.resumed = r.out.have[a.id]; a.resumed {
		return nil
	}
	answer, took, err := r.client.ask(ctx, a.as, a.request)
	if err != nil {
		return err
	}
	a.at = time.Now()
	a.exchange = &recording.Exchange{ID: a.group + "-" + a.id, As: a.as, Request: a.request, Response: answer,
		TookMS: float64(took.Round(time.Microsecond)) / float64(time.Millisecond)}
	return nil
}

// second asks it again, when the clock has moved on, and makes noise rules of
// what is not the same.
func (r *recorder) second(ctx context.Context, a *asked) error {
	if a.resumed {
		return nil
	}
	if err := sleep(ctx, time.Until(a.at.Add(r.Gap))); err != nil {
		return err
	}
	answer, _, err := r.client.ask(ctx, a.as, a.request)
	if err != nil {
		return err
	}
	a.unstable = answer.Status != a.exchange.Response.Status
	a.exchange.Noise = noiseBetween(a.exchange, answer)
	a.exchange = recording.Redact(a.exchange, r.secrets())
	return nil
}

func (r *recorder) secrets() []string {
	var secrets []string
	for _, password := range r.Logins {
		secrets = append(secrets, password)
	}
	return secrets
}
