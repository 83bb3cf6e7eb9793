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
	roster *roster
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
		if _, idle := event.(*binlog.Idle); idle {
			r.join()
			continue
		}
		r.events.Add(1)
		if b.arrived.IsZero() {
			b.arrived = time.Now()
		}
		switch event := event.(type) {
		case *binlog.Rows:
			r.roster.routes.noteRows(b, event)
		case *binlog.Unknown:
			r.roster.routes.everything(b)
		case *binlog.Statement:
			if r.roster.routes.noteStatement(b, event.Schema, event.SQL) {
				r.roster.routes.forget()
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
			b.commit(event, before, last)
			r.into.put(b)
			b = newBatch()
			r.join()
		}
	}
}

// join lets members join and leave, between two transactions: of the next one, everything that concerns
// them arrives.
func (r *reader) join() {
	if r.roster.current() {
		return
	}
	joined := r.roster.adapt()
	r.stream.Forget()
	b := newBatch()
	b.joined = joined
	r.into.put(b)
}
