package rowcache

import (
	"reflect"
	"slices"
	intern "unique" // unique is a function in this package

	"github.com/maypok86/otter/v2"

	"calbridge/wpstore/invalidation"
)

// Cache caches rows. It is safe for concurrent use.
type Cache struct {
	tracker *invalidation.Tracker
	rows    *otter.Cache[key, *entry]
}

// key identifies what was loaded for an id.
type key struct {
	part intern.Handle[string]
	id   int64
}

// entry is what was loaded; its value is nil if there was nothing.
type entry struct {
	value any
	made  uint64 // the generation when it was loaded
	tags  []invalidation.Tag
	one   [1]invalidation.Tag // used if there is one tag
	bytes uint32
}

// New returns a cache of at most that many bytes. A nil *Cache is valid and empty.
func New(tracker *invalidation.Tracker, bytes uint64) *Cache {
	return &Cache{tracker: tracker, rows: otter.Must(&otter.Options[key, *entry]{
		MaximumWeight: bytes,
		Weigher:       func(_ key, e *entry) uint32 { return e.bytes },
	})}
}

// Bytes returns the memory that the rows currently occupy.
func (c *Cache) Bytes() uint64 {
	if c == nil {
		return 0
	}
	return c.rows.WeightedSize()
}

// Close stops the cache's goroutines.
func (c *Cache) Close() {
	if c != nil {
		c.rows.StopAllGoroutines()
	}
}

// View is a request's access to a cache. The zero value and a nil *View load everything.
type View struct {
	cache   *Cache
	depends *invalidation.Dependencies
	allowed bool
	// asOf is the generation up to which the current replica is known to have all changes.
	// delayed is set if rows are read from a replica.
	asOf    uint64
	delayed bool
}

// NewView returns a view of a cache, which may be nil. The tags of the rows that it returns
// from the cache are added to depends, which may be nil too.
func NewView(c *Cache, depends *invalidation.Dependencies) View {
	return View{cache: c, depends: depends}
}

// Allow allows rows from the cache; without it every row is loaded.
func (v *View) Allow() { v.allowed = true }

// Allowed reports whether rows may come from the cache.
func (v *View) Allowed() bool { return v != nil && v.allowed }

// Caches reports whether rows currently come from the cache.
func (v *View) Caches() bool { return v.Allowed() && v.cache != nil && v.cache.tracker.Active() }

// Generation returns the generation of the tracker.
func (v *View) Generation() uint64 {
	if v.cache == nil {
		return 0
	}
	return v.cache.tracker.Generation()
}

// ReadAsOf sets the generation as of which rows are read from now on.
func (v *View) ReadAsOf(generation uint64) { v.asOf, v.delayed = generation, true }

// Part describes how one kind of value is cached.
type Part[V any] struct {
	name string
	// own returns a copy of the value and the copy's size in bytes besides the value
	// itself. The copy shares no memory with the result set that it was read from, which
	// would otherwise stay in memory as a whole.
	own func(V) (V, int)
	// tags returns what the value of an id depends on. The zero value stands for an id
	// without a value.
	tags func(id int64, v V) []invalidation.Tag
}

// maxCachedIDs limits the ids that are looked up one by one. Longer lists come from
// validators and exports, which don't ask for the same ids twice.
const maxCachedIDs = 500

// entryFixed is the size of an entry in bytes besides its value, texts and tags, as
// measured by TestBytesIsMemory.
const entryFixed = 176

// tagSize is the size of a tag in bytes.
const tagSize = 16

// Load returns the values of the ids, from the cache if they are there and from load
// otherwise.
func Load[V any](view *View, p Part[V], ids []int64, load func([]int64) (map[int64]V, error)) (map[int64]V, error) {
	if !view.Caches() || len(ids) > maxCachedIDs {
		return load(ids)
	}
	c, made := view.cache, view.asOf
	if !view.delayed {
		made = c.tracker.Generation()
	}
	found := make(map[int64]V, len(ids))
	name := intern.Make(p.name) // shared by all keys
	var missing []int64
	for _, id := range ids {
		e, ok := c.rows.GetIfPresent(key{name, id})
		if !ok || !c.tracker.Fresh(e.made, e.tags) {
			missing = append(missing, id)
			continue
		}
		view.depends.OnTags(e.tags)
		if e.value != nil {
			found[id] = e.value.(V)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	loaded, err := load(missing)
	if err != nil {
		return nil, err
	}
	for _, id := range missing {
		v, ok := loaded[id]
		e, bytes := &entry{made: made}, 0
		if ok {
			v, bytes = p.own(v)
			e.value, found[id] = v, v
			bytes += int(reflect.TypeFor[V]().Size())
		}
		e.tags = slices.Clip(p.tags(id, v))
		if len(e.tags) == 1 {
			e.one[0] = e.tags[0]
			e.tags = e.one[:]
		} else {
			bytes += len(e.tags) * tagSize
		}
		e.bytes = uint32(min(bytes+entryFixed, 1<<30))
		c.rows.Set(key{name, id}, e)
	}
	return found, nil
}
