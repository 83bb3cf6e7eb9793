package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/wpstore/coherence"
	"calbridge/wpstore/eventindex"
)

// Defaults of the pool, used where a Config leaves the field zero.
const (
	// DefaultMaxOpen is far below the 151 connections a stock server allows,
	// which PHP shares.
	DefaultMaxOpen = 16
	// DefaultConnMaxLifetime stays under the short wait_timeout of shared hosts,
	// and lets connections follow a fail-over or a load balancer.
	DefaultConnMaxLifetime = 3 * time.Minute
	// DefaultQueryTimeout ends a single statement.
	DefaultQueryTimeout = 10 * time.Second
	// DefaultPoolWait is many times what a busy but healthy database needs, and
	// short enough for clients not to give up first.
	DefaultPoolWait = 3 * time.Second
)

// Config says which WordPress database to open and how.
type Config struct {
	// DSN is a go-sql-driver/mysql data source name
	// (user:password@tcp(host:3306)/database), "sqlite:FILE" or "sqlite::memory:".
	DSN string
	// CreateFile lets a missing SQLite file be created; without it Open fails.
	CreateFile bool
	// TablePrefix is $table_prefix of wp-config.php.
	TablePrefix string
	// BlogID is the site of a network: 0 or 1 is the main site, whose tables have
	// the plain prefix; the tables of the others are {prefix}{id}_….
	BlogID int64
	// CustomUserTable and CustomUserMetaTable are the constants CUSTOM_USER_TABLE
	// and CUSTOM_USER_META_TABLE, usually empty.
	CustomUserTable, CustomUserMetaTable string
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// FixedClock makes SQL's own NOW() answer Now() too.
	FixedClock bool
	// Logger receives what the driver has to say; nil discards it.
	Logger *slog.Logger
	// Committed, when not nil, is told after each writing transaction what it
	// wrote. It must not take long: the answer waits for it.
	Committed func(Changes)
	// Ledger, when not nil, is told of what this DB writes, before Write returns. For
	// what others write see [DB.Follow].
	Ledger *coherence.Ledger
	// ReadOnly says that nothing is to be written; the checks then ask for no more
	// privileges than reading needs.
	ReadOnly bool

	// MaxOpen, ConnMaxLifetime and QueryTimeout default to the constants above.
	MaxOpen         int
	ConnMaxLifetime time.Duration
	QueryTimeout    time.Duration
	// PoolWait is how long a statement or transaction waits for a connection before
	// it fails with ErrUnavailable; 0 is DefaultPoolWait.
	PoolWait time.Duration
	// Replicas are the DSNs of servers that may be read from; see [DB.OnReplica].
	Replicas []string
	// ReplicaMaxLag is how far behind the primary a replica may be; with 0 every
	// read waits until its replica has what the primary has.
	ReplicaMaxLag time.Duration
	// ReplicaState is told what is known of a replica after each look at it.
	ReplicaState func(name string, state ReplicaState)
	// ObserveServer is told of each statement and transaction: the name of its
	// server, and how long it waited for a connection.
	ObserveServer func(server string, waited time.Duration)
	// Observe is called after every statement with its name, for metrics. It may
	// be nil, and is called from many goroutines.
	Observe func(name string, took time.Duration, err error)
	// Listed is called for every list of events that the listing index was asked
	// for, with how it was answered. It may be nil, and is called
	// from many goroutines.
	Listed func(how eventindex.Outcome)
}

// DB is one WordPress site's database. It is safe for concurrent use.
type DB struct {
	cfg     Config
	primary *server // that of Config.DSN
	// role is who has the role of the primary, which a replica may have taken.
	role *atomic.Pointer[primaryRole]
	// replicas is nil where none are named.
	replicas *replicaSet
	anchor   *sql.DB // keeps an in-memory SQLite database alive
	d        dialect
	version  string
	names    tableNames
	// writers lets one transaction of this process write at a time; see Write.
	writers chan struct{}
	// byElement names the index of WPML's translations that starts with the
	// element's id, "" for none, as the site facts have last seen.
	byElement *atomic.Value
	// translations is about how many rows that table has.
	translations *atomic.Int64
	// memory keeps rows, nil where nothing is kept; see Remember.
	memory *memory
	feed   *feed
	// index answers lists of events from memory, nil if it was not opened.
	index *atomic.Pointer[eventindex.Index]
	// inTx is set on the copy of a DB that a transaction reads through.
	inTx session
	// templates holds statements that are built once, scratch buffers for results,
	// and seeds those of digests.
	templates *templates
	scratch   *sync.Pool
	seeds     [2]maphash.Seed
}

// Open connects, asks the server who it is, and returns the database. It does
// not look at any table; see [DB.CheckSchema] for that. Its errors say what to
// mend, and match [ErrUnavailable] where trying again later may help.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	names, err := newTableNames(cfg)
	if err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	db := &DB{cfg: cfg, names: names, writers: make(chan struct{}, 1), role: &atomic.Pointer[primaryRole]{}, byElement: &atomic.Value{},
		translations: &atomic.Int64{}, index: &atomic.Pointer[eventindex.Index]{},
		templates: &templates{}, scratch: &sync.Pool{}, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}}
	db.feed = newFeed(db)
	if file, ok := strings.CutPrefix(cfg.DSN, "sqlite:"); ok {
		err = db.openSQLite(ctx, file)
	} else {
		err = db.openMySQL(ctx)
	}
	if err == nil {
		db.role.Store(newPrimaryRole(db.primary, cfg.DSN))
	}
	if err == nil && len(cfg.Replicas) > 0 {
		err = db.openReplicas()
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// systemClock is the machine's clock.
func systemClock() time.Time { return time.Now() }

func (cfg Config) withDefaults() Config {
	if cfg.Now == nil {
		cfg.Now = systemClock
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.MaxOpen <= 0 {
		cfg.MaxOpen = DefaultMaxOpen
	}
	if cfg.ConnMaxLifetime <= 0 {
		cfg.ConnMaxLifetime = DefaultConnMaxLifetime
	}
	if cfg.QueryTimeout <= 0 {
		cfg.QueryTimeout = DefaultQueryTimeout
	}
	if cfg.PoolWait <= 0 {
		cfg.PoolWait = DefaultPoolWait
	}
	return cfg
}

// Close ends all connections. An in-memory database is gone afterwards.
func (db *DB) Close() error {
	if db.memory != nil {
		db.memory.kept.StopAllGoroutines()
	}
	var err error
	if db.replicas != nil {
		err = db.replicas.close()
	}
	if db.primary != nil {
		err = errors.Join(err, db.primary.pool.Close())
	}
	if db.anchor != nil {
		err = errors.Join(err, db.anchor.Close())
	}
	return err
}

// Ping says whether the database answers now.
func (db *DB) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, db.cfg.QueryTimeout)
	defer cancel()
	if err := db.leader().pool.PingContext(ctx); err != nil {
		return db.explain(ctx, "ping", err)
	}
	return nil
}

// Now is the clock that the database was opened with.
func (db *DB) Now() time.Time { return db.cfg.Now() }

// Engine is "mysql", "mariadb" or "sqlite".
func (db *DB) Engine() string { return db.d.engine() }

// ServerVersion is the version as the server tells it, such as
// "10.11.6-MariaDB" or "8.0.36".
func (db *DB) ServerVersion() string { return db.version }

// SQL is the primary's pool, for collectors of its statistics and for loading
// dumps; queries belong in this package.
func (db *DB) SQL() *sql.DB { return db.primary.pool }

func (db *DB) askVersion(ctx context.Context, pool *sql.DB, query string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, db.cfg.QueryTimeout)
	defer cancel()
	var version string
	if err := pool.QueryRowContext(ctx, query).Scan(&version); err != nil {
		return "", fmt.Errorf("ask the server for its version: %w", err)
	}
	return version, nil
}
