package respcache

import (
	"bytes"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"

	"calbridge/wpstore/invalidation"
)

// Answer is a finished answer: what every client that asks the same gets. Only its
// compressed forms are added later; nothing else of it may change.
type Answer struct {
	Status int
	// Header holds what does not depend on the client's Origin or on what it accepts.
	Header http.Header
	Body   []byte
	// Route and Language are for metrics and logs.
	Route, Language string

	// NotRendered are blocks and shortcodes of other plugins in its texts.
	NotRendered []string

	// Made is the tracker's sequence from before anything was read for the answer,
	// Tags what the answer depends on.
	Made uint64
	Tags []invalidation.Tag
	// Second is the Unix time for which alone the answer holds, 0 for no such bound.
	Second int64

	// seen is the sequence at which the answer was last found to be fresh.
	seen       atomic.Uint64
	compressed [encodings]atomic.Pointer[[]byte]
	etag       atomic.Pointer[string]
	// grown is called when the answer takes more memory than before; it may be nil.
	grown func()
}

// ETag is the entity tag of the uncompressed body, without quotes: its xxHash, which
// takes less time than a cryptographic hash and is the same in every process behind a
// balancer.
func (a *Answer) ETag() string {
	if tag := a.etag.Load(); tag != nil {
		return *tag
	}
	tag := strconv.FormatUint(xxhash.Sum64(a.Body), 16)
	a.etag.Store(&tag)
	return tag
}

// fresh says whether the answer still holds.
func (a *Answer) fresh(tracker *invalidation.Tracker, second int64) bool {
	if a.Second != 0 && a.Second != second {
		return false
	}
	now := tracker.Generation() // before the look at the tags: what comes later is looked at again
	if a.seen.Load() == now && tracker.Active() {
		return true
	}
	if !tracker.Fresh(a.Made, a.Tags) {
		return false
	}
	a.seen.Store(now)
	return true
}

// Encoded returns the body in an encoding, compressed once.
func (a *Answer) Encoded(e Encoding, c *Compressor) []byte {
	if e == Identity {
		return a.Body
	}
	if body := a.compressed[e].Load(); body != nil {
		return *body
	}
	body := bytes.Clone(c.Compress(e, a.Body)) // which has room to spare
	a.compressed[e].Store(&body)
	if a.grown != nil {
		a.grown()
	}
	return body
}
