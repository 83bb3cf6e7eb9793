package sitecompare

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"calbridge/compat/diff"
	"calbridge/compat/explain"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/rules"
	"calbridge/rest/rollout"
)

// Bounds of a comparison.
const (
	// atOnce is how many requests WordPress gets at once.
	atOnce = 2
	// longest is the longest time of a comparison.
	longest = 5 * time.Minute
	// mostFailures is how many requests in a row may go without an answer.
	mostFailures = 3
)

// Config defines what is compared.
type Config struct {
	// Ours answers as calbridge does.
	Ours     http.Handler
	Upstream rollout.Upstream
	Site     Site
	// Login sends some of the requests too; nil for none.
	Login *Login
	// Level and Rules are those of `calbridge compare`.
	Level diff.Level
	Rules *rules.File
	Now   func() time.Time
	// Progress gets the numbers of requests, one call at a time; may be nil.
	Progress func(done, total int)
}

// pair is a request with both answers. The exchange holds WordPress's.
type pair struct {
	request     *request
	exchange    *recording.Exchange
	ours        recording.Response
	took        time.Duration // of ours
	outcome     replay.Outcome
	differences []diff.Difference
}

// comparison is a comparison in progress.
type comparison struct {
	Config
	judge        *replay.Judge
	theirs, ours side

	mu       sync.Mutex
	done     int
	failures int // in a row
}

// errGivenUp ends a comparison whose upstream does not answer any more.
var errGivenUp = errors.New("WordPress has stopped responding")

// Compare sends about a hundred requests to both sides and compares the answers. A
// comparison that cannot be made or finished says so in the Result.
func Compare(ctx context.Context, c Config) *Result {
	started := c.Now()
	result := &Result{Target: c.Upstream.URL}
	pairs, planned, err := compare(ctx, &c)
	if err != nil {
		result.Problem = err.Error()
		if len(pairs) > 0 {
			result.Problem += fmt.Sprintf("; %d of %d requests were compared", len(pairs), planned)
		}
	}
	result.take(pairs)
	result.report = reportOf(&c, pairs, started)
	return result
}

// compare returns the compared pairs, and how many were planned.
func compare(ctx context.Context, c *Config) (pairs []*pair, planned int, err error) {
	judge, err := replay.NewJudge(replay.JudgeOptions{Level: c.Level, Rules: c.Rules, Now: c.Now, Compat: explain.Exact, Namespace: c.Site.Namespace})
	if err != nil {
		return nil, 0, fmt.Errorf("--compare-rules: %w", err)
	}
	theirs, err := newWordPress(c.Upstream, &c.Site)
	if err != nil {
		return nil, 0, err
	}
	defer theirs.close()
	scheme, host := c.Site.origin()
	x := &comparison{Config: *c, judge: judge, theirs: theirs, ours: &calbridge{c.Ours, scheme, host}}
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	if err := x.probe(limited); err != nil {
		return nil, 0, err
	}
	found, err := read(limited, x.ours, &c.Site, c.Login)
	if err != nil {
		return nil, 0, fmt.Errorf("the site's contents could not be read: %w", err)
	}
	all := requests(&c.Site, found, c.Login)
	pairs, err = x.run(limited, all)
	switch {
	case ctx.Err() != nil:
		err = errors.New("the comparison was interrupted")
	case limited.Err() != nil:
		err = fmt.Errorf("WordPress is too slow: the comparison was stopped after %s", longest)
	}
	return pairs, len(all), err
}

// probe requests the index from WordPress, so that an address that leads elsewhere is one
// sentence and not a hundred differences.
func (x *comparison) probe(ctx context.Context) error {
	answer, err := x.theirs.answer(ctx, &request{method: http.MethodGet, target: x.Site.target("", "", "")})
	switch {
	case errors.Is(err, errLoop):
		return fmt.Errorf("%s leads back to calbridge", x.Upstream.URL)
	case err != nil:
		return fmt.Errorf("cannot compare with WordPress at %s: %w", x.Upstream.URL, err)
	case answer.Status >= http.StatusInternalServerError:
		return fmt.Errorf("WordPress at %s fails: it answers the API's index with status %d; see PHP's error log for the reason", x.Upstream.URL, answer.Status)
	case answer.Status >= 300 && answer.Status < 400:
		return fmt.Errorf("WordPress at %s redirects the API's index to %.200q: --upstream-host must name the site's host", x.Upstream.URL, answer.Header("location"))
	case isPage(answer):
		return fmt.Errorf("WordPress at %s answers the API's index with a web page (status %d): another site answers there, or a maintenance or login page is in front", x.Upstream.URL, answer.Status)
	}
	return nil
}

// isPage reports whether an answer is HTML.
func isPage(r recording.Response) bool {
	return strings.HasPrefix(strings.ToLower(r.Header("content-type")), "text/html")
}

// run compares the requests and returns the pairs in their order, without those that got no
// comparison before the run ended.
func (x *comparison) run(ctx context.Context, all []*request) ([]*pair, error) {
	pairs := make([]*pair, len(all))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, r := range all {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			p, err := x.compare(ctx, r)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				return err
			}
			pairs[i] = p
			return x.count(p, len(all))
		})
	}
	err := group.Wait()
	made := pairs[:0]
	for _, p := range pairs {
		if p != nil {
			made = append(made, p)
		}
	}
	return made, err
}

// count reports the progress, and ends the run when WordPress does not answer any more.
func (x *comparison) count(p *pair, total int) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.done++
	if x.Progress != nil {
		x.Progress(x.done, total)
	}
	if len(p.differences) == 0 || p.differences[0].Part != diff.PartAnswer {
		x.failures = 0
		return nil
	}
	x.failures++
	if x.failures >= mostFailures {
		return fmt.Errorf("%w: %s", errGivenUp, p.differences[0].Recorded)
	}
	return nil
}

// compare compares the answers to one request. Answers that differ are fetched once more, so
// that a write in between doesn't count.
func (x *comparison) compare(ctx context.Context, r *request) (*pair, error) {
	p, err := x.once(ctx, r, nil)
	if err == nil && p.outcome == replay.Different {
		p, err = x.once(ctx, r, &p.ours)
	}
	return p, err
}

// once compares the answers to one request. earlier is calbridge's answer from before, nil the
// first time: times in WordPress's answer lie between those of calbridge's two.
func (x *comparison) once(ctx context.Context, r *request, earlier *recording.Response) (*pair, error) {
	p := &pair{request: r, exchange: &recording.Exchange{
		As: recording.Anonymous, Request: recording.Request{Method: r.method, Path: r.target, Headers: r.headers},
	}}
	if r.login != nil {
		p.exchange.As = r.login.User
	}
	p.exchange.ID = "check-" + recording.RequestID(p.exchange.As, p.exchange.Request)
	begin := time.Now()
	theirs, failure := x.theirs.answer(ctx, r)
	p.exchange.Response, p.exchange.TookMS = theirs, recording.Milliseconds(time.Since(begin))
	begin = time.Now()
	var err error
	if p.ours, err = x.ours.answer(ctx, r); err != nil {
		return nil, err
	}
	p.took = time.Since(begin)
	if failure != nil {
		p.outcome = replay.Different
		p.differences = []diff.Difference{{Part: diff.PartAnswer, Level: diff.LevelStatus, Recorded: failure.Error(), Got: statusText(p.ours)}}
		return p, nil
	}
	return p, p.decide(ctx, x.judge, earlier)
}

// decide lets the judge compare the answers.
func (p *pair) decide(ctx context.Context, judge *replay.Judge, earlier *recording.Response) error {
	outcome, differences, err := judge.Judge(ctx, p.exchange, p.ours, replay.Evidence{Earlier: earlier})
	if err != nil {
		return err
	}
	p.outcome, p.differences = outcome, differences
	return nil
}
