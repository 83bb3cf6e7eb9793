package purge

import (
	"context"
	"encoding"
	"log/slog"
	"slices"
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
	// startPatience replaces patience at a start that continues from a stored position: the log is read from
	// there first.
	startPatience = 5 * time.Second
	// saveEvery is the interval at which the position is stored while it moves.
	saveEvery = time.Second
)

// Config configures a Purger.
type Config struct {
	File    *File
	Policy  *cachetag.Policy
	Tracker *invalidation.Tracker
	// Changes collects what changes in the tracker.
	Changes *Changes
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

	// Only run uses the rest, and Close after it has ended.
	passes    uint64       // that had names
	moves     uint64       // of the position, at the last pass
	candidate *unconfirmed // to be stored next; nil if there is none
	saved     time.Time    // when a position was stored last
}

// unconfirmed is a position that may be stored once a pass is confirmed.
type unconfirmed struct {
	at   encoding.TextMarshaler
	pass uint64
}

// Start returns a Purger that is running. It closes c.Changes when it is closed.
func Start(c Config) *Purger {
	ctx, stop := context.WithCancel(context.Background())
	p := &Purger{cfg: c, stop: stop}
	for _, t := range c.File.Targets {
		p.targets = append(p.targets, newTarget(t, &p.cfg))
	}
	const task = "purging caches in front"
	c.Guard.Loop(ctx, &p.work, task, p.run)
	for _, t := range p.targets {
		c.Guard.Loop(ctx, &p.work, task, t.run)
	}
	return p
}

// Close stops purging, and stores the position up to which everything was purged.
func (p *Purger) Close() {
	if p != nil {
		p.stop()
		p.work.Wait()
		p.store()
		p.cfg.Changes.Close()
	}
}

// Release ends the storing of positions, for the site that replaces this one. Until that site stores one, a
// start purges everything.
func (p *Purger) Release() {
	if p != nil {
		p.cfg.Changes.saved.release()
	}
}

// Succeed purges what the last requests of the sites that this one replaces have left in caches, and lets
// positions be stored: all these sites are closed.
func (p *Purger) Succeed() {
	if p != nil {
		p.cfg.Changes.saved.succeed()
		p.PurgeAll()
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

func (p *Purger) changed(tags []invalidation.Tag, everything bool) {
	p.cfg.Changes.add(tags, everything)
}

// run passes changes on to the targets.
func (p *Purger) run(ctx context.Context) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	var suspended time.Time // zero while changes arrive, and after a purge of everything
	active, wait := true, patience
	if p.cfg.Changes.resume != nil {
		wait = startPatience
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			switch was := active; {
			case p.cfg.Tracker.Active():
				active, suspended, wait = true, time.Time{}, patience
			case was:
				active, suspended = false, time.Now()
			case !suspended.IsZero() && time.Since(suspended) >= wait:
				suspended = time.Time{}
				p.changed(nil, true)
			}
			p.advance(ctx)
		case <-p.cfg.Changes.signal:
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
	// In this order: the tracker has all changes up to the position, and Settle all that follows from them.
	at, moves := p.cfg.Changes.position()
	settled := true
	if settle := p.cfg.Settle; settle != nil {
		ctx, cancel := context.WithTimeout(ctx, settleTimeout)
		if settle(ctx) != nil {
			settled = false
			p.changed([]invalidation.Tag{{Kind: invalidation.Events}}, false)
		}
		cancel()
	}
	tags, whole, since := p.cfg.Changes.take()
	if !since.IsZero() { // otherwise the changes were part of the last pass
		p.send(tags, whole, since)
	}
	if settled && at != nil && p.candidate == nil && p.cfg.Changes.saved.held() {
		p.candidate, p.moves = &unconfirmed{at, p.passes}, moves
	}
}

// send purges the names of changes.
func (p *Purger) send(tags map[invalidation.Tag]struct{}, whole bool, since time.Time) {
	p.cfg.Tracker.Applied()
	names := []string{p.cfg.Policy.All()}
	if !whole {
		list := make([]invalidation.Tag, 0, len(tags))
		for tag := range tags {
			list = append(list, tag)
		}
		names = p.cfg.Policy.Purged(list)
	}
	p.passes++
	for _, t := range p.targets {
		t.add(names, since, p.passes)
	}
}

// advance stores the position, if it has moved and the last time is long enough ago.
func (p *Purger) advance(ctx context.Context) {
	if time.Since(p.saved) < saveEvery {
		return
	}
	if p.cfg.Changes.saved.lock() { // until now, another site had the folder, or requests in flight
		p.changed(nil, true)
	}
	p.store()
	if _, moves := p.cfg.Changes.position(); p.candidate == nil && moves != p.moves {
		p.pass(ctx)
	}
}

// store stores the candidate if it is confirmed.
func (p *Purger) store() {
	if p.candidate == nil || slices.ContainsFunc(p.targets, func(t *target) bool { return !t.isConfirmed(p.candidate.pass) }) {
		return
	}
	at := p.candidate.at
	p.candidate, p.saved = nil, time.Now()
	if err := p.cfg.Changes.saved.save(at); err != nil {
		p.cfg.Logger.Warn("the next start will purge everything from caches in front: make --state-dir writable", "error", err)
	}
}

// settleTimeout bounds the time for completing the tracker. After it, all lists are purged.
const settleTimeout = 2 * time.Second
