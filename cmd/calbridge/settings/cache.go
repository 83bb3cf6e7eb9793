package settings

import (
	"time"

	"calbridge/wpstore/invalidation"
)

// Cache configures what is cached and for how long.
type Cache struct {
	Mode     CacheMode
	Size     int64 // bytes, for all caches together
	Rendered int64 // bytes wanted for rendered events
	// MaxAge is how long entries count whose changes may go unnoticed.
	MaxAge time.Duration
	// KeepChanges is how long the journal keeps changes.
	KeepChanges time.Duration
}

// CacheMode is a way to notice changes in the database, which invalidate caches.
type CacheMode string

// The modes.
const (
	// CacheAuto selects the binary log if it can be followed, else the companion plugin's
	// notices if they can arrive, else no cache.
	CacheAuto CacheMode = "auto"
	// CacheStrict follows the binary log and checks for each request that the caches have
	// caught up.
	CacheStrict CacheMode = "strict"
	// CacheNotices relies on the companion plugin's notices of WordPress's changes and checks
	// that their numbers have no gaps.
	CacheNotices CacheMode = "notices"
	// CacheTimed caches for a fixed time, regardless of changes.
	CacheTimed CacheMode = "timed"
	// CacheOff caches nothing.
	CacheOff CacheMode = "off"
	// CacheOwn is for databases to which only this program writes. It is not a value of the
	// setting.
	CacheOwn CacheMode = "own"
)

// NewTracker returns the tracker for opening the store, or nil if nothing is cached.
func (c Cache) NewTracker() *invalidation.Tracker {
	if c.Mode == CacheOff || c.Size == 0 {
		return nil
	}
	return invalidation.NewTracker()
}

func cacheRows(c *Cache, control *string) table {
	const g = GroupCache
	return table{
		{name: "cache", common: true, arg: "MODE", def: "auto", group: g, help: "what invalidates the response and row caches: auto (the database's binary log, else the companion plugin's notices, else no cache), strict (the binary log, and every request checks that it has been read to the end), notices, timed (entries expire after --cache-max-age, whatever changes), off (no caches)",
			set: intoOneOf(&c.Mode, CacheAuto, CacheStrict, CacheNotices, CacheTimed, CacheOff)},
		{name: "cache-size", common: true, arg: "SIZE", def: "256MiB", group: g, help: "memory for all caches: rendered events (32MiB, at most a quarter), and of the rest three quarters for the response cache and one for the row cache; the index of events, which follows the binary log, is extra, and so is a quarter of this size for the garbage collector",
			set: into(&c.Size, size)},
		{name: "cache-max-age", arg: "TIME", def: "30s", group: g, help: "longest lifetime of an entry with --cache timed, and with notices, which don't report changes by programs other than WordPress",
			set: into(&c.MaxAge, duration(100*time.Millisecond, 24*time.Hour))},
		{name: "changes-max-age", arg: "TIME", def: "168h", group: g, help: "how long clients of events/changes and events/stream (with --extensions and --state-dir) can resume; later ones refetch the whole list",
			set: into(&c.KeepChanges, duration(time.Minute, 366*24*time.Hour))},
		{name: "cache-control", arg: "TEXT", def: "no-cache", group: g, help: "header Cache-Control of answers to anonymous GETs, for browsers and CDNs: with no-cache they store a copy and revalidate it each time; not with --compat exact",
			set: into(control, text)},
	}
}
