package changefeed

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
)

// Feed follows the primary's binary log for one site. It is safe for concurrent use.
type Feed struct {
	cfg     Config
	running atomic.Bool
	// at is the hub that passes changes on; nil while the log is not followed.
	at atomic.Pointer[place]
	// restores outlives calls of Follow.
	restores Detector
}

// place is a hub and the site in it.
type place struct {
	hub    *Hub
	member *member
}

// New returns a feed that doesn't follow the log yet.
func New(cfg Config) *Feed {
	if cfg.Complete == nil {
		cfg.Complete = func(tags []invalidation.Tag) []invalidation.Tag { return tags }
	}
	return &Feed{cfg: cfg}
}

// Follow follows the primary's binary log and invalidates what changes in the site's
// tables, until the context ends. After a lost connection it resumes where it was. The
// tracker is suspended meanwhile, and also when the server has been silent for three
// seconds. When another server becomes the primary, which is detected within a second,
// everything is invalidated and the new primary's log is followed. The same happens after a
// crash of the server, and if the log isn't the one that was read before. Only one Follow
// may run at a time.
//
// With a hub that several sites share, changes come from the hub while it runs. With a recorder or a position,
// which may resume where an earlier process was, they come over a connection of its own first.
//
// It returns an error only for what can never work; other errors are passed to the observer
// and logged. See [Inspect] for what the server needs, and package binlog for why.
func (f *Feed) Follow(ctx context.Context, tracker *invalidation.Tracker, o Observer) error {
	if f.cfg.Servers.Dialect().Embedded() {
		return errors.New("this engine has no binary log")
	}
	if !f.running.CompareAndSwap(false, true) {
		return errors.New("the binary log is already being followed")
	}
	defer f.running.Store(false)
	tracker.Suspend()
	m := &member{cfg: &f.cfg, tracker: tracker, observer: o, restores: f.restores}
	defer func() {
		f.restores = f.at.Swap(nil).member.restores
	}()
	switch {
	case f.cfg.Hub == nil:
		f.followAlone(ctx, newHub(f.cfg.Servers, Open), m)
	case o.Recorder == nil && o.Position == nil:
		f.at.Store(&place{f.cfg.Hub, m})
		f.cfg.Hub.add(m)
		<-ctx.Done()
		f.cfg.Hub.remove(m)
	default:
		f.followFirst(ctx, m)
	}
	return nil
}

// followAlone follows the log over a connection of its own, from where the recorder or the position was.
func (f *Feed) followAlone(ctx context.Context, own *Hub, m *member) {
	f.at.Store(&place{own, m})
	own.add(m)
	at := m.resume(ctx, binlog.Flavor(f.cfg.Servers.Dialect().Engine()))
	m.begun = at.position != nil
	own.follow(ctx, at)
	if !m.gone.Load() {
		own.remove(m)
	}
}

// followFirst follows the log over a connection of its own until the hub that sites share takes over.
func (f *Feed) followFirst(ctx context.Context, m *member) {
	alone, stop := context.WithCancel(ctx)
	defer stop()
	followed := make(chan struct{})
	m.followed = followed
	own := newHub(f.cfg.Servers, Open)
	next := &member{cfg: m.cfg, tracker: m.tracker, observer: m.observer}
	next.pending.Store(true)
	next.before = &predecessor{hub: own, member: m, taken: func() {
		f.at.Store(&place{f.cfg.Hub, next})
		stop()
	}}
	var joining sync.WaitGroup
	f.cfg.Servers.Guard().Go(&joining, task, func() {
		select {
		case <-followed:
			f.cfg.Hub.add(next)
		case <-alone.Done():
		}
	})
	f.followAlone(alone, own, m)
	joining.Wait()
	<-ctx.Done()
	f.cfg.Hub.remove(next)
}

// CatchUp returns when every change committed before the call has been applied to the
// tracker. Results that are fresh then are no older than the call. On MariaDB that covers
// every change that any client could have read before. On MySQL, and for tables without
// transactions, it covers what was confirmed to its writer. It takes one query, which
// concurrent calls share, and waits at most 50 milliseconds. After an error nothing is
// known to be up to date.
func (f *Feed) CatchUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	at := f.at.Load()
	if at == nil {
		return errNotFollowing
	}
	s := at.hub.session.Load()
	if s == nil || !at.member.following.Load() {
		return errNotFollowing
	}
	return s.proof.catchUp(ctx)
}
