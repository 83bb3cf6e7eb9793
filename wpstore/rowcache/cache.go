// Package rowcache caches rows that were loaded by id, for as long as they stay as
// they are: a tracker says when they change. [New] makes a [Cache]; each request has a
// [View] of it, through which loaders [Recall] values of one [Part]: posts, metadata,
// terms of posts, groups of translations (parts.go). It makes no queries.
package rowcache

import (
	"reflect"
	"slices"
	intern "unique" // which is a function here

	"github.com/maypok86/otter/v2"

	"calbridge/wpstore/invalidation"
)

// Cache caches rows. It is safe for concurrent use.
type Cache struct {
	tracker *invalidation.Tracker
	rows    *otter.Cache[key, *entry]
}

// key names what was loaded of an id.
type key struct {
	part intern.Handle[string]
	id   int64
}

// entry is what was loaded, nil where there was nothing.
type entry struct {
	value any
	made  uint64
	tags  []invalidation.Tag
	one   [1]invalidation.Tag // where there is one tag
	bytes uint32
}

// New returns a cache that takes at most that many bytes. What the tracker is told of
// is gone.
func New(tracker *invalidation.Tracker, bytes uint64) *Cache {
	return &Cache{tracker: tracker, rows: otter.Must(&otter.Options[key, *entry]{
		MaximumWeight: bytes,
		Weigher:       func(_ key, e *entry) uint32 { return e.bytes },
	})}
}

// Bytes is what the rows take now.
func (c *Cache) Bytes() uint64 { return c.rows.WeightedSize() }

// Close ends its goroutines.
func (c *Cache) Close() { c.rows.StopAllGoroutines() }

// View is what a request sees of a cache: nothing, until it is allowed to. The zero
// value, and a nil one, never see anything.
type View struct {
	cache   *Cache
	depends *invalidation.Dependencies
	allowed bool
	// asOf is what the tracker had heard of before the replica that is read from was
	// known to have it: a row that is read may lack what the tracker hears of later.
	asOf    uint64
	delayed bool
}

// NewView returns a view of a cache, which may be nil. What depends on the rows that
// it gives is noted in depends, which may be nil too.
func NewView(c *Cache, depends *invalidation.Dependencies) View {
	return View{cache: c, depends: depends}
}

// Allow lets rows come from the cache, as current as what the tracker has heard of.
// Without it every row comes from the database.
func (v *View) Allow() { v.allowed = true }

// Allowed says whether rows may come from the cache.
func (v *View) Allowed() bool { return v != nil && v.allowed }

// Sequence is what the tracker has heard of by now.
func (v *View) Sequence() uint64 {
	if v.cache == nil {
		return 0
	}
	return v.cache.tracker.Generation()
}

// ReadAsOf says that rows are read from now on as of a sequence of the tracker.
func (v *View) ReadAsOf(sequence uint64) { v.asOf, v.delayed = sequence, true }

// Part says how one kind of value is cached.
type Part[V any] struct {
	name string
	// own returns a copy that shares nothing with the result that it was read from,
	// which would otherwise stay in memory as a whole, and what it takes besides
	// itself, in bytes.
	own func(V) (V, int)
	// tags are what the value of an id depends on; the zero value stands for none.
	tags func(id int64, v V) []invalidation.Tag
}

// maxRecalled bounds the ids that are looked up one by one: longer lists are
// validators' and exports', which are not asked twice.
const maxRecalled = 500

// entryFixed is what an entry takes besides itself, its texts and its tags, in bytes:
// measured, as TestMemoryIsWhatItSays does.
const entryFixed = 176

// tagSize is what a tag takes, in bytes.
const tagSize = 16

// Recall returns what is cached of the ids and loads the rest.
func Recall[V any](view *View, p Part[V], ids []int64, load func([]int64) (map[int64]V, error)) (map[int64]V, error) {
	if !view.Allowed() || view.cache == nil || len(ids) > maxRecalled || !view.cache.tracker.Active() {
		return load(ids)
	}
	c, made := view.cache, view.asOf
	if !view.delayed {
		made = c.tracker.Generation()
	}
	found := make(map[int64]V, len(ids))
	name := intern.Make(p.name) // which all keys share
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
