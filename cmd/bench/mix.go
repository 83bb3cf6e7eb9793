package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// mixCommand loads calbridge, and a reference if one is given, with reads and writes.
func mixCommand(ctx context.Context, args []string, out, log io.Writer) error {
	flags := newFlags("mix", log)
	dsn := flags.String("dsn", "", "generated calendar, which is changed (default: one is generated on a private server)")
	events := flags.Int("events", 10_000, "how many events the calendar has")
	program := flags.String("calbridge", "", "the server's program (default: built from source)")
	clients := flags.Int("clients", 16, "connections at a time")
	long := flags.Duration("for", 10*time.Second, "how long each server is loaded")
	settle := flags.Duration("settle", 0, "how long to wait before the load: calbridge verifies the counts of large terms in the background after its start")
	against := flags.String("against", "", "URL of the namespace at a reference, over the database of --dsn: http://host:port/wp-json/calendar/events/v1")
	seed := flags.Int("seed", int(time.Now().Unix())*100, "first of the reads that were never requested before; use another value for each run against a server")
	asJSON := flags.Bool("json", false, "one JSON object a line instead of a table")
	if err := flags.Parse(args); err != nil {
		return err
	}
	reference, base, err := parseReference(*against)
	if err != nil {
		return err
	}
	_, db, done, err := prepareEdits(ctx, program, dsn, *events, log)
	if err != nil {
		return err
	}
	defer done()
	server, err := startChild(ctx, *program, append(append(serveCalendar(*dsn), "--application-passwords", "on"), flags.Args()...)...)
	if err != nil {
		return err
	}
	defer server.stop()
	ours := target{addr: server.addr, ops: server.ops, pid: server.cmd.Process.Pid}
	if err := awaitIndex(ctx, ours.ops, log); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(*settle):
	}
	m := mix{clients: *clients, long: *long, log: log, exec: func(ctx context.Context, s []sqlStatement) error { return execAll(ctx, db, s) }}
	fmt.Fprintln(log, "load average", loadAverage())
	results, err := m.run(ctx, "calbridge", ours, newMixture(namespacePath, *events, *seed))
	if err == nil && reference.addr != "" {
		var others []result
		others, err = m.run(ctx, "reference", reference, newMixture(base, *events, *seed))
		results = append(results, others...)
	}
	fmt.Fprintln(log, "load average", loadAverage())
	if err = errors.Join(err, writeResults(out, *asJSON, results)); err != nil || *asJSON || reference.addr == "" {
		return err
	}
	return writeMixRatio(out, results)
}

// parseReference returns the target and the path of the namespace for a URL.
func parseReference(text string) (t target, base string, err error) {
	if text == "" {
		return t, "", nil
	}
	u, err := url.Parse(text)
	if err != nil {
		return t, "", err
	}
	if u.Scheme != "http" || u.Host == "" {
		return t, "", fmt.Errorf("%q is not a URL of the form http://host:port/path", text)
	}
	t.host, t.addr = u.Host, u.Host
	if u.Port() == "" {
		t.addr += ":80"
	}
	if base = strings.TrimRight(u.Path, "/"); base == "" {
		base = namespacePath
	}
	return t, base, nil
}

// mix loads servers with a mixture of operations.
type mix struct {
	clients int
	long    time.Duration
	exec    func(context.Context, []sqlStatement) error
	log     io.Writer
}

// run loads a server after sending all repeated requests once. It returns a result for each
// kind of operation and one for all.
func (m mix) run(ctx context.Context, name string, t target, of *mixture) ([]result, error) {
	if _, err := measure(ctx, t, m.clients, 0, len(of.hot), func(i int) request { return of.hot[i%len(of.hot)] }); err != nil {
		return nil, err
	}
	before, cpuBefore, err := t.before(ctx)
	if err != nil {
		return nil, err
	}
	workers := make([]mixWorker, m.clients)
	var next atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for w := range workers {
		group.Go(func() {
			c := &client{addr: t.addr, host: t.host}
			defer c.close()
			for time.Since(began) < m.long && ctx.Err() == nil {
				workers[w].do(ctx, c, m, of.at(int(next.Add(1)-1)))
			}
		})
	}
	group.Wait()
	took := time.Since(began)
	var all []time.Duration
	var results []result
	for k := range kinds {
		var times []time.Duration
		var failed int
		var first error
		for _, w := range workers {
			times = append(times, w.times[k]...)
			if n := w.failed[k]; n > 0 {
				failed, first = failed+n, cmp.Or(first, w.errs[k])
			}
		}
		if failed > 0 {
			fmt.Fprintf(m.log, "%s: %d of %d %s failed, and don't count; the first: %v\n", name, failed, failed+len(times), k, first)
		}
		r := result{Name: k.String(), Server: name, Concurrency: m.clients}
		if len(times) > 0 {
			r.count(times, took)
		}
		results, all = append(results, r), append(all, times...)
	}
	after, cpuAfter, err := t.after(ctx)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: every operation failed: %w", name, cmp.Or(ctx.Err(), workers[0].errs[repeated]))
	}
	total := result{Name: mixTotal, Server: name, Concurrency: m.clients}
	total.count(all, took)
	total.CPU = milliseconds(cpuAfter-cpuBefore) / float64(len(all))
	if used := after.minus(before); used.requests > 0 {
		total.Queries = used.queries / used.requests
	}
	return append(results, total), nil
}

const mixTotal = "all"

// mixWorker is one connection under load.
type mixWorker struct {
	times  [kinds][]time.Duration
	failed [kinds]int
	errs   [kinds]error // the first errors
}

func (w *mixWorker) do(ctx context.Context, c *client, m mix, o operation) {
	start := time.Now()
	var err error
	if o.kind == sqlWrite {
		err = m.exec(ctx, o.statements)
	} else {
		err = (&httpActor{client: c, next: func(int) request { return o.request }}).do(ctx, 0)
	}
	if err != nil {
		w.failed[o.kind]++
		w.errs[o.kind] = cmp.Or(w.errs[o.kind], err)
		return
	}
	w.times[o.kind] = append(w.times[o.kind], time.Since(start))
}

// writeMixRatio prints how much faster calbridge is than the reference.
func writeMixRatio(out io.Writer, results []result) error {
	var ours, theirs float64
	for _, r := range results {
		if r.Name == mixTotal && r.Server == "reference" {
			theirs = r.PerSecond
		} else if r.Name == mixTotal {
			ours = r.PerSecond
		}
	}
	_, err := fmt.Fprintf(out, "\ncalbridge performs %.1f times as many operations per second as the reference.\n", ours/theirs)
	return err
}
