package sitedb

import (
	"context"
	"slices"
	"sync"
	"time"

	"calbridge/wpstore/edit"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/sqlconn"
)

// calendarSave describes for which changes the calendar's options have to be written.
type calendarSave struct {
	// saved is set if an event, a venue or an organizer was saved, dates if dates of events
	// were, published if an event of a network's site was that is public before or after.
	saved, dates, published bool
	// posts are the posts that have changed, unless any may have.
	posts []int64
	any   bool
	// unproven is the negation of rowedit.Known.Usable.
	unproven bool
}

// maxChanged is the largest number of posts whose dates are compared with the range of all
// events.
const maxChanged = 256

func (s calendarSave) and(t calendarSave) calendarSave {
	all := calendarSave{s.saved || t.saved, s.dates || t.dates, s.published || t.published, slices.Concat(s.posts, t.posts), s.any || t.any, s.unproven || t.unproven}
	if all.any = all.any || len(all.posts) > maxChanged; all.any {
		all.posts = nil
	}
	return all
}

// write writes the options.
func (s calendarSave) write(ctx context.Context, c *edit.Calendar) error {
	var err error
	switch {
	case s.dates:
		err = c.SaveRange(ctx, s.posts)
	case s.saved:
		err = c.MarkSaved(ctx)
	}
	if err != nil || !s.published {
		return err
	}
	return c.MarkPublished(ctx)
}

// finisher writes the calendar's options after transactions that saved events while others
// were running. It uses one transaction for all that were committed while the previous one
// ran. If each wrote the options itself, all would wait for each other's COMMIT.
//
// In both cases the options are locked before the range is read, and after the events were
// written, so the last transaction sees all events.
//
// If the process dies between the two, the old options remain until the next save or until
// [DB.MendRange]. PHP leaves the same state if it dies before the end of a request.
type finisher struct {
	guard *guard.Guard
	work  sync.WaitGroup
	write func(ctx context.Context, due calendarSave) error
	// failed logs a failure.
	failed func(error)
	// running has room for one element, which the running round occupies.
	running chan struct{}

	mu sync.Mutex
	// next is the round that writers can still join; nil if there is none.
	next *round
	// left is what the next round writes on behalf of rounds that failed.
	left calendarSave
}

// round is one transaction of a finisher.
type round struct {
	due  calendarSave
	done chan struct{}
}

// finishTime limits the duration of a round.
const finishTime = 30 * time.Second

// finishTask is the name under which the guard runs a round.
const finishTask = "writing the calendar's options"

func newFinisher(g *guard.Guard, write func(context.Context, calendarSave) error, failed func(error)) *finisher {
	return &finisher{guard: g, write: write, failed: failed, running: make(chan struct{}, 1)}
}

// run writes what is due, together with what is due for others. It returns when that is
// committed or has failed, or when the context ends. The rows of events are committed
// already, so a failure here does not fail the request; the next round retries it.
func (f *finisher) run(ctx context.Context, due calendarSave) {
	if !due.saved {
		return
	}
	f.mu.Lock()
	r := f.next
	if r == nil {
		r = &round{done: make(chan struct{})}
		f.next = r
		f.guard.Go(&f.work, finishTask, func() { f.lead(context.WithoutCancel(ctx), r) })
	}
	r.due = r.due.and(due)
	f.mu.Unlock()
	select {
	case <-r.done:
	case <-ctx.Done():
	}
}

// leave passes what is due to the next round.
func (f *finisher) leave(due calendarSave) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = f.left.and(due)
}

// lead runs a round after the previous one has ended. Until then others can join it.
func (f *finisher) lead(ctx context.Context, r *round) {
	defer close(r.done)
	f.running <- struct{}{}
	defer func() { <-f.running }()
	f.mu.Lock()
	f.next = nil
	due := r.due.and(f.left)
	f.left = calendarSave{}
	f.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, finishTime)
	defer cancel()
	if err := f.guard.Do(finishTask, func() error { return f.write(ctx, due) }); err != nil {
		f.leave(due)
		f.failed(err)
	}
}

// finishes reports whether a transaction writes the calendar's options itself, at its end.
// A transaction that runs alone does, which saves a COMMIT: only transactions that begin
// while it waits for its own COMMIT may have to wait for it. On a cluster every transaction
// does, because the nodes detect concurrent writes by a row that both have changed.
func (db *DB) finishes() bool {
	return db.writing.Load() == 1 || db.Dialect().Embedded() || db.Cluster()
}

// saveCalendar writes the calendar's options in a transaction of its own.
func (db *DB) saveCalendar(ctx context.Context, due calendarSave) error {
	return sqlconn.NewRunner(db.Servers, nil).TransactAhead(ctx, func(run *sqlconn.Runner) (sqlconn.Ended, error) {
		tx := db.begin(run, Writing{}, !due.unproven)
		if err := due.write(ctx, tx.Calendar); err != nil {
			return nil, err
		}
		return db.committed(ctx, tx.rows)
	})
}

// MendRange corrects the range of all events in the calendar's options, which may be out of
// date if a process died during its last save. It writes nothing if the range is right.
func (db *DB) MendRange(ctx context.Context) error {
	facts, err := db.Session(nil).Options.FactsWithoutCharsets(ctx)
	if err != nil || !facts.Occurrences {
		return err
	}
	return sqlconn.NewRunner(db.Servers, nil).Transact(ctx, func(run *sqlconn.Runner) (sqlconn.Ended, error) {
		tx := db.begin(run, Writing{}, false)
		if err := tx.Calendar.UpdateRange(ctx); err != nil {
			return nil, err
		}
		changes, err := tx.rows.Changed.Changes(ctx, run, db.tables)
		if err == nil && len(changes.Options) > 0 {
			err = tx.Calendar.MarkSaved(ctx)
		}
		if err != nil {
			return nil, err
		}
		return db.committed(ctx, tx.rows)
	})
}
