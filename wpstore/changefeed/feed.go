package changefeed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
)

const (
	// The pause before the log is opened again doubles from minBackoff to maxBackoff.
	minBackoff = 50 * time.Millisecond
	maxBackoff = 5 * time.Second
	// proofTimeout is how long a request waits for a freshness proof.
	proofTimeout = 50 * time.Millisecond
)

var (
	errNotPrimary   = errors.New("another server is the primary now")
	errNotFollowing = errors.New("the binary log has not been followed up to now")
)

// Feed follows the primary's binary log. It is safe for concurrent use.
type Feed struct {
	cfg     Config
	running atomic.Bool
	session atomic.Pointer[session] // nil while no connection to the log is open
}

// New returns a feed that doesn't follow yet.
func New(cfg Config) *Feed {
	if cfg.Complete == nil {
		cfg.Complete = func(tags []invalidation.Tag) []invalidation.Tag { return tags }
	}
	return &Feed{cfg: cfg}
}

// Follow follows the primary's binary log and invalidates what changes in the site's
// tables, until the context ends. After a lost connection it resumes where it was; the
// tracker is suspended meanwhile, as it is when the server has been silent for three
// seconds. When another server becomes the primary, which is noticed within a second,
// everything is invalidated and the new primary's log is followed. Only one Follow may
// run at a time.
//
// It returns an error only for what can never work; other errors go to the observer and
// are logged. See [Inspect] for what the server needs, and package binlog for why.
func (f *Feed) Follow(ctx context.Context, tracker *invalidation.Tracker, o Observer) error {
	if f.cfg.Servers.Dialect().Embedded() {
		return errors.New("this engine has no binary log")
	}
	if !f.running.CompareAndSwap(false, true) {
		return errors.New("the binary log is followed already")
	}
	defer f.running.Store(false)
	tracker.Suspend()
	var at mark
	var err error
	logged := ""
	for pause := minBackoff; ctx.Err() == nil; pause = min(2*pause, maxBackoff) {
		before := at
		at, err = f.connect(ctx, tracker, o, at)
		if ctx.Err() != nil {
			break
		}
		level := slog.LevelWarn
		if err.Error() == logged { // the same error again
			level = slog.LevelDebug
		}
		logged = err.Error()
		f.cfg.Servers.Logger().Log(ctx, level, "the binary log is not followed", "error", err, "resume", at.position != nil)
		if at.after(before) || errors.Is(err, errNotPrimary) {
			pause = minBackoff // it has worked
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
// tracker: results that are fresh then are no older than the call. On MariaDB that
// covers all that anyone could have read before; on MySQL, and for tables without
// transactions, what was confirmed to its writer. It takes one query, which concurrent
// calls share, and waits at most 50 milliseconds. An error proves nothing.
func (f *Feed) CatchUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	s := f.session.Load()
	if s == nil {
		return errNotFollowing
	}
	applied, _ := s.progress.state()
	if applied == nil {
		return errNotFollowing
	}
	select {
	case r := <-s.primaryPosition(ctx):
		if r.Err != nil {
			return r.Err
		}
		position := r.Val.(binlog.Position)
		if err := checkHistory(applied, position); err != nil {
			s.source.leave(err)
			return err
		}
		return s.progress.wait(ctx, position)
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errNotFollowing, ctx.Err())
	}
}

// connect follows the log of the current primary until something fails, and returns
// where to resume.
func (f *Feed) connect(ctx context.Context, tracker *invalidation.Tracker, o Observer, at mark) (mark, error) {
	src := openSource(f.cfg.Servers)
	defer src.close()
	settings, err := logSettings(ctx, src.run)
	if err != nil {
		return at.resumable(err), err
	}
	if obstacle := obstacleIn(settings, src.flavor, src.servers.Version()); obstacle != "" {
		return mark{}, errors.New(obstacle)
	}
	followed := newLayouts(&f.cfg, src.cfg.DBName, src.run)
	stream, err := binlog.Open(ctx, binlog.Config{
		MySQL: src.cfg, From: at.position,
		Columns: func(table *binlog.Table) []int { return followed.columns(ctx, table) },
	})
	if err != nil {
		return at.resumable(err), err
	}
	defer stream.Close()
	obstacle, err := checkLog(ctx, src, settings, stream, at)
	if err != nil {
		return at.resumable(err), err
	}
	if obstacle != "" {
		return mark{}, errors.New(obstacle)
	}
	s := &session{source: src, stream: stream, layouts: followed, resolver: newResolver(&f.cfg, src.run), progress: newProgress(),
		tracker: tracker, complete: f.cfg.Complete, observer: o, watcher: f.cfg.Watcher}
	f.session.Store(s)
	defer f.session.Store(nil)
	return s.follow(ctx, at)
}

// checkLog checks that an open log is that of the server to which the mark belongs, and
// that it has every change: obstacle is "" if it does.
func checkLog(ctx context.Context, src *source, settings map[string]string, stream *binlog.Stream, at mark) (obstacle string, err error) {
	if at.position != nil && stream.Server() != at.server {
		return "", errNotPrimary
	}
	src.server, src.flavor = stream.Server(), stream.Flavor()
	if err := src.checkPrimary(ctx); err != nil {
		return "", err
	}
	if at.position == nil {
		// Rows that are read from now on and cached must not come from another server.
		src.servers.Reconnect()
	}
	return obstacleTo(ctx, src.servers, src.pool, settings, stream, src.cfg.DBName)
}
