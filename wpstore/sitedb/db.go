package sitedb

import (
	"context"
	"sync/atomic"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/polylang"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wpml"
)

// DB is one WordPress site's database: what all requests share. It is safe for
// concurrent use.
type DB struct {
	*sqlconn.Servers
	cfg     Config
	tables  table.Names
	plugins langplugin.Plugins
	rows    *rowcache.Cache // nil where no rows are cached
	index   atomic.Pointer[eventindex.Index]
	// Feed tells of what others change.
	Feed *changefeed.Feed
}

// Open connects, asks the server who it is, and returns the database. It does
// not look at any table; see [DB.CheckSchema] for that. Its errors say what to
// mend, and match [wpstore.ErrUnavailable] where trying again later may help.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	tables, err := table.New(cfg.Tables)
	if err != nil {
		return nil, err
	}
	servers, err := sqlconn.Open(ctx, cfg.Config, dependsOn)
	if err != nil {
		return nil, err
	}
	plugins := langplugin.Plugins{wpml.New(tables, servers.Dialect()), polylang.New(tables, servers.Dialect())}
	db := &DB{Servers: servers, cfg: cfg, tables: tables, plugins: plugins}
	db.Feed = db.newFeed()
	return db, nil
}

// Close ends all connections. An in-memory database is gone afterwards.
func (db *DB) Close() error {
	if db.rows != nil {
		db.rows.Close()
	}
	return db.Servers.Close()
}

// Engine is "mysql", "mariadb" or "sqlite", for messages.
func (db *DB) Engine() string { return db.Dialect().Engine() }

// Table gives the physical name of a WordPress table, unquoted, for messages.
func (db *DB) Table(name string) string { return db.tables.Plain(name) }

// CacheRows caches rows that sessions load by id, in at most that many bytes, until
// the tracker says that they changed. Only sessions that are allowed to get them; see
// [Session.AllowCache]. It must be called before the first session.
func (db *DB) CacheRows(tracker *invalidation.Tracker, bytes uint64) {
	db.rows = rowcache.New(tracker, bytes)
}

// CachedBytes is what the cached rows take now.
func (db *DB) CachedBytes() uint64 {
	if db.rows == nil {
		return 0
	}
	return db.rows.Bytes()
}

// OpenIndex starts to load the event index, as soon as the tracker follows changes,
// and lets lists of events be answered from it. It is kept up to date until the
// context ends.
func (db *DB) OpenIndex(ctx context.Context, tracker *invalidation.Tracker) *eventindex.Index {
	index := eventindex.Open(ctx, eventindex.Config{
		Tracker: tracker, Logger: db.Logger(),
		Source: func() eventindex.Source { return db.Session(nil).source() },
	})
	db.index.Store(index)
	return index
}
