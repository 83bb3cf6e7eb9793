package sitedb

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/wpstore/coherence"
	"calbridge/wpstore/listing"
)

const (
	// settleBlock is up to how many changed posts are read while a request waits;
	// more are read in the background.
	settleBlock = loadBlock
	// sortedRows is up to how many rows a list may sort again and again before the
	// index is made ready for its order.
	sortedRows = 1000
	// loadPause is the least time between two loads of everything, and loadShare how
	// many times as long as the last one took.
	loadPause = time.Second
	loadShare = 4
)

// Listing keeps what lists of events are filtered, ordered and counted by in
// memory, and up to date with a ledger, and answers [DB.Events] from there. Where it
// cannot, the database does: until everything is loaded, while the ledger does not
// hear of changes, for text searches, and for what the index does not decide
// exactly. It is safe for concurrent use.
//
// It tells the ledger when lists of events change ([coherence.Events]), so whoever
// keeps answers calls [Listing.Settle] before asking the ledger what is fresh.
type Listing struct {
	db     *DB
	ledger *coherence.Ledger

	// turn is held by whoever brings the index up to date.
	turn chan struct{}
	wake chan struct{}

	// current is the index, nil while there is none. It is true to what was heard
	// of up to settled. Of what was heard up to told the ledger knows that lists may
	// differ, without the index.
	current              atomic.Pointer[listed]
	heard, settled, told atomic.Uint64

	mu    sync.Mutex
	stale staleness
	epoch uint64        // counts how often everything changed
	ready chan struct{} // closed once there is an index
	want  wanted
}

// staleness is what has changed and was not read again yet.
type staleness struct {
	posts map[int64]bool
	terms map[int64]bool // by term id
	// allTerms: any term may have changed.
	allTerms bool
}

func newStaleness() staleness {
	return staleness{posts: map[int64]bool{}, terms: map[int64]bool{}}
}

func (s *staleness) empty() bool { return len(s.posts)+len(s.terms) == 0 && !s.allTerms }

// merge takes back what could not be read.
func (s *staleness) merge(o staleness) {
	for id := range o.posts {
		s.posts[id] = true
	}
	for id := range o.terms {
		s.terms[id] = true
	}
	s.allTerms = s.allTerms || o.allTerms
}

// wanted is what queries asked for that the index was not made for.
type wanted struct {
	known       bool // queries have come
	occurrences bool
	orders      [3]bool
}

// OpenListing starts to load the listing index, as soon as the ledger hears of
// changes, and lets Events answer from it. Loading goes on in the background until
// the context ends; nobody waits for it.
func (db *DB) OpenListing(ctx context.Context, ledger *coherence.Ledger) *Listing {
	l := &Listing{
		db: db, ledger: ledger,
		turn: make(chan struct{}, 1), wake: make(chan struct{}, 1),
		stale: newStaleness(), ready: make(chan struct{}),
	}
	ledger.Listen(l.hear)
	db.listing.Store(l)
	if ledger.Following() {
		l.poke()
	}
	go l.keep(ctx)
	return l
}

// hear notes what the ledger says has changed.
func (l *Listing) hear(tags []coherence.Tag, everything bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if everything {
		l.discard()
		return
	}
	posts, named, terms := false, false, false
	for _, tag := range tags {
		switch tag.Kind {
		case coherence.Post:
			l.stale.posts[tag.ID] = true
			posts = true
		case coherence.Term:
			l.stale.terms[tag.ID] = true
			named = true
		case coherence.Terms:
			terms = true
		}
	}
	// The set changes with each of its members; by itself it tells of no term.
	if terms && !named {
		l.stale.allTerms = true
	}
	if posts || named || terms {
		l.heard.Add(1)
	}
}

// discard gives the index up; it is loaded anew.
func (l *Listing) discard() {
	l.stale = newStaleness()
	l.epoch++
	l.current.Store(nil)
	select {
	case <-l.ready:
		l.ready = make(chan struct{})
	default:
	}
	l.heard.Add(1)
	l.poke()
}

// poke wakes the background up.
func (l *Listing) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Ready returns when there is an index, or the context's error.
func (l *Listing) Ready(ctx context.Context) error {
	l.mu.Lock()
	ready := l.ready
	l.mu.Unlock()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Rows is the number of dates in the index, of all events; 0 while there is none.
func (l *Listing) Rows() int {
	if x := l.current.Load(); x != nil {
		return x.index.Rows()
	}
	return 0
}

// keep loads the index when there is none, and does what no request waits for.
func (l *Listing) keep(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		}
		began := time.Now()
		if err := l.refresh(ctx); err != nil {
			if ctx.Err() != nil {
				return
			}
			l.db.cfg.Logger.Warn("the listing index is not up to date", "error", err)
			l.poke()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(max(loadPause, loadShare*time.Since(began))):
		}
	}
}

func (l *Listing) refresh(ctx context.Context) error {
	current := l.current.Load()
	if current == nil {
		return l.load(ctx)
	}
	l.mu.Lock()
	want := l.want
	l.mu.Unlock()
	if want.known && want.occurrences != current.asked {
		l.mu.Lock()
		l.discard()
		l.mu.Unlock()
		return l.load(ctx)
	}
	if err := l.take(ctx); err != nil {
		return err
	}
	_, err := l.settle(ctx, math.MaxInt)
	l.leave()
	if err != nil {
		return err
	}
	return l.prepare(ctx, want)
}

// prepare makes the index ready for the orders that lists ask for. That takes a
// while, so changes go on meanwhile; where they always come first, they wait.
func (l *Listing) prepare(ctx context.Context, want wanted) error {
	for attempt := 0; ; attempt++ {
		last := attempt == prepareAttempts
		if last {
			if err := l.take(ctx); err != nil {
				return err
			}
			defer l.leave()
		}
		current := l.current.Load()
		if current == nil {
			return nil
		}
		next := *current
		for order, asked := range want.orders {
			if asked {
				next.index = next.index.Prepare(listing.Order(order))
			}
		}
		if next.index == current.index || l.replace(current, &next) || last || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// prepareAttempts is how often preparing begins again when changes came first.
const prepareAttempts = 3

// replace makes an index the current one if none has come instead of an older one.
func (l *Listing) replace(old, next *listed) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current.CompareAndSwap(old, next)
}

// load reads everything.
func (l *Listing) load(ctx context.Context) error {
	l.mu.Lock()
	epoch, want := l.epoch, l.want
	l.mu.Unlock()
	if !want.known {
		facts, err := l.db.SiteFacts(ctx)
		if err != nil {
			return err
		}
		want.occurrences = facts.Occurrences
		mode, _ := facts.Calendar.At("tribe_events_timezone_mode").(string)
		want.orders[listing.ByStartUTC] = mode == "site"
	}
	order := listing.ByStart
	if want.orders[listing.ByStartUTC] && !want.orders[listing.ByStart] {
		order = listing.ByStartUTC
	}
	fresh, err := l.db.loadListing(ctx, want.occurrences, order)
	if err != nil {
		return err
	}
	if err := l.take(ctx); err != nil {
		return err
	}
	defer l.leave()
	heard, stale := l.changes()
	fresh, _, err = l.db.reload(ctx, fresh, stale)
	if err != nil {
		return err
	}
	l.publish(fresh, epoch)
	// Answers made meanwhile from the database know nothing of these changes.
	l.ledger.Changed(coherence.Tag{Kind: coherence.Events})
	l.settled.Store(heard)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.epoch == epoch {
		close(l.ready)
	}
	return nil
}
