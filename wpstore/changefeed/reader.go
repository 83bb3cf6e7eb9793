package changefeed

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/logtables"
)

// reader collects the changes of transactions, in the order of the log.
type reader struct {
	stream *binlog.Stream
	tables *logtables.Tables
	// into gets each transaction that is committed, and events counts what has arrived.
	into   *progress
	events *atomic.Uint64
	// proven is closed once the log has the last transaction of the mark again.
	proven chan struct{}
}

// read reads the log from a mark, or from now, until something fails. It waits for no answers
// of the server, except for a table's columns after it was altered.
func (r *reader) read(ctx context.Context, from mark) error {
	at, known := from.from(), from.last
	if at == nil {
		at, _ = r.stream.Start()
	}
	if known == "" {
		close(r.proven)
	}
	for b := newBatch(); ; {
		event, err := r.stream.Next(ctx)
		if err != nil {
			return err
		}
		r.events.Add(1)
		if b.arrived.IsZero() {
			b.arrived = time.Now()
		}
		switch event := event.(type) {
		case *binlog.Rows:
			if !b.IsEverything() {
				r.tables.NoteRows(&b.Changes, event)
			}
		case *binlog.Unknown:
			b.Everything()
		case *binlog.Statement:
			if r.tables.NoteStatement(&b.Changes, event.Schema, event.SQL) {
				r.tables.Forget()
				r.stream.Forget()
			}
		case *binlog.Torn:
			if from.position != nil {
				return fmt.Errorf("%w in %s", errCrashed, event.File)
			}
		case *binlog.Commit:
			if event.GTID == nil || at.Contains(event.GTID) {
				return errWentBack
			}
			before, last := at, identityOf(event)
			at = at.Merge(event.GTID)
			if known != "" { // this one has been applied
				if last != known {
					return fmt.Errorf("%w: it has %s in place of %s", errWentBack, last, known)
				}
				known, b = "", newBatch()
				close(r.proven)
				continue
			}
			b.gtid, b.end, b.transactions, b.before, b.last = event.GTID, event.End, 1, before, last
			b.seen = []seen{{event.GTID.String(), b.Dated(), b.Counted()}}
			r.into.put(b)
			b = newBatch()
		}
	}
}
