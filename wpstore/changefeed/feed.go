package changefeed

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"calbridge/wpstore/coherence"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

const (
	// shortestPause is the pause before the log is opened again; it doubles, up to
	// longestPause.
	shortestPause = 50 * time.Millisecond
	longestPause  = 5 * time.Second
)

// Config says what is followed.
type Config struct {
	Servers *sqlconn.Servers
	Tables  table.Names
	// Options and NetworkOptions are those that all answers depend on.
	Options, NetworkOptions []string
	// Plugins are all language plugins that the site may use.
	Plugins []Storage
	// Complete adds to what changed what follows from it; nil adds nothing.
	Complete func([]coherence.Tag) []coherence.Tag
}

// Options are details of [Feed.Follow]. The callbacks may be nil; they must be quick.
type Options struct {
	// ServerID is what the server knows this replica by; 0 takes one at random.
	ServerID uint32
	// Following is told when changes arrive (true, nil), and when not any more, and
	// why.
	Following func(bool, error)
	// Applied is told whenever the ledger was.
	Applied func(Applied)
}

// Applied is what the ledger was told at once.
type Applied struct {
	Transactions int
	// Delay is the time since the first of them arrived.
	Delay time.Duration
	// Committed is the server's clock when the last of them wrote, in whole seconds.
	Committed time.Time
}

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
		cfg.Complete = func(tags []coherence.Tag) []coherence.Tag { return tags }
	}
	return &Feed{cfg: cfg, progress: newProgress(), questions: newQuestions()}
}

// Follow tells a ledger what changes in the site's tables, whoever changes it, until
// the context ends: it follows the primary's binary log, and takes it up again where
// it was after the connection is lost. The ledger is suspended meanwhile, and when
// the server has said nothing for three seconds. When another server becomes the
// primary, which is noticed within a second, everything counts as changed, and its
// log is followed. One Follow at a time.
//
// Its errors are for what will never work; all others are for Options and the log.
// See [Inspect] for what the server needs, package binlog for why.
func (f *Feed) Follow(ctx context.Context, ledger *coherence.Ledger, o Options) error {
	if f.cfg.Servers.Dialect().Embedded() {
		return errors.New("this engine has no binary log")
	}
	if !f.running.CompareAndSwap(false, true) {
		return errors.New("the binary log is followed already")
	}
	defer f.running.Store(false)
	ledger.Suspend()
	var at mark
	var err error
	said := ""
	for pause := shortestPause; ctx.Err() == nil; pause = min(2*pause, longestPause) {
		before := at
		at, err = f.connect(ctx, ledger, &o, at)
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

// connect opens what a session needs, for the server that is the primary now, and
// runs it. It returns where to go on.
func (f *Feed) connect(ctx context.Context, ledger *coherence.Ledger, o *Options, at mark) (mark, error) {
	l, err := openLink(f.cfg.Servers)
	if err != nil {
		return at, err
	}
	defer l.close()
	followed := newTables(&f.cfg, l)
	stream, obstacle, err := l.openLog(ctx, o.ServerID, at, followed)
	if err != nil {
		return at.resumable(err), err
	}
	defer stream.Close()
	if obstacle != "" {
		return mark{}, errors.New(obstacle)
	}
	s := &session{link: l, stream: stream, tables: followed, resolver: newResolver(&f.cfg, l.run), progress: f.progress, questions: f.questions,
		ledger: ledger, complete: f.cfg.Complete, options: o}
	return s.follow(ctx, at)
}
