package changefeed

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/sqlconn"
)

const (
	// The pause before the log is reopened doubles from minBackoff to maxBackoff.
	minBackoff = 50 * time.Millisecond
	maxBackoff = 5 * time.Second
	// task is the name under which the guard runs the work of a Hub.
	task = "following the binary log"
)

// Hub follows the binary log of one server for several sites, over one connection. Each site has a [Feed]
// whose Config names the hub. It is safe for concurrent use.
type Hub struct {
	servers *sqlconn.Servers
	open    func(*sqlconn.Servers) *Source
	session atomic.Pointer[session] // nil while no connection to the log is open
	// members are replaced as a whole when a site joins or leaves.
	members atomic.Pointer[[]*member]
	joining sync.Mutex // held while they are
	// applying is held while changes are passed on to members.
	applying sync.Mutex
}

// NewHub returns a hub for the sites of a server.
func NewHub(servers *sqlconn.Servers) *Hub { return newHub(servers, openServer) }

func newHub(servers *sqlconn.Servers, open func(*sqlconn.Servers) *Source) *Hub {
	h := &Hub{servers: servers, open: open}
	h.members.Store(&[]*member{})
	return h
}

// Run follows the log until the context ends. Only one Run may run at a time.
func (h *Hub) Run(ctx context.Context) { h.follow(ctx, mark{}) }

// Following reports whether the hub, which may be nil, follows the log now.
func (h *Hub) Following() bool { return h != nil && h.session.Load() != nil }

// add lets a member join. Its tracker is suspended until the reader has come to the end of a transaction
// or, if nothing happens, to the next heartbeat.
func (h *Hub) add(m *member) {
	h.joining.Lock()
	defer h.joining.Unlock()
	all := append(slices.Clone(*h.members.Load()), m)
	h.members.Store(&all)
}

// remove lets a member leave. Nothing is passed on to it afterwards.
func (h *Hub) remove(m *member) {
	h.joining.Lock()
	defer h.joining.Unlock()
	all := slices.DeleteFunc(slices.Clone(*h.members.Load()), func(other *member) bool { return other == m })
	h.members.Store(&all)
	m.gone.Store(true)
	h.applying.Lock()
	defer h.applying.Unlock()
	m.end()
}

// follow follows the log from a mark, or from now, until the context ends.
func (h *Hub) follow(ctx context.Context, at mark) {
	logged := ""
	for pause := minBackoff; ctx.Err() == nil; pause = min(2*pause, maxBackoff) {
		before := at
		err := h.servers.Guard().Do(task, func() (err error) {
			at, err = h.connect(ctx, at)
			return err
		})
		if errors.Is(err, guard.ErrPanic) {
			at = mark{} // what comes next in the log may be the cause
		}
		if ctx.Err() != nil {
			break
		}
		level := slog.LevelWarn
		if err.Error() == logged { // the same error again
			level = slog.LevelDebug
		}
		logged = err.Error()
		h.servers.Logger().Log(ctx, level, "the binary log is not followed", "error", err, "resume", at.position != nil)
		if at.after(before) || errors.Is(err, ErrNotPrimary) && !h.servers.Feed().Apart() {
			pause = minBackoff // it has worked, or there is another server to follow
		}
		for _, m := range *h.members.Load() {
			if m.observer.Following != nil && !m.pending.Load() {
				m.observer.Following(false, err)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// connect follows the log of the current primary until something fails, and returns
// where to resume.
func (h *Hub) connect(ctx context.Context, at mark) (mark, error) {
	src := h.open(h.servers)
	defer src.Close()
	settings, err := src.Settings(ctx)
	if err != nil {
		return at.resumable(err), err
	}
	if obstacle := settings.Obstacle(src.Flavor()); obstacle != "" {
		return mark{}, errors.New(obstacle)
	}
	members := newRoster(h, src)
	defer members.close()
	waiting := members.adapt()
	stream, err := binlog.Open(ctx, binlog.Config{
		MySQL: src.Config(), From: at.from(), Guard: h.servers.Guard(),
		Columns: func(table *binlog.Table) []int { return members.routes.Columns(ctx, table) },
	})
	if err != nil {
		return at.resumable(err), h.servers.Feed().Advise(err)
	}
	defer stream.Close()
	if err := h.checkServer(ctx, src, stream, at); err != nil {
		return at.resumable(err), err
	}
	obstacle, err := src.LogObstacle(ctx, settings, stream)
	if err != nil {
		return at.resumable(err), err
	}
	if obstacle != "" {
		return mark{}, errors.New(obstacle)
	}
	s := newSession(h, src, stream, members, waiting)
	h.session.Store(s)
	defer h.session.Store(nil)
	return s.follow(ctx, at)
}

// checkServer checks that an open log is the log of the primary, and of the server to which
// the mark belongs.
func (h *Hub) checkServer(ctx context.Context, src *Source, stream *binlog.Stream, at mark) error {
	if at.position != nil && stream.Server() != at.server {
		return ErrNotPrimary
	}
	src.Identify(stream.Server(), stream.Flavor())
	if _, err := src.AskPrimary(ctx); err != nil {
		return err
	}
	if at.position == nil {
		// Rows that are read from now on and cached must not come from another server.
		h.servers.Reconnect()
		for _, m := range *h.members.Load() {
			m.cfg.Servers.Reconnect()
		}
	}
	return nil
}
