package replay

import (
	"cmp"
	"context"
	"fmt"

	"calbridge/compat/recording"
)

// task is an exchange on its way through the comparison.
type task struct {
	exchange *recording.Exchange // nil for a write case
	result   Result
	err      error         // ends the run
	done     chan struct{} // closed when the result is complete
}

// run reads, sends and compares: one reader, Concurrency senders, and this
// goroutine, which collects the results in the order of the recordings.
func (c *comparison) run(ctx context.Context, results *collector) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	sending, ordered := make(chan *task), make(chan *task, 4*c.Concurrency)
	var readErr error
	go func() {
		defer close(ordered)
		defer close(sending)
		readErr = c.read(ctx, sending, ordered)
	}()
	for range c.Concurrency {
		go func() {
			conn := c.asker.connection()
			defer conn.Close()
			for t := range sending {
				t.err = c.asker.ask(ctx, conn, t.exchange, &t.result)
				close(t.done)
			}
		}()
	}
	var failed error
	for t := range ordered { // drain it: the reader waits for that
		<-t.done
		switch {
		case failed != nil || results.report.Stopped:
		case t.err != nil:
			failed = t.err
			cancel()
		default:
			c.collect(results, t)
			if c.FailFast && t.result.Outcome == Different {
				results.report.Stopped = true
				cancel()
			}
		}
	}
	switch {
	case failed != nil || results.report.Stopped:
		return failed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return readErr
}

// collect settles known differences and reports a result.
func (c *comparison) collect(results *collector, t *task) {
	if t.exchange != nil && t.result.Outcome != Skipped {
		if settled := c.asker.differ.Rules.Settle(t.exchange, t.result.Differences); len(settled) > 0 {
			t.result.Differences, t.result.Outcome = settled, OutcomeOf(settled)
		}
	}
	c.print(t.result, results.add(t.exchange, t.result))
}

// print writes a result while the comparison runs. Without Verbose it writes only exchanges
// with a difference of a new kind.
func (c *comparison) print(r Result, fresh bool) {
	switch {
	case c.Verbose:
		fmt.Fprintln(c.Out, r.String())
		if len(r.Differences) > 1 {
			for _, d := range r.Differences {
				fmt.Fprintln(c.Out, "          ", d.String())
			}
		}
	case r.Outcome == Different && fresh:
		fmt.Fprintln(c.Out, r.String())
	}
}

// read turns the lines of the recordings into tasks.
func (c *comparison) read(ctx context.Context, sending, ordered chan<- *task) error {
	return recording.ReadWithProgress(c.files, c.Progress, func(e recording.Entry) error {
		t := &task{exchange: e.Exchange, done: make(chan struct{})}
		switch {
		case e.Exchange != nil:
			t.result = c.planned(e.Exchange)
		case e.Case != nil:
			t.result = skippedCase(e.Case)
		default:
			return nil
		}
		select {
		case ordered <- t:
		case <-ctx.Done():
			return recording.ErrStop
		}
		if t.result.Outcome == Skipped {
			close(t.done)
		} else {
			sending <- t
		}
		return nil
	})
}

// planned returns the result of an exchange before it is sent or skipped.
func (c *comparison) planned(x *recording.Exchange) Result {
	r := Result{ID: x.ID, Method: x.Request.Method, Path: x.Request.Path, As: cmp.Or(x.As, recording.Anonymous),
		File: x.File, Line: x.Line, RecordedTookMS: x.TookMS, StatusOnly: c.scope.StatusOnly(x.ID)}
	if r.Reason = c.skip(x, c.scope); r.Reason != "" {
		r.Outcome = Skipped
	}
	return r
}

// skippedCase returns the result of a write case. Replaying one needs the site's
// database in its pristine state, which an HTTP client cannot restore.
func skippedCase(w *recording.Case) Result {
	request := w.Steps[0].Request
	return Result{ID: w.ID, Method: request.Method, Path: request.Path, As: w.As, File: w.File, Line: w.Line,
		Outcome: Skipped, Reason: ReasonWrites}
}
