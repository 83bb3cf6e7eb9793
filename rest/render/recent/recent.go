// Package recent is a cache of what was used lately, bounded in size.
//
// It has two generations: what is used goes into the young one. When that has half of
// the size, it becomes the old one, and the rest of the old one is dropped. The package
// imports nothing of the module.
package recent

import "sync"

// Cache maps keys to values. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	limit int // of the sizes of all entries; 0 holds nothing

	mu         sync.Mutex
	young, old map[K]entry[V]
	youngSize  int
	oldSize    int
}

type entry[V any] struct {
	value V
	size  int
}

// New returns a cache whose entries have so much size in all; 0 holds nothing.
func New[K comparable, V any](limit int) *Cache[K, V] { return &Cache[K, V]{limit: limit} }

// Active says whether the cache holds anything at all.
func (c *Cache[K, V]) Active() bool { return c.limit > 0 }

// Get returns the value of a key, and whether there is one.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) {
	if !c.Active() {
		return value, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.young[key]; ok {
		return e.value, true
	}
	e, ok := c.old[key]
	if ok {
		c.dropOld(key)
		c.add(key, e)
	}
	return e.value, ok
}

// Put stores a value of some size, unless it alone takes more than half of the room.
func (c *Cache[K, V]) Put(key K, value V, size int) {
	if size > c.limit/2 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dropOld(key)
	c.add(key, entry[V]{value, size})
}

// Size is the sum of the sizes of all entries.
func (c *Cache[K, V]) Size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.youngSize + c.oldSize
}

func (c *Cache[K, V]) dropOld(key K) {
	c.oldSize -= c.old[key].size
	delete(c.old, key)
}

func (c *Cache[K, V]) add(key K, e entry[V]) {
	c.youngSize -= c.young[key].size
	if c.youngSize+e.size > c.limit/2 {
		delete(c.young, key)
		c.young, c.old = nil, c.young
		c.youngSize, c.oldSize = 0, c.youngSize
	}
	if c.young == nil {
		c.young = map[K]entry[V]{}
	}
	c.young[key] = e
	c.youngSize += e.size
}
