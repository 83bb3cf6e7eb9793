package purge

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"calbridge/rest/cachetag"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

const (
	// merge is the time for which changes are collected before they are purged.
	merge = 50 * time.Millisecond
	// patience is the time without changes' arrival after which everything is purged.
	patience = time.Second
	// look is the interval at which that is checked.
	look = patience / 4
)

// Config configures a Purger.
type Config struct {
	File    *File
	Policy  *cachetag.Policy
	Tracker *invalidation.Tracker
	// Settle completes the tracker; it may be nil.
	Settle   func(context.Context) error
	Observer Observer
	Logger   *slog.Logger
	Guard    *guard.Guard
}

// Observer counts what is purged. Its methods are called concurrently.
type Observer interface {
	// Purged is called when a cache has confirmed a purge; lag is the time since calbridge applied
	// the first of its changes. It isn't called for repetitions.
	Purged(target string, lag time.Duration)
	// Called is called after each call, with one of Results.
	Called(target, result string)
	// Whole is called when everything is purged in place of single names.
	Whole(target string)
}

// The results of calls.
const (
	ResultDone    = "done"
	ResultFailed  = "failed"
	ResultLimited = "limited" // refused because of the provider's rate limit
)

// Results returns all results of calls.
func Results() []string { return []string{ResultDone, ResultFailed, ResultLimited} }

// Purger purges what changes in a tracker until Close.
type Purger struct {
	cfg     Config
	targets []*target
	stop    context.CancelFunc
	work    sync.WaitGroup
	signal  chan struct{} // has an element while pending has changes

	mu      sync.Mutex
	pending map[invalidation.Tag]struct{}
	whole   bool
	since   time.Time // of the first change that is pending
}

// Start returns a Purger that is running. It purges everything first.
func Start(c Config) *Purger {
	ctx, stop := context.WithCancel(context.Background())
	p := &Purger{cfg: c, stop: stop, signal: make(chan struct{}, 1), pending: map[invalidation.Tag]struct{}{}}
	for _, t := range c.File.Targets {
		p.targets = append(p.targets, newTarget(t, &p.cfg))
	}
	c.Tracker.Listen(p.changed)
	p.changed(nil, true)
	const task = "purging caches in front"
	c.Guard.Loop(ctx, &p.work, task, p.run)
	for _, t := range p.targets {
		c.Guard.Loop(ctx, &p.work, task, t.run)
	}
	return p
}

// Close stops purging. The next start purges everything.
func (p *Purger) Close() {
	if p != nil {
		p.stop()
		p.work.Wait()
	}
}

// Purge purges what depends on tags, in addition to what changes in the tracker.
func (p *Purger) Purge(tags ...invalidation.Tag) { p.changed(tags, false) }

// PurgeAll purges everything. It does nothing if p is nil.
func (p *Purger) PurgeAll() {
	if p != nil {
		p.changed(nil, true)
	}
}

// Waiting returns for how long the oldest change has not been purged; 0 if none is waiting.
func (p *Purger) Waiting() time.Duration {
	var longest time.Duration
	for _, t := range p.targets {
		longest = max(longest, t.waiting())
	}
	return longest
}

// changed implements invalidation.Listener.
func (p *Purger) changed(tags []invalidation.Tag, everything bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.since.IsZero() {
		p.since = time.Now()
	}
	if p.whole = p.whole || everything || len(p.pending) > maxPending; p.whole {
		clear(p.pending)
	} else {
		for _, tag := range tags {
			p.pending[tag] = struct{}{}
		}
	}
	select {
	case p.signal <- struct{}{}:
	default:
	}
}

// maxPending is the number of changed tags from which everything is purged.
const maxPending = 1 << 13

// run passes changes on to the targets.
func (p *Purger) run(ctx context.Context) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	var suspended time.Time // zero while changes arrive, and after a purge of everything
	active := true
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			switch was := active; {
			case p.cfg.Tracker.Active():
				active, suspended = true, time.Time{}
			case was:
				active, suspended = false, time.Now()
			case !suspended.IsZero() && time.Since(suspended) >= patience:
				suspended = time.Time{}
				p.changed(nil, true)
			}
		case <-p.signal:
			select {
			case <-ctx.Done():
				return
			case <-time.After(merge):
			}
			p.pass(ctx)
		}
	}
}

// pass passes on what has changed up to now.
func (p *Purger) pass(ctx context.Context) {
	if settle := p.cfg.Settle; settle != nil {
		ctx, cancel := context.WithTimeout(ctx, settleTimeout)
		if settle(ctx) != nil {
			p.changed([]invalidation.Tag{{Kind: invalidation.Events}}, false)
		}
		cancel()
	}
	p.mu.Lock()
	tags, whole, since := p.pending, p.whole, p.since
	p.pending, p.whole, p.since = map[invalidation.Tag]struct{}{}, false, time.Time{}
	p.mu.Unlock()
	if since.IsZero() {
		return // the changes were part of the last pass
	}
	p.cfg.Tracker.Applied()
	names := []string{p.cfg.Policy.All()}
	if !whole {
		list := make([]invalidation.Tag, 0, len(tags))
		for tag := range tags {
			list = append(list, tag)
		}
		names = p.cfg.Policy.Purged(list)
	}
	for _, t := range p.targets {
		t.add(names, since)
	}
}

// settleTimeout bounds the time for completing the tracker. After it, all lists are purged.
const settleTimeout = 2 * time.Second
