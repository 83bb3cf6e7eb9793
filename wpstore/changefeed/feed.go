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
	// shortestPause is the pause before the log is opened again; it doubles, up to
	// longestPause.
	shortestPause = 50 * time.Millisecond
	longestPause  = 5 * time.Second
	// proofTimeout is how long a request waits for the feed before it is answered
	// without.
	proofTimeout = 50 * time.Millisecond
)

// Feed follows the primary's binary log. It is safe for concurrent use.
type Feed struct {
	cfg       Config
	running   atomic.Bool
	progress  *progress
	questions *questions
}

// New returns a feed that follows nothing yet.
func New(cfg Config) *Feed {
	if cfg.Complete == nil {
		cfg.Complete = func(tags []invalidation.Tag) []invalidation.Tag { return tags }
	}
	return &Feed{cfg: cfg, progress: newProgress(), questions: newQuestions()}
}

// Follow tells a tracker what changes in the site's tables, whoever changes it, until
// the context ends: it follows the primary's binary log, and takes it up again where
// it was after the connection is lost. The tracker is suspended meanwhile, and when
// the server has said nothing for three seconds. When another server becomes the
// primary, which is noticed within a second, everything counts as changed, and its
// log is followed. One Follow at a time.
//
// Its errors are for what will never work; all others are for Options and the log.
// See [Inspect] for what the server needs, package binlog for why.
func (f *Feed) Follow(ctx context.Context, tracker *invalidation.Tracker, o Options) error {
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
	said := ""
	for pause := shortestPause; ctx.Err() == nil; pause = min(2*pause, longestPause) {
		before := at
		at, err = f.connect(ctx, tracker, &o, at)
		if ctx.Err() != nil {
			break
		}
		level := slog.LevelWarn
		if err.Error() == said { // once is enough of what does not change
			level = slog.LevelDebug
		}
		said = err.Error()
		f.cfg.Servers.Logger().Log(ctx, level, "the binary log is not followed", "error", err, "resume", at.position != nil)
		if at.after(before) || errors.Is(err, errMoved) {
			pause = shortestPause // it has worked
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

// CaughtUp returns when the tracker has been told of everything that was committed
// before the call: what it calls fresh then is no older than the call. On MariaDB
// that is all that anybody could read before; on MySQL, and of tables without
// transactions, what was confirmed to whoever wrote it. It takes one query, which
// calls at the same time share, and waits for the binary log, 50 milliseconds at
// most. After an error nothing is known.
func (f *Feed) CaughtUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, proofTimeout)
	defer cancel()
	if !f.progress.following() {
		return errBehindServer
	}
	q := f.questions.join()
	select {
	case <-q.done:
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", errBehindServer, ctx.Err())
	}
	if q.err != nil {
		return q.err
	}
	return f.progress.wait(ctx, q.position)
}

// connect opens what a session needs, for the server that is the primary now, and
// runs it. It returns where to go on.
func (f *Feed) connect(ctx context.Context, tracker *invalidation.Tracker, o *Options, at mark) (mark, error) {
	l, err := openLink(f.cfg.Servers)
	if err != nil {
		return at, err
	}
	defer l.close()
	followed := newTables(&f.cfg, l.cfg.DBName, l.run)
	stream, err := binlog.Open(ctx, binlog.Config{
		MySQL: l.cfg, ServerID: o.ServerID, From: at.position,
		Columns: func(table *binlog.Table) []int { return followed.columns(ctx, table) },
	})
	if err != nil {
		return at.resumable(err), err
	}
	defer stream.Close()
	obstacle, err := inspectLog(ctx, l, stream, at)
	if err != nil {
		return at.resumable(err), err
	}
	if obstacle != "" {
		return mark{}, errors.New(obstacle)
	}
	s := &session{link: l, stream: stream, tables: followed, resolver: newResolver(&f.cfg, l.run), progress: f.progress, questions: f.questions,
		tracker: tracker, complete: f.cfg.Complete, options: o}
	return s.follow(ctx, at)
}

// inspectLog looks whether an open binary log is that of the server to which the mark
// belongs, and whether it tells everything: the obstacle is "" if it does.
func inspectLog(ctx context.Context, l *link, stream *binlog.Stream, at mark) (obstacle string, err error) {
	if at.position != nil && stream.Server() != at.server {
		return "", errMoved
	}
	l.server, l.flavor = stream.Server(), stream.Flavor()
	if err := l.look(ctx); err != nil {
		return "", err
	}
	if at.position == nil {
		// What is read from now on to be cached must not come from another server.
		l.primary.Moved()
	}
	// A question without an answer tells nothing.
	return obstacleTo(ctx, l.servers, l.pool, stream, l.cfg.DBName)
}
