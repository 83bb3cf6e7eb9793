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

// calendarSave is what the calendar's options have to be written for.
type calendarSave struct {
	// saved: an event, a venue or an organizer was; dates: so were dates of events.
	saved, dates bool
	// posts are those that have changed, unless any may have.
	posts []int64
	any   bool
	// unproven: see rowedit.Rows.Proven.
	unproven bool
}

// maxChanged bounds the posts of which the dates are compared with the range of all.
const maxChanged = 256

func (s calendarSave) and(t calendarSave) calendarSave {
	all := calendarSave{s.saved || t.saved, s.dates || t.dates, slices.Concat(s.posts, t.posts), s.any || t.any, s.unproven || t.unproven}
	if all.any = all.any || len(all.posts) > maxChanged; all.any {
		all.posts = nil
	}
	return all
}

// write writes the options.
func (s calendarSave) write(ctx context.Context, c *edit.Calendar) error {
	switch {
	case s.dates:
		return c.SaveRange(ctx, s.posts)
	case s.saved:
		return c.MarkSaved(ctx)
	}
	return nil
}

// finisher writes the calendar's options after transactions that saved events and were not
// alone: in one transaction for all that were committed while the one before it ran. If
// each wrote them itself, all would wait for each other's COMMIT.
//
// Either way the options are locked before the range is read, and after the events were
// written: whoever comes last sees all of them.
//
// A process that dies between the two leaves what PHP leaves if it dies before the end of
// a request: old options, until the next save or until [DB.MendRange].
type finisher struct {
	guard *guard.Guard
	work  sync.WaitGroup
	write func(ctx context.Context, due calendarSave) error
	// failed logs a failure.
	failed func(error)
	// running has a place for the round that runs.
	running chan struct{}

	mu sync.Mutex
	// next is the round that writers still may join, nil for none.
	next *round
	// left is what the next round writes for others that have failed.
	left calendarSave
}

// round is one transaction of a finisher.
type round struct {
	due  calendarSave
	done chan struct{}
}

// finishTime bounds a round.
const finishTime = 30 * time.Second

// finishTask is what the guard calls a round.
const finishTask = "writing the calendar's options"

func newFinisher(g *guard.Guard, write func(context.Context, calendarSave) error, failed func(error)) *finisher {
	return &finisher{guard: g, write: write, failed: failed, running: make(chan struct{}, 1)}
}

// run writes what is due, together with what others have due, and returns when that is
// committed, has failed, or the context ends. The rows of events are committed already, so
// that a failure is none of the request: the next round writes what is left.
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

// leave leaves what is due to the next round.
func (f *finisher) leave(due calendarSave) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = f.left.and(due)
}

// lead runs a round after the one before it. Until then others join it.
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

// finishes reports whether a transaction writes the calendar's options itself, at its end. One
// that is alone does, which saves a COMMIT: at most those that begin during its own wait
// for it. So does any on a cluster, whose nodes find out by a row that two have changed
// that they have written at the same time.
func (db *DB) finishes() bool {
	return db.writing.Load() == 1 || db.Dialect().Embedded() || db.Cluster()
}

// saveCalendar writes the calendar's options in a transaction of its own.
func (db *DB) saveCalendar(ctx context.Context, due calendarSave) error {
	return sqlconn.NewRunner(db.Servers, nil).TransactAhead(ctx, func(run *sqlconn.Runner) (sqlconn.Ended, error) {
		tx := db.begin(run, Writing{})
		tx.rows.Proven = !due.unproven
		if err := due.write(ctx, tx.Calendar); err != nil {
			return nil, err
		}
		return db.committed(ctx, tx.rows)
	})
}

// MendRange corrects the range of all events in the calendar's options, which a process
// that died may have left as it was before its last save. Nothing is written if it is right.
func (db *DB) MendRange(ctx context.Context) error {
	facts, err := db.Session(nil).Options.SiteFacts(ctx)
	if err != nil || !facts.Occurrences {
		return err
	}
	return sqlconn.NewRunner(db.Servers, nil).Transact(ctx, func(run *sqlconn.Runner) (sqlconn.Ended, error) {
		tx := db.begin(run, Writing{})
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
