package changefeed

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

// session follows the log of one server. A reader, an applier and a watch run side by side
// and share how far the log was applied. proof serves the calls of [Feed.CatchUp].
//
// Some changes aren't in the log. From sessions with sql_log_bin=0 the watch detects only
// that tables are created again. Rows that a foreign key changes along with others are not
// logged either; WordPress has no foreign keys.
type session struct {
	guard    *guard.Guard
	source   *Source
	stream   *binlog.Stream
	progress *progress
	tracker  *invalidation.Tracker
	watcher  Watcher // may be nil
	reader   reader
	applier  applier
	watch    watch
	proof    proof
}

// newSession returns a session of an open log. restored outlives it.
func newSession(cfg *Config, src *Source, stream *binlog.Stream, tables *Tables, restored *Detector, tracker *invalidation.Tracker, o Observer) *session {
	events, at, refuted, sameLog := new(atomic.Uint64), newProgress(), make(chan error, 1), make(chan struct{})
	resolver := rowtags.NewResolver(src.Query, cfg.Tables.Quoted, cfg.taxonomies())
	return &session{
		guard: cfg.Servers.Guard(), source: src, stream: stream, progress: at, tracker: tracker, watcher: cfg.Watcher,
		reader:  reader{stream: stream, tables: tables, into: at, events: events, sameLog: sameLog},
		applier: applier{source: src, resolver: resolver, progress: at, tracker: tracker, complete: cfg.Complete, observer: o, watcher: cfg.Watcher, others: o.Others, sameLog: sameLog},
		watch: watch{source: src, tables: tables, schema: src.Config().DBName, restores: restored, progress: at, events: events, refuted: refuted,
			tracker: tracker, watcher: cfg.Watcher, recorder: o.Recorder},
		proof: proof{guard: cfg.Servers.Guard(), source: src, progress: at, refuted: refuted},
	}
}

// follow follows the log from a mark, or from now, until something fails. It returns
// where to resume.
func (s *session) follow(ctx context.Context, at mark) (mark, error) {
	start, place := s.stream.Start()
	group, ctx := errgroup.WithContext(ctx)
	s.guard.GoErr(group, task, func() error { return s.reader.read(ctx, at) })
	s.guard.GoErr(group, task, func() error { return s.applier.apply(ctx, at, start, place) })
	s.guard.GoErr(group, task, func() error { return s.watch.run(ctx) })
	err := group.Wait()
	s.tracker.Suspend()
	if s.watcher != nil {
		s.watcher.End()
	}
	s.progress.end()
	if reached := s.applier.at; s.applier.following {
		reached.stored = false
		return reached.resumable(err), err
	} else if at.stored { // the log can't be read from there to its end
		return mark{}, err
	}
	return s.applier.at.resumable(err), err
}
