package warmup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// roundEvery is the time between the starts of two rounds. The server counts a comparison of the same
// request at most that often, with its default settings.
const roundEvery = 30 * time.Second

// mostFailures is the largest number of requests in a row that may go without an answer.
const mostFailures = 5

// Config configures a warm-up.
type Config struct {
	Site Site
	// Logged are targets from access logs, the most frequent first; see [ReadLog].
	Logged []string
	// Longest is the longest time that it takes.
	Longest time.Duration
	// Share is the share of one PHP process's time that may be taken, in percent: after each answer
	// the next request waits accordingly.
	Share float64
	// RoundEvery is the time between the starts of two rounds; 0 means 30 s.
	RoundEvery time.Duration
	// Counts returns how many requests the server has answered natively, and how many in all.
	Counts func(context.Context) (native, all int64, err error)
	// Now is the clock, and Sleep waits.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	// Progress gets each round.
	Progress func(Round)
}

// Round describes one round of requests.
type Round struct {
	Elapsed time.Duration
	// Sent are the requests sent in all, of Known different ones; Unsent of them were never sent.
	Sent, Known, Unsent int
	// Native and Answered are the requests that the server answered during the round, other clients'
	// too.
	Native, Answered int64
	whole            bool // every kind was sent
}

// Done reports whether there is nothing left to prove: everything was sent, and was answered natively.
func (r *Round) Done() bool {
	return r.whole && r.Unsent == 0 && r.Answered > 0 && r.Native == r.Answered
}

// run is a warm-up in progress.
type run struct {
	Config
	client   *client
	groups   *groups
	began    time.Time
	sent     int
	failures int // in a row
}

// Run sends requests in rounds, until all kinds were answered natively in a round or the time is over,
// and returns the last round. A kind becomes native by requests in many rounds, and an object by one. So
// a round sends each kind once, the likeliest kinds first and each time another request of the kind,
// for two thirds of its time. Then it sends requests that were never sent, or not for a while, again of the
// likeliest kinds first. If WordPress is too slow for all kinds, the likeliest ones are native in time.
func Run(ctx context.Context, cfg Config) (Round, error) {
	c, err := newClient(cfg.Site)
	if err != nil {
		return Round{}, err
	}
	if cfg.RoundEvery == 0 {
		cfg.RoundEvery = roundEvery
	}
	r := &run{Config: cfg, client: c, groups: newGroups(), began: cfg.Now()}
	views, err := c.views(ctx)
	if err != nil {
		return Round{}, err
	}
	for _, target := range cfg.Logged {
		r.groups.addLogged(target)
	}
	for _, v := range views {
		if err := r.addContents(ctx, v); err != nil {
			return Round{}, fmt.Errorf("read the site's contents: %w", err)
		}
	}
	r.groups.sort()
	for {
		round, err := r.round(ctx)
		if err != nil {
			return round, err
		}
		cfg.Progress(round)
		if round.Done() || round.Elapsed >= cfg.Longest {
			return round, nil
		}
	}
}

// round sends the requests of one round.
func (r *run) round(ctx context.Context) (Round, error) {
	began := r.Now()
	native, answered, err := r.Counts(ctx)
	if err != nil {
		return Round{}, err
	}
	whole := true
	for _, g := range r.groups.all {
		if whole = r.Now().Sub(began) < r.RoundEvery/3*2; !whole {
			break
		}
		if err := r.send(ctx, g); err != nil {
			return Round{}, err
		}
	}
	for rank := range lastRank + 1 {
		if err := r.sendDue(ctx, rank, began.Add(r.RoundEvery)); err != nil {
			return Round{}, err
		}
	}
	now, all, err := r.Counts(ctx)
	if err != nil {
		return Round{}, err
	}
	round := Round{Sent: r.sent, Known: len(r.groups.seen), Unsent: r.unsent(), Native: now - native, Answered: all - answered, whole: whole}
	if !round.Done() {
		err = r.Sleep(ctx, r.RoundEvery-r.Now().Sub(began))
	}
	round.Elapsed = r.Now().Sub(r.began)
	return round, err
}

// sendDue sends the requests of the kinds of a rank that are due, one of each kind in turn, until a time.
func (r *run) sendDue(ctx context.Context, rank int, until time.Time) error {
	for sent := true; sent; {
		sent = false
		for _, g := range r.groups.all {
			now := r.Now()
			switch {
			case !now.Before(until):
				return nil
			case g.rank != rank || !g.due(now):
				continue
			}
			if err := r.send(ctx, g); err != nil {
				return err
			}
			sent = true
		}
	}
	return nil
}

// unsent returns the number of requests that were never sent.
func (r *run) unsent() (n int) {
	for _, g := range r.groups.all {
		n += g.fresh
	}
	return n
}

// errGivenUp ends a warm-up whose server has stopped answering.
var errGivenUp = errors.New("the site has stopped responding")

// send sends the next request of a group and waits as long as it must. Whatever the status is, clients
// get it too.
func (r *run) send(ctx context.Context, g *group) error {
	began := r.Now()
	target := g.take(began)
	r.sent++
	status, _, err := r.client.get(ctx, target)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil && !slices.Contains([]int{429, 502, 503, 504}, status):
		r.failures = 0
	default:
		r.failures++
		if r.failures == mostFailures {
			if err == nil {
				err = fmt.Errorf("status %d to %s", status, target)
			}
			return fmt.Errorf("%w: %w", errGivenUp, err)
		}
		if err := r.Sleep(ctx, time.Duration(r.failures)*time.Second); err != nil {
			return err
		}
	}
	return r.wait(ctx, r.Now().Sub(began))
}

// wait waits after a request that took so long, so that requests take their share of time. WordPress
// is asked twice for each: for the client, and for the comparison.
func (r *run) wait(ctx context.Context, took time.Duration) error {
	return r.Sleep(ctx, time.Duration(float64(2*took)*100/r.Share)-took)
}
