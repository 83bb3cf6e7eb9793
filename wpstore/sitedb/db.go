package sitedb

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/countcache"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/events"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/options"
	"calbridge/wpstore/polylang"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/searchindex"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/tickets"
	"calbridge/wpstore/wpml"
)

// DB is the database of one WordPress site, which all requests share. It is safe for
// concurrent use.
type DB struct {
	*sqlconn.Servers
	cfg     Config
	tables  table.Names
	plugins langplugin.Plugins
	rows    *rowcache.Cache // nil if no rows are cached
	// counts holds what writes need not read again.
	counts *countcache.Memory
	index  atomic.Pointer[eventindex.Index]
	search atomic.Pointer[searchindex.Index]
	// Feed invalidates what others change in the site's tables.
	Feed     *changefeed.Feed
	finisher *finisher
	// writing is the number of running calls of Write.
	writing atomic.Int64
}

// Open connects, reads the server's version, and returns the database. It looks at no
// table; [DB.CheckSchema] does that. Its errors describe what to correct, and match
// [wpstore.ErrUnavailable] if a later retry may succeed.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	tables, err := table.New(cfg.Tables)
	if err != nil {
		return nil, err
	}
	servers, err := OpenServers(ctx, cfg)
	if err != nil {
		return nil, err
	}
	plugins := langplugin.Plugins{wpml.New(tables, servers.Dialect()), polylang.New(tables, servers.Dialect())}
	db := &DB{counts: &countcache.Memory{}, Servers: servers, cfg: cfg, tables: tables, plugins: plugins}
	db.finisher = newFinisher(servers.Guard(), db.saveCalendar, func(err error) {
		servers.Logger().Warn("the calendar's options could not be written, which the next save of an event will do", "err", err)
	})
	site, network := options.Names(tables.Prefix())
	db.Feed = changefeed.New(changefeed.Config{
		Servers: servers, Hub: cfg.Hub, Tables: tables, Options: site, NetworkOptions: network,
		Tickets: tickets.Names(), Plugins: plugins.Storage(), Complete: db.withEvents,
		Watcher: db.counts,
	})
	return db, nil
}

// OpenServers connects to the servers of one site or, for sites that share them, of all.
func OpenServers(ctx context.Context, cfg Config) (*sqlconn.Servers, error) {
	if cfg.Servers != nil {
		return cfg.Servers.Share(cfg.Config), nil
	}
	return sqlconn.Open(ctx, cfg.Config, dependsOn)
}

// withEvents adds the tag for changed lists of events if posts changed, unless an event
// index determines whether those lists changed.
func (db *DB) withEvents(tags []invalidation.Tag) []invalidation.Tag {
	if db.index.Load() == nil && slices.Contains(tags, invalidation.Tag{Kind: invalidation.Posts}) {
		tags = append(tags, invalidation.Tag{Kind: invalidation.Events})
	}
	return tags
}

// ShowsOptions reports whether responses depend on an option with one of these names.
func (db *DB) ShowsOptions(names []string) bool {
	shown, _ := options.Names(db.tables.Prefix())
	return slices.ContainsFunc(names, func(name string) bool {
		// The collation by which options are found ignores case, trailing spaces and accents.
		return strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }) ||
			slices.ContainsFunc(shown, func(n string) bool { return strings.EqualFold(n, strings.TrimRight(name, " ")) })
	})
}

// Close closes all connections. An in-memory database is gone afterwards.
func (db *DB) Close() error {
	db.finisher.work.Wait()
	db.rows.Close()
	return db.Servers.Close()
}

// Engine returns "mysql", "mariadb" or "sqlite", for messages.
func (db *DB) Engine() string { return db.Dialect().Engine() }

// Table returns the physical name of a WordPress table, unquoted.
func (db *DB) Table(name string) string { return db.tables.Plain(name) }

// CacheRows makes sessions that call [Session.AllowCache] cache the rows that they load
// by id, in at most that many bytes. It must be called before the first session.
func (db *DB) CacheRows(tracker *invalidation.Tracker, bytes uint64) {
	db.rows = rowcache.New(tracker, bytes)
}

// CachedBytes returns the memory that cached rows occupy.
func (db *DB) CachedBytes() uint64 { return db.rows.Bytes() }

// OpenIndex makes sessions that call [Session.AllowCache] read lists of events from an
// event index. The index loads as soon as the tracker is active and is refreshed until the
// context ends.
func (db *DB) OpenIndex(ctx context.Context, tracker *invalidation.Tracker) *eventindex.Index {
	index := eventindex.Open(ctx, eventindex.Config{
		Tracker: tracker, Logger: db.Logger(), Guard: db.Guard(),
		Source: func() eventindex.Source { return db.Session(nil).source() },
	})
	db.index.Store(index)
	return index
}

// OpenSearchIndex makes sessions that call [Session.AllowCache] search among the candidates of a
// search index with at most that many bytes. It loads and ends like that of OpenIndex.
func (db *DB) OpenSearchIndex(ctx context.Context, tracker *invalidation.Tracker, bytes int64) *searchindex.Index {
	index := searchindex.Open(ctx, searchindex.Config{
		Tracker: tracker, Collations: db.cfg.Collations, Bytes: bytes, Logger: db.Logger(), Guard: db.Guard(),
		Source: func() searchindex.Source {
			return events.NewSearchSource(sqlconn.NewRunner(db.Servers, nil), db.tables)
		},
	})
	db.search.Store(index)
	return index
}
