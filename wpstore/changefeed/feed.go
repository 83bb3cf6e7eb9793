package changefeed

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

const (
	// The pause before the log is reopened doubles from minBackoff to maxBackoff.
	minBackoff = 50 * time.Millisecond
	maxBackoff = 5 * time.Second
	// task is the name under which the guard runs the work of a Feed.
	task = "following the binary log"
)

// Feed follows the primary's binary log. It is safe for concurrent use.
type Feed struct {
	cfg     Config
	running atomic.Bool
	session atomic.Pointer[session] // nil while no connection to the log is open
	// restores outlives sessions: tables may be restored while there is none.
	restores Detector
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
	var at mark
	var err error
	if o.Recorder != nil {
		at = parseMark(o.Recorder.Resume(ctx), binlog.Flavor(f.cfg.Servers.Dialect().Engine()))
	}
	logged := ""
	for pause := minBackoff; ctx.Err() == nil; pause = min(2*pause, maxBackoff) {
		before := at
		err = f.cfg.Servers.Guard().Do(task, func() (err error) {
			at, err = f.connect(ctx, tracker, o, at)
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
		f.cfg.Servers.Logger().Log(ctx, level, "the binary log is not followed", "error", err, "resume", at.position != nil)
		if at.after(before) || errors.Is(err, ErrNotPrimary) && !f.cfg.Servers.Feed().Apart() {
			pause = minBackoff // it has worked, or there is another server to follow
		}
		if o.Following != nil {
			o.Following(false, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
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
	s := f.session.Load()
	if s == nil {
		return errNotFollowing
	}
	return s.proof.catchUp(ctx)
}

// connect follows the log of the current primary until something fails, and returns
// where to resume.
func (f *Feed) connect(ctx context.Context, tracker *invalidation.Tracker, o Observer, at mark) (mark, error) {
	src := Open(f.cfg.Servers)
	defer src.Close()
	settings, err := src.Settings(ctx)
	if err != nil {
		return at.resumable(err), err
	}
	if obstacle := settings.Obstacle(src.Flavor()); obstacle != "" {
		return mark{}, errors.New(obstacle)
	}
	tables := newTables(f.cfg.logTables(src, &o))
	stream, err := binlog.Open(ctx, binlog.Config{
		MySQL: src.Config(), From: at.from(), Guard: f.cfg.Servers.Guard(),
		Columns: func(table *binlog.Table) []int { return tables.Columns(ctx, table) },
	})
	if err != nil {
		return at.resumable(err), f.cfg.Servers.Feed().Advise(err)
	}
	defer stream.Close()
	if err := f.checkServer(ctx, src, stream, at); err != nil {
		return at.resumable(err), err
	}
	obstacle, err := src.LogObstacle(ctx, settings, stream)
	if err != nil {
		return at.resumable(err), err
	}
	if obstacle != "" {
		return mark{}, errors.New(obstacle)
	}
	s := newSession(&f.cfg, src, stream, tables, &f.restores, tracker, o)
	f.session.Store(s)
	defer f.session.Store(nil)
	return s.follow(ctx, at)
}

// checkServer checks that an open log is the log of the primary, and of the server to which
// the mark belongs.
func (f *Feed) checkServer(ctx context.Context, src *Source, stream *binlog.Stream, at mark) error {
	if at.position != nil && stream.Server() != at.server {
		return ErrNotPrimary
	}
	src.Identify(stream.Server(), stream.Flavor())
	if _, err := src.AskPrimary(ctx); err != nil {
		return err
	}
	if at.position == nil {
		// Rows that are read from now on and cached must not come from another server.
		f.cfg.Servers.Reconnect()
	}
	return nil
}
