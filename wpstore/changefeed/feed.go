package changefeed

import (
	"context"
	"errors"
	"sync/atomic"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
)

// Feed follows the primary's binary log for one site. It is safe for concurrent use.
type Feed struct {
	cfg     Config
	hub     *Hub
	running atomic.Bool
	member  atomic.Pointer[member] // nil while the log is not followed
	// restores outlives calls of Follow.
	restores Detector
}

// New returns a feed that doesn't follow the log yet.
func New(cfg Config) *Feed {
	if cfg.Complete == nil {
		cfg.Complete = func(tags []invalidation.Tag) []invalidation.Tag { return tags }
	}
	f := &Feed{cfg: cfg, hub: cfg.Hub}
	if f.hub == nil {
		f.hub = newHub(cfg.Servers, Open)
	}
	return f
}

// Follow follows the primary's binary log and invalidates what changes in the site's
// tables, until the context ends. After a lost connection it resumes where it was. The
// tracker is suspended meanwhile, and also when the server has been silent for three
// seconds. When another server becomes the primary, which is detected within a second,
// everything is invalidated and the new primary's log is followed. The same happens after a
// crash of the server, and if the log isn't the one that was read before. Only one Follow
// may run at a time.
//
// With a hub that several sites share, Follow waits while the hub runs. A recorder then can't resume
// where an earlier process was.
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
	f.member.Store(m)
	f.hub.add(m)
	defer func() {
		f.hub.remove(m)
		f.member.Store(nil)
		f.restores = m.restores
	}()
	if f.cfg.Hub != nil {
		<-ctx.Done()
		return nil
	}
	var at mark
	if o.Recorder != nil {
		at = parseMark(o.Recorder.Resume(ctx), binlog.Flavor(f.cfg.Servers.Dialect().Engine()))
		m.begun = at.position != nil
	}
	f.hub.follow(ctx, at)
	return nil
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
	m, s := f.member.Load(), f.hub.session.Load()
	if m == nil || s == nil || !m.following.Load() {
		return errNotFollowing
	}
	return s.proof.catchUp(ctx)
}
