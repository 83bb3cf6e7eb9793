package changefeed

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/wpstore/binlog"
)

// reader collects the changes of transactions, in the order of the log.
type reader struct {
	stream *binlog.Stream
	tables *Tables
	// into receives each committed transaction, and events counts the events that have
	// arrived.
	into   *progress
	events *atomic.Uint64
	// sameLog is closed once the log has sent the last transaction of the mark again, and
	// was read up to the file that the server is writing. A crash shows at the beginning of
	// the next file.
	sameLog chan struct{}
}

// read reads the log from a mark, or from now, until something fails. It waits for no
// response of the server, except for a table's columns after it was altered.
func (r *reader) read(ctx context.Context, from mark) error {
	start, place := r.stream.Start()
	at, known, arrived := from.from(), from.last, from.position == nil
	if at == nil {
		at = start
	}
	same := sync.OnceFunc(func() { close(r.sameLog) })
	sameLog := func() {
		if known == "" && arrived {
			same()
		}
	}
	sameLog()
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
		case *binlog.File:
			if event.Torn && from.position != nil {
				return fmt.Errorf("%w before %s", errCrashed, event.Name)
			}
			arrived = arrived || !binlog.Place{File: event.Name}.Before(binlog.Place{File: place.File})
			sameLog()
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
				sameLog()
				continue
			}
			b.gtid, b.end, b.transactions, b.before, b.last = event.GTID, event.End, 1, before, last
			b.seen = []seen{{event.GTID.String(), b.Dated(), b.Described(), b.Counted()}}
			r.into.put(b)
			b = newBatch()
		}
	}
}
