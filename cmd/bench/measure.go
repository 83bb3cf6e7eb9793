package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// target is the server to load. Without pid there is no CPU time; without ops there are no
// figures.
type target struct {
	addr string
	host string // the header's; "" is localhost
	pid  int
	ops  string
}

// result describes one load. Times are in milliseconds. Missing figures are 0.
type result struct {
	Name        string  `json:"name"`
	Server      string  `json:"server"`
	Concurrency int     `json:"concurrency"`
	Requests    int     `json:"requests"`
	PerSecond   float64 `json:"per_second"`
	P50         float64 `json:"p50_ms"`
	P99         float64 `json:"p99_ms"`
	CPU         float64 `json:"cpu_ms"` // CPU time of the server per request
	Queries     float64 `json:"queries"`
	AllocKiB    float64 `json:"alloc_kib"` // per request
	Allocs      float64 `json:"allocs"`
	ResidentMiB float64 `json:"resident_mib"` // at the end
	Bytes       int     `json:"bytes"`        // the greatest among the last bodies of all connections
	DatabaseCPU float64 `json:"database_cpu_ms,omitempty"`
}

// measure loads the target over the given number of connections, for at least the given time
// and the given number of requests. next returns the i-th request and is called concurrently.
func measure(ctx context.Context, t target, concurrency int, long time.Duration, least int, next func(i int) request) (result, error) {
	r := result{Concurrency: concurrency}
	before, cpuBefore, err := t.before(ctx)
	if err != nil {
		return r, err
	}
	var i atomic.Int64
	began := time.Now()
	workers := make([]worker, concurrency)
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			workers[w].run(ctx, &client{addr: t.addr, host: t.host}, func() (request, bool) {
				n := int(i.Add(1) - 1)
				return next(n), n < least || time.Since(began) < long
			})
		})
	}
	group.Wait()
	took := time.Since(began)
	var times []time.Duration
	for _, w := range workers {
		if w.err != nil {
			return r, w.err
		}
		times = append(times, w.times...)
		r.Bytes = max(r.Bytes, w.bytes) // a worker that started late may have sent no request
	}
	after, cpuAfter, err := t.after(ctx)
	if err != nil {
		return r, err
	}
	if len(times) == 0 {
		return r, ctx.Err()
	}
	r.count(times, took)
	n := float64(len(times))
	r.CPU = milliseconds(cpuAfter-cpuBefore) / n
	if used := after.minus(before); used.requests > 0 {
		r.Queries, r.AllocKiB, r.Allocs = used.queries/used.requests, used.allocated/n/1024, used.allocs/n
	}
	if t.pid != 0 {
		resident, err := residentBytes(t.pid)
		if err != nil {
			return r, err
		}
		r.ResidentMiB = float64(resident) / (1 << 20)
	}
	return r, nil
}

// count computes the figures of requests that were answered within the given time.
func (r *result) count(times []time.Duration, within time.Duration) {
	slices.Sort(times)
	r.Requests, r.PerSecond = len(times), float64(len(times))/within.Seconds()
	r.P50, r.P99 = milliseconds(times[len(times)/2]), milliseconds(times[len(times)*99/100])
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// before reads the figures and the CPU time before a load, and after reads them afterwards.
// Collecting the figures takes the server some milliseconds; the order of the readings keeps
// that out of the difference.
func (t target) before(ctx context.Context) (f figures, cpu time.Duration, err error) {
	if f, err = t.figures(ctx); err != nil {
		return f, 0, err
	}
	cpu, err = t.cpu()
	return f, cpu, err
}

func (t target) after(ctx context.Context) (f figures, cpu time.Duration, err error) {
	if cpu, err = t.cpu(); err != nil {
		return f, 0, err
	}
	f, err = t.figures(ctx)
	return f, cpu, err
}

// figures reads the figures from the server's ops listener. Without one it returns zeros.
func (t target) figures(ctx context.Context) (figures, error) {
	if t.ops == "" {
		return figures{}, nil
	}
	return readFigures(ctx, t.ops)
}

// cpu returns the CPU time that the server has used, or 0 if its process is unknown.
func (t target) cpu() (time.Duration, error) {
	if t.pid == 0 {
		return 0, nil
	}
	return cpuTime(t.pid)
}

// worker is one connection under load.
type worker struct {
	times []time.Duration
	bytes int
	err   error
}

// run sends the requests that next returns until there are no more.
func (w *worker) run(ctx context.Context, c *client, next func() (r request, more bool)) {
	defer c.close()
	for ctx.Err() == nil {
		asked, more := next()
		if !more {
			return
		}
		start := time.Now()
		status, body, err := c.do(ctx, asked)
		if err != nil {
			w.err = fmt.Errorf("%s %s: %w", asked.method, asked.path, err)
			return
		}
		if status >= 400 {
			w.err = fmt.Errorf("%s %s answered %d: %.300s", asked.method, asked.path, status, body)
			return
		}
		w.times, w.bytes = append(w.times, time.Since(start)), len(body)
	}
	w.err = ctx.Err()
}
