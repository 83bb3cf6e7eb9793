package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"
	"golang.org/x/sync/errgroup"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/coherence"
)

const (
	// feedPause is the pause before the log is opened again; it doubles, up to
	// longestFeedPause.
	feedPause        = 50 * time.Millisecond
	longestFeedPause = 5 * time.Second
	// feedQueryTimeout bounds each question of the feed to the server.
	feedQueryTimeout = time.Second
	// feedConnections: one to prove what is visible, one for [DB.CaughtUp]. They are
	// the feed's own, since the pool may be busy when it matters.
	feedConnections = 2
)

// FollowOptions are details of [DB.Follow]. The callbacks may be nil; they must be
// quick.
type FollowOptions struct {
	// ServerID is what the server knows this replica by; 0 takes one at random.
	ServerID uint32
	// Following is told when changes are heard of (true, nil), and when not any more,
	// and why.
	Following func(bool, error)
	// Applied is told whenever the ledger was.
	Applied func(FeedApplied)
}

// FeedApplied is what the ledger was told at once.
type FeedApplied struct {
	Transactions int
	// Delay is the time since the first of them arrived.
	Delay time.Duration
	// Committed is the server's clock when the last of them wrote, in whole seconds.
	Committed time.Time
}

// feed follows the server's binary log.
//
// A transaction arrives before its rows can be read (see package binlog). Was the
// ledger told at once, an answer made from the old rows right afterwards would count
// as made after the change, for ever. So the reader collects what it hears, and the
// applier tells the ledger once the server says that those transactions are visible:
// whoever sees the ledger's new sequence reads the new rows. Until then answers of
// before the change are served, which is what the database answers too.
//
// What the log does not hold is not heard of: sessions with sql_log_bin=0, and rows
// that a foreign key changes along with others, of which WordPress has none.
//
// While one question is on its way more transactions arrive, and the next question
// is about all of them.
type feed struct {
	db     *DB
	schema string
	tables map[string]*followed // the reader's alone
	// taxonomies are what terms belong to, by taxonomy id; the applier's alone.
	taxonomies map[int64]termOf

	running atomic.Bool
	ledger  *coherence.Ledger
	o       FollowOptions
	// role is who is followed, server which one that is, pool kept connections to
	// it, and fresh such as are opened for each question.
	role   *primaryRole
	server string
	pool   *sql.DB
	fresh  *sql.DB
	flavor binlog.Flavor

	mu      sync.Mutex
	pending *heard          // committed, and not known to be visible
	applied binlog.Position // the ledger knows; nil while the feed is not running
	moved   chan struct{}   // closed when applied changes
	next    *question       // who asks for the server's position next
	signal  chan struct{}   // there is something pending
	asked   chan struct{}   // there is a next question
}

func newFeed(db *DB) *feed {
	return &feed{db: db, moved: make(chan struct{}), signal: make(chan struct{}, 1), asked: make(chan struct{}, 1)}
}

// errNoLog means that an engine has no binary log.
var errNoLog = errors.New("this engine has no binary log")

// Follow tells a ledger what changes in the site's tables, whoever changes it, until
// the context ends: it follows the primary's binary log, and takes it up again where
// it was after the connection is lost. The ledger is suspended meanwhile, and when
// the server has said nothing for three seconds. When another server becomes the
// primary, which is noticed within a second, everything counts as changed, and its
// log is followed. One Follow at a time.
//
// Its errors are for what will never work; all others are for FollowOptions and the
// log. See [DB.CheckFeed] for what the server needs, package binlog for why.
func (db *DB) Follow(ctx context.Context, ledger *coherence.Ledger, o FollowOptions) error {
	if db.Engine() == "sqlite" {
		return errNoLog
	}
	f := db.feed
	if !f.running.CompareAndSwap(false, true) {
		return errors.New("the binary log is followed already")
	}
	defer f.running.Store(false)
	f.ledger, f.o, f.server = ledger, o, ""
	ledger.Suspend()
	var at binlog.Position
	var err error
	said := ""
	for pause := feedPause; ctx.Err() == nil; pause = min(2*pause, longestFeedPause) {
		before := at
		at, err = f.connect(ctx, at)
		if ctx.Err() != nil {
			break
		}
		level := slog.LevelWarn
		if err.Error() == said { // once is enough of what does not change
			level = slog.LevelDebug
		}
		said = err.Error()
		db.cfg.Logger.Log(ctx, level, "the binary log is not followed", "error", err, "resume", at != nil)
		if at != nil && (before == nil || !before.Contains(at)) || errors.Is(err, errMoved) {
			pause = feedPause // it has worked
		}
		if f.o.Following != nil {
			f.o.Following(false, err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	return nil
}

// connect opens what a session needs, for the server that is the primary now, and
// runs it.
func (f *feed) connect(ctx context.Context, at binlog.Position) (binlog.Position, error) {
	f.role = f.db.role.Load()
	cfg, err := mysqlConfig(f.db.cfg, f.role.dsn)
	if err != nil {
		return at, err
	}
	if f.pool, err = openPool(cfg, f.db.cfg, nil); err != nil {
		return at, err
	}
	defer f.pool.Close()
	f.pool.SetMaxOpenConns(feedConnections)
	f.pool.SetMaxIdleConns(feedConnections)
	if f.fresh, err = openPool(cfg, f.db.cfg, nil); err != nil {
		return at, err
	}
	defer f.fresh.Close()
	f.fresh.SetMaxOpenConns(feedConnections)
	f.fresh.SetMaxIdleConns(-1)
	f.schema = cfg.DBName
	return f.session(ctx, cfg, at)
}

// session follows the log from a position, or from now, until something fails. It
// returns where to go on: nil if that is not known.
func (f *feed) session(ctx context.Context, cfg *mysql.Config, at binlog.Position) (binlog.Position, error) {
	f.tables, f.taxonomies = f.followedTables(), map[int64]termOf{}
	stream, err := binlog.Open(ctx, binlog.Config{
		MySQL: cfg, ServerID: f.o.ServerID, From: at,
		Columns: func(t *binlog.Table) []int { return f.columns(ctx, t) },
	})
	if err != nil {
		return resumable(at, err), err
	}
	defer stream.Close()
	if at != nil && stream.Server() != f.server {
		return nil, errMoved
	}
	f.server = stream.Server()
	if err := f.look(ctx); err != nil {
		return resumable(at, err), err
	}
	if at == nil {
		// What is read from now on to be kept must not come from another server.
		f.role.moved()
	}
	obstacle, err := f.obstacle(ctx, stream)
	if err != nil {
		return resumable(at, err), err // a question without an answer tells nothing
	}
	if obstacle != "" {
		return nil, errors.New(obstacle)
	}
	f.flavor = stream.Flavor()
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return f.read(ctx, stream, at) })
	group.Go(func() error { return f.apply(ctx, stream, at) })
	group.Go(func() error { return f.answer(ctx) })
	group.Go(func() error { return f.stay(ctx) })
	err = group.Wait()
	f.ledger.Suspend()
	f.mu.Lock()
	defer f.mu.Unlock()
	at = f.applied
	f.pending = nil
	f.move(nil)
	return resumable(at, err), err
}

// errBehind means that a transaction came again, or that the server counts anew.
var errBehind = errors.New("the binary log went back")

// resumable is the position to go on at after an error; nil when that would not
// help: the server has forgotten it.
func resumable(at binlog.Position, err error) binlog.Position {
	const positionLost = 1236
	var refused *mysql.MySQLError
	if errors.Is(err, errBehind) || errors.Is(err, errMoved) || errors.As(err, &refused) && refused.Number == positionLost {
		return nil
	}
	return at
}

// read collects what transactions change. It is never held up by the server's
// answers, but when a table has been altered.
func (f *feed) read(ctx context.Context, stream *binlog.Stream, at binlog.Position) error {
	if at == nil {
		at, _ = stream.Start()
	}
	for h := newHeard(); ; {
		event, err := stream.Next(ctx)
		if err != nil {
			return err
		}
		if h.arrived.IsZero() {
			h.arrived = time.Now()
		}
		switch event := event.(type) {
		case *binlog.Rows:
			if !h.everything {
				f.rows(h, event)
			}
		case *binlog.Unknown:
			h.everything = true
		case *binlog.Statement:
			f.statement(h, stream, event.Schema, event.SQL)
		case *binlog.Commit:
			if event.GTID == nil || at.Contains(event.GTID) {
				return errBehind
			}
			at = at.Merge(event.GTID)
			h.gtid, h.end, h.committed, h.transactions = event.GTID, event.End, event.Committed, 1
			f.put(h)
			h = newHeard()
		}
	}
}

// put hands a transaction over.
func (f *feed) put(h *heard) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pending == nil {
		f.pending = h
	} else {
		f.pending.merge(h)
	}
	select {
	case f.signal <- struct{}{}:
	default:
	}
}

// take returns what is pending, nil for nothing.
func (f *feed) take() *heard {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.pending
	f.pending = nil
	return h
}

// move notes a position and wakes who waits for it. The lock is held.
func (f *feed) move(to binlog.Position) {
	f.applied = to
	close(f.moved)
	f.moved = make(chan struct{})
}

// query runs a query on the feed's own connections.
func (f *feed) query(ctx context.Context, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	return f.queryOn(ctx, f.pool, name, b, scan)
}

func (f *feed) queryOn(ctx context.Context, on session, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	ctx, cancel := context.WithTimeout(ctx, feedQueryTimeout)
	defer cancel()
	s, err := build(name, b)
	if err != nil {
		return err
	}
	return f.db.run(ctx, nil, name, func(ctx context.Context) error { return selecting(ctx, on, s, scan) })
}
