package compat

import (
	"calbridge/compat/recording"
	"calbridge/compat/verdict"
	"calbridge/compat/wire"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// task is an exchange on its way through the comparison, numbered so that the
// results come out in the order of the recordings.
type task struct {
	number   int
	exchange *recording.Exchange
	result   Result
	err      error // ends the run
}

// run reads, sends and compares: one reader, Concurrency senders, and this
// goroutine, which collects.
func (c *comparison) run(ctx context.Context, report *Report) error {
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
			w := &wire.Conn{Endpoint: c.endpoint, Timeout: c.Timeout}
			defer w.Close()
			for t := range tasks {
				if t.result.Outcome != verdict.Skipped {
					t.err = c.ask(ctx, w, &t)
				}
				done <- t
			}
		})
	}
	go func() {
		senders.Wait()
		close(done)
	}()

	runErr := c.collect(report, done, cancel)
	if err := ctx.Err(); err != nil && runErr == nil && !report.Stopped {
		runErr = err
	}
	if readErr != nil && runErr == nil && !report.Stopped {
		runErr = readErr
	}
	return runErr
}

// collect puts the results into order, reports them and ends the run early when
// it must. It drains the channel in every case.
func (c *comparison) collect(report *Report, done <-chan task, cancel func()) error {
	var runErr error
	waiting := map[int]task{}
	next := 0
	for t := range done {
		waiting[t.number] = t
		for t, ready := waiting[next]; ready; t, ready = waiting[next] {
			delete(waiting, next)
			next++
			if runErr != nil || report.Stopped {
				continue
			}
			if t.err != nil {
				runErr = t.err
				cancel()
				continue
			}
			if t.exchange != nil && t.result.Outcome != verdict.Skipped {
				if settled := c.rules.Settle(t.exchange, t.result.Differences); len(settled) > 0 {
					t.result.Differences, t.result.Outcome = settled, verdict.OutcomeOf(settled)
				}
			}
			c.detail(report, t.exchange, &t.result)
			report.add(t.result)
			c.print(t.result)
			if c.FailFast && t.result.Outcome == verdict.Different {
				report.Stopped = true
				cancel()
			}
		}
	}
	return runErr
}

// detail keeps what reports show of an exchange, or else lets go of it.
func (c *comparison) detail(report *Report, x *recording.Exchange, result *Result) {
	if !c.Details {
		result.Recorded, result.Got, result.Request = nil, nil, nil
		return
	}
	if result.Outcome == verdict.Same || result.Outcome == verdict.Skipped {
		result.Recorded, result.Got = nil, nil
	}
	if x != nil {
		report.learn(x, c.RecordedNamespace)
		result.Language = languageOf(x)
	}
	report.Cases = append(report.Cases, *result)
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

func (c *comparison) exchangeTask(x *recording.Exchange) task {
	t := task{exchange: x, result: Result{ID: x.ID, Method: x.Request.Method, Path: x.Request.Path, As: x.As,
		File: x.File, Line: x.Line, RecordedTook: time.Duration(x.TookMS * float64(time.Millisecond))}}
	switch {
	case !c.selected(x):
		t.result.Outcome, t.result.Reason = verdict.Skipped, ReasonFilter
	case !c.Shard.has(x.ID):
		t.result.Outcome, t.result.Reason = verdict.Skipped, ReasonShard
	case x.Browsed() && !factsOf(x.Request).ok:
		t.result.Outcome, t.result.Reason = verdict.Skipped, ReasonNoAPI
	case x.Browsed() && !c.Writes && !readingMethod(x.Request.Method):
		t.result.Outcome, t.result.Reason = verdict.Skipped, ReasonWrites
	case recording.RedactedRequest(x.Request):
		t.result.Outcome, t.result.Reason = verdict.Skipped, ReasonRedacted
	case c.scope.Skip(x.ID):
		t.result.Outcome, t.result.Reason = verdict.Skipped, ReasonOutOfScope
	}
	t.result.StatusOnly = c.scope.StatusOnly(x.ID)
	return t
}

func readingMethod(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

func (c *comparison) selected(x *recording.Exchange) bool {
	if c.Run != nil && !c.Run.MatchString(x.ID) && !c.Run.MatchString(x.Request.Path) {
		return false
	}
	return c.Filter == nil || c.Filter(x)
}

// caseTask stands for a write case: replaying one needs the site's database put
// back to its pristine state before it, which a client over HTTP cannot do.
func caseTask(w *recording.Case) task {
	request := w.Steps[0].Request
	return task{result: Result{ID: w.ID, Method: request.Method, Path: request.Path, As: w.As, File: w.File, Line: w.Line,
		Outcome: verdict.Skipped, Reason: ReasonWrites}}
}

// ask sends one exchange and compares. Only what makes going on pointless is an
// error; a single answer that does not come is a difference.
func (c *comparison) ask(ctx context.Context, w *wire.Conn, t *task) error {
	x := t.exchange
	if ctx.Err() != nil {
		return nil // the run has ended, the result is not looked at
	}
	sent := c.rules.For(x).Request(c.namespace.request(x.Request))
	request, err := c.request(x, sent)
	if err != nil {
		return fmt.Errorf("%s:%d: %s: %w", x.File, x.Line, x.ID, err)
	}
	answer, took, err := w.Send(ctx, request, x.Request.Method)
	t.result.Took = took
	var unreachable *wire.UnreachableError
	if errors.As(err, &unreachable) {
		return err
	}
	recorded := c.namespace.response(x.Response)
	t.result.Request, t.result.Recorded, t.result.Got = &sent, &recorded, &answer
	if c.Details {
		host, scheme := c.hostAndScheme(x)
		t.result.Curl = wire.CurlLine(c.endpoint.URL, host, scheme, x.As, sent)
	}
	if err != nil {
		t.result.Got = nil
		t.result.Differences = verdict.NoAnswer(recorded, err)
	} else if t.result.Differences, err = c.differ().Diff(x, recorded, answer, t.result.StatusOnly); err != nil {
		return fmt.Errorf("%s:%d: %s: %w", x.File, x.Line, x.ID, err)
	}
	t.result.Outcome = verdict.Same
	if len(t.result.Differences) > 0 {
		t.result.Outcome = verdict.Different
	}
	return nil
}

func (c *comparison) differ() verdict.Differ { return verdict.Differ{Level: c.Level, Rules: c.rules} }

func (c *comparison) request(x *recording.Exchange, sent recording.Request) ([]byte, error) {
	authorization := ""
	if x.As != "" && x.As != recording.Anonymous {
		var err error
		if password, given := c.Logins[x.As]; given {
			authorization = recording.BasicAuthorization(x.As, password)
		} else if authorization, err = c.site.Authorization(x.As); err != nil {
			return nil, err
		}
	}
	host, scheme := c.hostAndScheme(x)
	return wire.RequestBytes(sent, host, scheme, authorization)
}

// hostAndScheme are those of the site's home: from the site file, or else those
// that were asked according to the exchange itself, the recording's header or the
// recorded Link header; failing all, the target's.
func (c *comparison) hostAndScheme(x *recording.Exchange) (host, scheme string) {
	if c.home != nil {
		return c.home.Host, c.home.Scheme
	}
	for _, text := range x.Homes() {
		if home, err := url.Parse(text); err == nil && home.Host != "" {
			return home.Host, home.Scheme
		}
	}
	return c.endpoint.Address, "http"
}
