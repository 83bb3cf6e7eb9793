package purge

import (
	"context"
	"encoding"
	"sync"
	"time"

	"calbridge/wpstore/invalidation"
)

// maxPending is the number of changed tags from which everything is purged.
const maxPending = 1 << 13

// Changes collects what changes in a tracker until a Purger takes it, and the position in the change feed that
// it belongs to. It implements changefeed.Position.
type Changes struct {
	saved  *saved
	resume []byte        // the stored position; nil if there is none
	signal chan struct{} // has an element while pending has changes

	mu      sync.Mutex
	pending map[invalidation.Tag]struct{}
	whole   bool
	since   time.Time              // of the first change that is pending
	reached encoding.TextMarshaler // the position up to which there are changes; nil if none is known
	moves   uint64                 // how often reached was set
}

// Collect returns what changes in a tracker from now on, and since the position that is stored in a folder. Without
// one that is valid everything counts as changed. Nothing is stored if dir is "". identity names what responses
// depend on besides the database. If the site replaces others, nothing is read, and nothing is stored before
// Purger.Succeed.
func Collect(tracker *invalidation.Tracker, dir, identity string, replaces bool) (*Changes, error) {
	c := &Changes{saved: &saved{dir: dir, identity: identity, waits: replaces}, signal: make(chan struct{}, 1), pending: map[invalidation.Tag]struct{}{}}
	var err error
	if c.resume, err = c.saved.open(); c.resume == nil {
		c.add(nil, true)
	}
	tracker.Listen(c.add)
	return c, err
}

// Stored reports whether the position is stored.
func (c *Changes) Stored() bool { return c.saved.dir != "" }

// Close lets another process use the folder.
func (c *Changes) Close() {
	if c != nil {
		c.saved.close()
	}
}

// Resume implements changefeed.Position.
func (c *Changes) Resume(context.Context) []byte { return c.resume }

// Begin implements changefeed.Position.
func (c *Changes) Begin(missed bool, at encoding.TextMarshaler) {
	if missed {
		c.add(nil, true)
	}
	c.Reached(at)
}

// Reached implements changefeed.Position.
func (c *Changes) Reached(at encoding.TextMarshaler) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reached = at
	c.moves++
}

// position returns the position up to which changes were collected, and how often it has moved.
func (c *Changes) position() (at encoding.TextMarshaler, moves uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.reached, c.moves
}

// add implements invalidation.Listener.
func (c *Changes) add(tags []invalidation.Tag, everything bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.since.IsZero() {
		c.since = time.Now()
	}
	if c.whole = c.whole || everything || len(c.pending) > maxPending; c.whole {
		clear(c.pending)
	} else {
		for _, tag := range tags {
			c.pending[tag] = struct{}{}
		}
	}
	select {
	case c.signal <- struct{}{}:
	default:
	}
}

// take removes what has changed. since is zero if nothing has.
func (c *Changes) take() (tags map[invalidation.Tag]struct{}, whole bool, since time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tags, whole, since = c.pending, c.whole, c.since
	c.pending, c.whole, c.since = map[invalidation.Tag]struct{}{}, false, time.Time{}
	return tags, whole, since
}
