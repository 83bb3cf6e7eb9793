package respcache

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/maypok86/otter/v2"
	"github.com/maypok86/otter/v2/stats"

	"calbridge/wpstore/invalidation"
)

// Key is what anonymous answers are told apart by.
type Key struct {
	HTTPS bool
	Host  string
	URI   string // as sent
}

// MaxKey bounds the bytes of a key that an answer is kept under: longer ones are
// nothing that anybody asks twice.
const MaxKey = 2048

// Cache keeps answers within a bound of memory, those asked for most. It is safe for
// concurrent use.
type Cache struct {
	tracker *invalidation.Tracker
	kept    *otter.Cache[Key, *Answer]

	headers sharedHeaders

	mu       sync.Mutex
	building map[Key]chan struct{}
}

// New returns an empty cache of at most that many bytes.
func New(tracker *invalidation.Tracker, bytes uint64) *Cache {
	kept := otter.Must(&otter.Options[Key, *Answer]{
		MaximumWeight: bytes,
		Weigher:       func(key Key, a *Answer) uint32 { return a.weight(key) },
		StatsRecorder: stats.NewCounter(),
	})
	return &Cache{tracker: tracker, kept: kept, building: map[Key]chan struct{}{}}
}

// Get returns the answer to a key if there is one that holds in this second of Unix
// time, else nil.
func (c *Cache) Get(key Key, second int64) *Answer {
	a, ok := c.kept.GetIfPresent(key)
	if !ok || !a.fresh(c.tracker, second) {
		return nil
	}
	return a
}

// Put keeps an answer, with a copy of its body, unless what it depends on has changed
// meanwhile.
func (c *Cache) Put(key Key, a *Answer) {
	if len(key.URI)+len(key.Host) > MaxKey || !c.tracker.Fresh(a.Made, a.Tags) {
		return
	}
	a.Body = bytes.Clone(a.Body) // which was written into a buffer
	a.Header = c.headers.share(a.Header)
	a.grown = func() { c.weighAgain(key, a) }
	c.kept.Set(key, a)
}

// weighAgain takes note of an answer's new weight, if it is still kept.
func (c *Cache) weighAgain(key Key, a *Answer) {
	c.kept.ComputeIfPresent(key, func(kept *Answer) (*Answer, otter.ComputeOp) {
		if kept != a {
			return kept, otter.CancelOp
		}
		return a, otter.WriteOp
	})
}

// Turn makes one at a time build the answer to a key: the first to ask is told to
// build, and to call done afterwards; the others wait until it is done, and look
// again. An error means that ctx has ended.
func (c *Cache) Turn(ctx context.Context, key Key) (build bool, done func(), err error) {
	c.mu.Lock()
	other, busy := c.building[key]
	if !busy {
		mine := make(chan struct{})
		c.building[key] = mine
		c.mu.Unlock()
		return true, func() {
			c.mu.Lock()
			delete(c.building, key)
			c.mu.Unlock()
			close(mine)
		}, nil
	}
	c.mu.Unlock()
	select {
	case <-other:
		return false, nil, nil
	case <-ctx.Done():
		return false, nil, fmt.Errorf("wait for the same answer: %w", ctx.Err())
	}
}

// Size is what the cache holds: answers, and their weight in bytes.
func (c *Cache) Size() (answers int, bytes uint64) {
	return c.kept.EstimatedSize(), c.kept.WeightedSize()
}

// Evicted is how many answers were dropped for lack of room.
func (c *Cache) Evicted() uint64 { return c.kept.Stats().Evictions }

// Close ends the cache's own goroutines.
func (c *Cache) Close() { c.kept.StopAllGoroutines() }
