package compat

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"
	"time"
)

// planned is a request to be recorded.
type planned struct {
	group   string // beginning of the exchange's id
	as      string
	request Request
}

// requestID tells requests apart, the same in every run.
func requestID(as string, r Request) string {
	data, _ := json.Marshal([]any{as, r.Method, r.Path, r.Headers, bodyText(r)})
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:5])
}

// asked is an exchange on its way to the file.
type asked struct {
	number   int
	exchange *Exchange // nil when the site's answers had no common status
	resumed  bool
	err      error
}

// ask records the requests, those that were not recorded yet, and gives the
// exchanges in their order; nil for unstable ones.
func (r *recorder) ask(ctx context.Context, batch []planned) ([]*Exchange, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var fresh []planned
	for _, p := range batch {
		id := requestID(p.as, p.request)
		if !r.seen[id] {
			r.seen[id] = true
			fresh = append(fresh, p)
		}
	}
	r.progress.Planned += len(fresh)
	numbers, done := make(chan int), make(chan asked, r.Concurrency)
	go func() {
		defer close(numbers)
		for i := range fresh {
			select {
			case numbers <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	var workers sync.WaitGroup
	for range r.Concurrency {
		workers.Go(func() {
			for i := range numbers {
				a := r.twice(ctx, fresh[i])
				a.number = i
				done <- a
			}
		})
	}
	go func() {
		workers.Wait()
		close(done)
	}()
	exchanges := make([]*Exchange, len(fresh))
	waiting, next := map[int]asked{}, 0
	var failed error
	for a := range done {
		if a.err != nil && failed == nil {
			failed = a.err
			cancel()
		}
		waiting[a.number] = a
		for a, ready := waiting[next]; ready && failed == nil; a, ready = waiting[next] {
			delete(waiting, next)
			exchanges[next] = a.exchange
			if failed = r.keep(fresh[next], a); failed != nil {
				cancel()
			}
			next++
		}
	}
	if failed == nil {
		failed = ctx.Err()
	}
	return exchanges, failed
}

// keep writes an exchange and reports the progress.
func (r *recorder) keep(p planned, a asked) error {
	r.progress.Done++
	r.progress.Current = p.request.Method + " " + p.request.Path
	switch {
	case a.exchange == nil:
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
	if a.exchange != nil && len(a.exchange.Noise) > 0 {
		r.result.Noisy++
	}
	if r.Progress != nil {
		r.Progress(r.progress)
	}
	return nil
}

// twice asks a request two times and makes the exchange of the first answer.
func (r *recorder) twice(ctx context.Context, p planned) asked {
	id := requestID(p.as, p.request)
	if x, found := r.out.have[id]; found {
		return asked{exchange: x, resumed: true}
	}
	if ctx.Err() != nil {
		return asked{err: ctx.Err()}
	}
	first, took, err := r.client.ask(ctx, p.as, p.request)
	if err != nil {
		return asked{err: err}
	}
	second, _, err := r.client.ask(ctx, p.as, p.request)
	if err != nil {
		return asked{err: err}
	}
	if first.Status != second.Status {
		return asked{}
	}
	x := &Exchange{ID: p.group + "-" + id, As: p.as, Request: p.request, Response: Response(first),
		TookMS: float64(took.Round(time.Microsecond)) / float64(time.Millisecond)}
	x.Noise = noiseBetween(x, Answer(second))
	return asked{exchange: redact(x, r.secrets())}
}

func (r *recorder) secrets() []string {
	var secrets []string
	for _, password := range r.Logins {
		secrets = append(secrets, password)
	}
	return secrets
}
