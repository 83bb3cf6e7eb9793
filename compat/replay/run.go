package replay

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"calbridge/compat/recording"
	"calbridge/compat/verdict"
)

// task is an exchange on its way through the comparison, numbered so that the
// results come out in the order of the recordings.
type task struct {
	number   int
	exchange *recording.Exchange // nil for a write case
	result   Result
	err      error // ends the run
}

// run reads, sends and compares: one reader, Concurrency senders, and this
// goroutine, which collects.
func (c *comparison) run(ctx context.Context, results *collector) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	tasks := make(chan task, c.Concurrency)
	done := make(chan task, c.Concurrency)

	var readErr error
	go func() {
		defer close(tasks)
		readErr = c.read(ctx, tasks)
	}()
	var senders sync.WaitGroup
	for range c.Concurrency {
		senders.Go(func() {
			conn := c.asker.connection()
			defer conn.Close()
			for t := range tasks {
				if t.result.Outcome != verdict.Skipped {
					t.err = c.asker.ask(ctx, conn, t.exchange, &t.result)
				}
				done <- t
			}
		})
	}
	go func() {
		senders.Wait()
		close(done)
	}()

	runErr := c.collect(results, done, cancel)
	if err := ctx.Err(); err != nil && runErr == nil && !results.report.Stopped {
		runErr = err
	}
	if readErr != nil && runErr == nil && !results.report.Stopped {
		runErr = readErr
	}
	return runErr
}

// collect puts the results into order, reports them and ends the run early when
// it must. It drains the channel in every case.
func (c *comparison) collect(results *collector, done <-chan task, cancel func()) error {
	var runErr error
	waiting := map[int]task{}
	next := 0
	for t := range done {
		waiting[t.number] = t
		for t, ready := waiting[next]; ready; t, ready = waiting[next] {
			delete(waiting, next)
			next++
			if runErr != nil || results.report.Stopped {
				continue
			}
			if t.err != nil {
				runErr = t.err
				cancel()
				continue
			}
			if t.exchange != nil && t.result.Outcome != verdict.Skipped {
				if settled := c.asker.differ.Rules.Settle(t.exchange, t.result.Differences); len(settled) > 0 {
					t.result.Differences, t.result.Outcome = settled, verdict.OutcomeOf(settled)
				}
			}
			results.add(t.exchange, t.result)
			c.print(t.result)
			if c.FailFast && t.result.Outcome == verdict.Different {
				results.report.Stopped = true
				cancel()
			}
		}
	}
	return runErr
}

func (c *comparison) print(r Result) {
	switch {
	case c.Verbose:
		fmt.Fprintln(c.Out, r.String())
		if len(r.Differences) > 1 {
			for _, d := range r.Differences {
				fmt.Fprintln(c.Out, "          ", d.String())
			}
		}
	case r.Outcome == verdict.Different:
		fmt.Fprintln(c.Out, r.String())
	}
}

// read turns the recordings' lines into tasks.
func (c *comparison) read(ctx context.Context, tasks chan<- task) error {
	number := 0
	return recording.Read(c.files, func(e recording.Entry) error {
		var t task
		switch {
		case e.Exchange != nil:
			t = c.exchangeTask(e.Exchange)
		case e.Case != nil:
			t = caseTask(e.Case)
		default:
			return nil
		}
		t.number = number
		number++
		select {
		case tasks <- t:
			return nil
		case <-ctx.Done():
			return recording.ErrStop
		}
	})
}

// exchangeTask plans an exchange: what its result has before it is asked, and whether it is.
func (c *comparison) exchangeTask(x *recording.Exchange) task {
	t := task{exchange: x, result: Result{ID: x.ID, Method: x.Request.Method, Path: x.Request.Path, As: cmp.Or(x.As, recording.Anonymous),
		File: x.File, Line: x.Line, RecordedTookMS: x.TookMS, StatusOnly: c.scope.StatusOnly(x.ID)}}
	t.result.Reason = c.skip(x, c.scope)
	if t.result.Reason != "" {
		t.result.Outcome = verdict.Skipped
	}
	return t
}

// caseTask stands for a write case: replaying one needs the site's database put
// back to its pristine state before it, which a client over HTTP cannot do.
func caseTask(w *recording.Case) task {
	request := w.Steps[0].Request
	return task{result: Result{ID: w.ID, Method: request.Method, Path: request.Path, As: w.As, File: w.File, Line: w.Line,
		Outcome: verdict.Skipped, Reason: ReasonWrites}}
}
