package sitedb

import (
	"context"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/coherence"
	"calbridge/wpstore/listing"
)

// Settle reads again what the ledger has said changed, and tells the ledger if lists
// of events differ now. Whatever the index could not be told about counts as
// different. At an error changes remain unread: nothing that depends on
// [coherence.Events] is fresh then.
//
// At most seven queries whatever the number of changes, none without changes;
// concurrent calls wait for each other.
func (l *Listing) Settle(ctx context.Context) error {
	_, err := l.settledIndex(ctx)
	return err
}

// settledIndex settles and returns the index, nil where there is none that is true.
func (l *Listing) settledIndex(ctx context.Context) (*listed, error) {
	for {
		// In this order: an index is at least as true as settled says.
		heard, settled := l.heard.Load(), l.settled.Load()
		current := l.current.Load()
		switch {
		case settled == heard:
			return current, nil
		case l.told.Load() == heard:
			return nil, nil // the background is at it
		}
		if err := l.take(ctx); err != nil {
			return nil, err
		}
		if l.settled.Load() < heard && l.told.Load() < heard {
			defer l.leave()
			return l.settle(ctx, settleBlock)
		}
		l.leave()
	}
}

// take waits for the turn, without keeping a connection from whoever has it.
func (l *Listing) take(ctx context.Context) error {
	keptConnOf(ctx).release()
	select {
	case l.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return l.db.explain(ctx, "listing.turn", ctx.Err())
	}
}

func (l *Listing) leave() { <-l.turn }

// changes takes what has changed so far.
func (l *Listing) changes() (heard uint64, stale staleness) {
	l.mu.Lock()
	defer l.mu.Unlock()
	stale, l.stale = l.stale, newStaleness()
	return l.heard.Load(), stale
}

// publish makes an index the current one unless everything has changed meanwhile.
func (l *Listing) publish(x *listed, epoch uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.epoch == epoch {
		l.current.Store(x)
	}
	return l.epoch == epoch
}

// settle brings the index up to date if no more posts than a number have changed.
// The caller has the turn.
func (l *Listing) settle(ctx context.Context, most int) (*listed, error) {
	l.mu.Lock()
	epoch, current := l.epoch, l.current.Load()
	if current == nil || len(l.stale.posts) > most {
		heard := l.heard.Load()
		l.mu.Unlock()
		l.ledger.Changed(coherence.Tag{Kind: coherence.Events})
		l.told.Store(heard)
		l.poke()
		return nil, nil
	}
	l.mu.Unlock()
	heard, stale := l.changes()
	next, differs, err := l.db.reload(ctx, current, stale)
	if err != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.epoch == epoch {
			l.stale.merge(stale)
		}
		return nil, err
	}
	if !l.publish(next, epoch) {
		next = nil
	}
	// The ledger hears of it before anybody can think that all is settled.
	if differs {
		l.ledger.Changed(coherence.Tag{Kind: coherence.Events})
	}
	l.settled.Store(heard)
	return next, nil
}

// reload returns the index with what has changed read again, and whether that
// makes a difference.
func (db *DB) reload(ctx context.Context, l *listed, stale staleness) (*listed, bool, error) {
	if stale.empty() {
		return l, false, nil
	}
	next := *l
	posts := maps.Clone(stale.posts)
	if len(stale.terms) > 0 || stale.allTerms {
		affected, err := db.reloadTerms(ctx, &next, stale)
		if err != nil {
			return nil, false, err
		}
		for _, id := range affected {
			posts[id] = true
		}
	}
	ids := distinctIDs(slices.Collect(maps.Keys(posts)))
	var events []listing.Event
	for block := range slices.Chunk(ids, loadBlock) {
		read, err := db.listedEvents(ctx, &next, block)
		if err != nil {
			return nil, false, err
		}
		events = append(events, read...)
	}
	var differs bool
	next.index, differs = l.index.Replace(ids, events)
	return &next, differs, nil
}

// reloadTerms reads terms again and returns the posts that have one of those whose
// meaning changed: rows of relationships name a term by an id that can become that
// of another one. Two queries, one where nothing changed.
func (db *DB) reloadTerms(ctx context.Context, l *listed, stale staleness) (posts []int64, err error) {
	var where sq.Sqlizer = sq.Expr("1=1")
	if !stale.allTerms {
		where = idList("tt.term_id", slices.Collect(maps.Keys(stale.terms)))
	}
	found, err := db.listedTermsWhere(ctx, where)
	if err != nil {
		return nil, err
	}
	known := maps.Clone(l.terms)
	var changed []int64
	for id, was := range l.terms {
		if now, ok := found[id]; (stale.allTerms || stale.terms[was.term]) && (!ok || now != was) {
			changed = append(changed, id)
			delete(known, id)
		}
	}
	for id, now := range found {
		if was, ok := l.terms[id]; !ok || was != now {
			changed = append(changed, id)
			known[id] = now
		}
	}
	if len(changed) == 0 {
		return nil, nil
	}
	l.terms = known
	return db.ids(ctx, "listing.of_terms", sq.Select("DISTINCT object_id").
		From(db.table("term_relationships")).
		Where(idList("term_taxonomy_id", changed)))
}
