package searchindex

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"

	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
)

// Outcome describes how a search was narrowed, or why the database has to look at all posts. It is
// a metric label.
type Outcome string

// The outcomes.
const (
	Narrowed  Outcome = "index"
	Loading   Outcome = "loading"   // there is no index yet
	Suspended Outcome = "suspended" // changes do not arrive
	Off       Outcome = "off"       // the texts don't fit the limit, or their collation isn't known
	Text      Outcome = "text"      // the search has no three characters in a row, or odd ones
	Common    Outcome = "common"    // too many posts may match
)

// Outcomes returns all of them.
func Outcomes() []Outcome { return []Outcome{Narrowed, Loading, Suspended, Off, Text, Common} }

// MaxCandidates bounds the candidates of a search, so that its statement stays below 200 KB and below
// the memory that MySQL's optimizer has for ranges. Comparing the texts of a candidate takes the
// database about as long as comparing those of any post without candidates.
const MaxCandidates = 20_000

// Config configures an Index.
type Config struct {
	// Tracker reports what changes.
	Tracker *invalidation.Tracker
	// Source returns a source for the background to read from.
	Source func() Source
	// Collations holds what sites share; nil for one of the index's own.
	Collations *Collations
	// Bytes bounds the memory of the index.
	Bytes  int64
	Logger *slog.Logger
	Guard  *guard.Guard
}

// Index narrows searches. It is safe for concurrent use.
type Index struct {
	tracker *invalidation.Tracker
	wake    chan struct{} // has an element when the background has something to do

	mu    sync.RWMutex
	texts *texts // nil while nothing is loaded
	off   bool   // until everything changes
	// pending maps the posts that must be read again to the number of their last change.
	pending map[int64]uint64
	changes uint64
	epoch   uint64 // counts how often everything changed
}

// Open returns an index that loads in the background, as soon as the tracker is active, and works until
// the context ends.
func Open(ctx context.Context, cfg Config) *Index {
	x := &Index{tracker: cfg.Tracker, wake: make(chan struct{}, 1), pending: map[int64]uint64{}}
	x.tracker.Listen(x.invalidated)
	if x.tracker.Active() {
		x.wakeUp()
	}
	b := &background{Index: x, source: cfg.Source, collations: cmp.Or(cfg.Collations, &Collations{}), bytes: cfg.Bytes, logger: cfg.Logger, guard: cfg.Guard}
	cfg.Guard.Loop(ctx, new(sync.WaitGroup), task, b.run) // the context alone ends it
	return x
}

// Search returns the ids of the posts that may contain all of the required texts, ascending, if the
// outcome is Narrowed. The server also compares the excluded texts, so characters in
// them that it may refuse leave the search to it.
func (x *Index) Search(required, excluded []string) (ids []int64, outcome Outcome) {
	if !x.tracker.Active() {
		return nil, Suspended
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	switch {
	case x.off:
		return nil, Off
	case x.texts == nil:
		return nil, Loading
	}
	var hashes []uint32
	for _, text := range required {
		more, known := x.texts.classes.ofSearch(text)
		if !known {
			return nil, Text
		}
		hashes = append(hashes, more...)
	}
	for _, text := range excluded {
		if _, known := x.texts.classes.ofSearch(text); !known {
			return nil, Text
		}
	}
	if len(hashes) == 0 {
		return nil, Text
	}
	most := min(MaxCandidates, max(len(x.texts.ids)/4, 16))
	add := func(id int64) bool {
		ids = append(ids, id)
		return len(ids) <= most
	}
	x.texts.matrix.each(hashes, func(post int) bool { return add(x.texts.ids[post]) })
	for id := range x.texts.odd {
		if len(ids) <= most {
			add(id)
		}
	}
	for id := range x.pending {
		if len(ids) <= most {
			add(id)
		}
	}
	if len(ids) > most {
		return nil, Common
	}
	slices.Sort(ids)
	return slices.Compact(ids), Narrowed
}

// Posts returns the number of posts in the index, 0 while nothing is loaded.
func (x *Index) Posts() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.texts == nil {
		return 0
	}
	return len(x.texts.ids)
}

// Pending returns the number of changed posts that the background has not read yet.
func (x *Index) Pending() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.pending)
}

// Bytes returns the memory of the index, 0 while nothing is loaded.
func (x *Index) Bytes() int64 {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.texts == nil {
		return 0
	}
	return x.texts.bytes()
}

// wakeUp wakes the background.
func (x *Index) wakeUp() {
	select {
	case x.wake <- struct{}{}:
	default:
	}
}

// invalidated implements [invalidation.Listener].
func (x *Index) invalidated(tags []invalidation.Tag, everything bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if everything {
		x.discard()
		return
	}
	if x.off {
		return
	}
	x.changes++
	for _, tag := range tags {
		if tag.Kind == invalidation.Post && tag.ID > 0 {
			x.pending[tag.ID] = x.changes
			x.wakeUp()
		}
	}
}

// discard drops the index; everything is loaded again. The caller holds the lock.
func (x *Index) discard() {
	x.texts, x.off = nil, false
	x.pending = map[int64]uint64{}
	x.epoch++
	x.wakeUp()
}

// texts holds the bits of all posts.
type texts struct {
	classes *Classes
	matrix  matrix
	// ids are those of the posts by their numbers. The first loaded are ascending; added has the
	// numbers of the others.
	ids    []int64
	loaded int
	added  map[int64]int
	odd    map[int64]bool // posts with characters that no class is known of
}

// addedBytes is the memory of an element of added, and of the maps beside it.
const addedBytes = 64

func (t *texts) bytes() int64 {
	return t.matrix.bytes() + extraBytes(cap(t.ids)) + addedBytes*int64(len(t.added)+len(t.odd))
}

// post returns the number of a post.
func (t *texts) post(id int64) (post int, found bool) {
	if post, found = slices.BinarySearch(t.ids[:t.loaded], id); found {
		return post, true
	}
	post, found = t.added[id]
	return post, found
}

// put adds texts to those of a post, with a new number for a new post.
func (t *texts) put(id int64, texts [][]byte) {
	post, found := t.post(id)
	if !found {
		post = len(t.ids)
		t.ids = append(t.ids, id)
		t.added[id] = post
		t.matrix.grow(post)
	}
	for _, text := range texts {
		if !t.classes.ofText(text, func(hash uint32) { t.matrix.set(post, hash) }) {
			t.odd[id] = true
		}
	}
}

// remove removes all texts of a post. Its number stays.
func (t *texts) remove(id int64) {
	if post, found := t.post(id); found {
		t.matrix.clear(post)
		delete(t.odd, id)
	}
}
