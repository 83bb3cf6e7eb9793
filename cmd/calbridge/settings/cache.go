package settings

import (
	"time"

	"calbridge/rest/cachetag"
	"calbridge/wpstore/invalidation"
)

// Cache configures what is cached and for how long.
type Cache struct {
	Mode     CacheMode
	Size     int64 // bytes, for all caches together
	Rendered int64 // bytes wanted for rendered events
	Searches int64 // bytes for the search index, 0 for none
	// MaxAge is how long entries count whose changes may go unnoticed.
	MaxAge time.Duration
	// KeepChanges is how long the journal keeps changes.
	KeepChanges time.Duration
	// Tags are the headers that name what responses depend on. TagPrefix precedes each name.
	Tags      []cachetag.Format
	TagPrefix string
	// Purge is the file that names the caches in front, "" for none.
	Purge string
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
		{name: "search-index-size", arg: "SIZE", def: "256MiB", group: g, help: "most memory for an index of texts, by which searches read only the events that may match; it takes a kilobyte for each event, or less within this size, which makes searches slower; 0 for none: searches read all texts; only while changes are followed, in addition to --cache-size",
			set: into(&c.Searches, sizeOrNone)},
		{name: "cache-max-age", arg: "TIME", def: "30s", group: g, help: "longest lifetime of an entry with --cache timed, and with notices, which don't report changes by programs other than WordPress",
			set: into(&c.MaxAge, duration(100*time.Millisecond, 24*time.Hour))},
		{name: "changes-max-age", arg: "TIME", def: "168h", group: g, help: "how long clients of events/changes and events/stream (with --extensions and --state-dir) can resume; later ones refetch the whole list",
			set: into(&c.KeepChanges, duration(time.Minute, 366*24*time.Hour))},
		{name: "cache-control", arg: "TEXT", def: "no-cache", group: g, help: "header Cache-Control of answers to anonymous GETs, for browsers and CDNs: with no-cache they store a copy and revalidate it each time; not with --compat exact",
			set: into(control, text)},
		{name: "cache-tags", arg: "NAMES", group: g, help: "headers of anonymous answers that name what they depend on, for caches in front that purge by tag: surrogate-key (Fastly), cache-tag (Cloudflare), xkey (Varnish), cache-groups (RFC 9875), or several, separated by commas; not with --compat exact",
			set: into(&c.Tags, tagFormats)},
		{name: "cache-tag-prefix", arg: "TEXT", group: g, help: "beginning of each tag, such as cal-, if several sites share a cache in front: at most 12 of a-z, 0-9, - and _",
			set: into(&c.TagPrefix, tagPrefix)},
		{name: "purge", arg: "FILE", group: g, help: "JSON file with the caches in front that calbridge purges when something changes (docker/push.md), which then store answers for hours; needs --cache-tags, and --cache auto with a binary log",
			set: into(&c.Purge, text)},
	}
}
