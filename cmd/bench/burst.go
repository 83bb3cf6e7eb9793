package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// actor is one client of a burst. It is not safe for concurrent use.
type actor interface {
	// do performs the i-th operation of the burst.
	do(ctx context.Context, i int) error
	close() error
}

// burst performs n operations with the given number of concurrent clients.
func burst(ctx context.Context, clients, n int, newActor func(client int) (actor, error)) (r result, err error) {
	actors, times, errs := make([]actor, clients), make([][]time.Duration, clients), make([]error, clients)
	for c := range actors {
		if actors[c], err = newActor(c); err != nil {
			return r, err
		}
		defer func() { err = errors.Join(err, actors[c].close()) }()
	}
	var next atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for c := range actors {
		group.Go(func() {
			for i := int(next.Add(1) - 1); i < n && errs[c] == nil; i = int(next.Add(1) - 1) {
				start := time.Now()
				errs[c] = actors[c].do(ctx, i)
				times[c] = append(times[c], time.Since(start))
			}
		})
	}
	group.Wait()
	took := time.Since(began)
	var all []time.Duration
	for _, some := range times {
		all = append(all, some...)
	}
	r = result{Concurrency: clients}
	if err := errors.Join(errs...); err != nil || len(all) == 0 {
		return r, err
	}
	r.count(all, took)
	return r, nil
}

// httpActor is an actor that sends HTTP requests.
type httpActor struct {
	client *client
	next   func(i int) request
	got    func(i int, body []byte) error // may be nil
}

func (a *httpActor) do(ctx context.Context, i int) error {
	r := a.next(i)
	status, body, err := a.client.do(ctx, r)
	if err == nil && status >= 400 {
		err = fmt.Errorf("answered %d: %.300s", status, body)
	}
	if err == nil && a.got != nil {
		err = a.got(i, body)
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", r.method, r.path, err)
	}
	return nil
}

func (a *httpActor) close() error {
	a.client.close()
	return nil
}
