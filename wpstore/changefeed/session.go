package changefeed

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/guard"
)

// session follows the log of one server. A reader, an applier and a watch run side by side
// and share how far the log was applied. proof serves the calls of [Feed.CatchUp].
//
// Some changes aren't in the log. From sessions with sql_log_bin=0 the watch detects only
// that tables are created again. Rows that a foreign key changes along with others are not
// logged either; WordPress has no foreign keys.
type session struct {
	hub      *Hub
	guard    *guard.Guard
	source   *Source
	stream   *binlog.Stream
	progress *progress
	reader   reader
	applier  applier
	watch    watch
	proof    proof
}

// newSession returns a session of an open log. waiting are the members of the roster.
func newSession(h *Hub, src *Source, stream *binlog.Stream, r *roster, waiting []*follower) *session {
	events, at, refuted, sameLog := new(atomic.Uint64), newProgress(), make(chan error, 1), make(chan struct{})
	g := h.servers.Guard()
	s := &session{
		hub: h, guard: g, source: src, stream: stream, progress: at,
		reader:  reader{stream: stream, roster: r, into: at, events: events, sameLog: sameLog},
		applier: applier{hub: h, source: src, stream: stream, progress: at, sameLog: sameLog, waiting: waiting},
		watch:   watch{hub: h, source: src, progress: at, events: events, refuted: refuted},
		proof:   proof{guard: g, source: src, progress: at, refuted: refuted},
	}
	s.watch.active = &s.applier.active
	return s
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
	s.end()
	if reached := s.applier.at; s.applier.following {
		reached.stored = false
		return reached.resumable(err), err
	} else if at.stored { // the log can't be read from there to its end
		return mark{}, err
	}
	return s.applier.at.resumable(err), err
}

// end marks the end of the session for all members. Those that another hub takes over meanwhile are none
// any more.
func (s *session) end() {
	s.hub.applying.Lock()
	defer s.hub.applying.Unlock()
	for _, m := range *s.hub.members.Load() {
		m.end()
	}
	s.progress.end()
}
