package respcache

import (
	"bytes"
	"sync"

	"github.com/maypok86/otter/v2"
	"github.com/maypok86/otter/v2/stats"
	"golang.org/x/sync/singleflight"

	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

// Key identifies an anonymous response.
type Key struct {
	HTTPS bool
	Host  string
	URI   string // as sent
}

// MaxKey is the longest key that is cached, in bytes: longer ones are hardly ever requested twice.
const MaxKey = 2048

// Cache holds responses within a bound of memory. It is safe for concurrent use.
type Cache struct {
	tracker *invalidation.Tracker
	guard   *guard.Guard
	answers *otter.Cache[Key, *Answer]
	headers sharedHeaders

	flights singleflight.Group
	// abandoned counts the waits for flights whose requests have given up.
	abandoned sync.WaitGroup
}

// New returns an empty cache of at most that many bytes. The guard catches panics while a response
// is built for several requests.
func New(tracker *invalidation.Tracker, bytes uint64, g *guard.Guard) *Cache {
	answers := otter.Must(&otter.Options[Key, *Answer]{
		MaximumWeight: bytes,
		Weigher:       func(key Key, a *Answer) uint32 { return a.weight(key) },
		StatsRecorder: stats.NewCounter(),
	})
	return &Cache{tracker: tracker, guard: g, answers: answers}
}

// Get returns the response for a key if it is valid in this second of Unix time, else nil.
func (c *Cache) Get(key Key, second int64) *Answer {
	a, ok := c.answers.GetIfPresent(key)
	if !ok || !a.fresh(c.tracker, second) {
		return nil
	}
	return a
}

// Put caches a response unless something that it depends on has changed since it was built.
func (c *Cache) Put(key Key, a *Answer) {
	a.Body = bytes.Clone(a.Body) // the buffer of the original is used again
	if len(key.URI)+len(key.Host) > MaxKey || !c.tracker.Fresh(a.Built, a.Tags) {
		return
	}
	a.Header = c.headers.share(a.Header)
	a.grown = func() { c.weighAgain(key, a) }
	c.answers.Set(key, a)
}

// weighAgain updates the weight of a response that is still cached.
func (c *Cache) weighAgain(key Key, a *Answer) {
	c.answers.ComputeIfPresent(key, func(cached *Answer) (*Answer, otter.ComputeOp) {
		if cached != a {
			return cached, otter.CancelOp
		}
		return a, otter.WriteOp
	})
}

// Size returns the number of cached responses and their weight in bytes.
func (c *Cache) Size() (answers int, bytes uint64) {
	return c.answers.EstimatedSize(), c.answers.WeightedSize()
}

// Evicted returns how many responses were evicted for lack of room.
func (c *Cache) Evicted() uint64 { return c.answers.Stats().Evictions }

// Close waits for flights without requests and stops the cache's goroutines.
func (c *Cache) Close() {
	c.abandoned.Wait()
	c.answers.StopAllGoroutines()
}
