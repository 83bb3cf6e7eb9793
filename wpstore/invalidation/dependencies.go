package invalidation

import (
	"maps"
	"slices"
	"sync"
)

// Dependencies collects the tags that a response depends on while it is made. It is safe
// for concurrent use. A nil *Dependencies is valid; its On methods do nothing.
type Dependencies struct {
	mu   sync.Mutex
	tags map[Tag]struct{}
}

// NewDependencies returns an empty collection.
func NewDependencies() *Dependencies { return &Dependencies{tags: map[Tag]struct{}{}} }

// OnSet adds a set of rows.
func (d *Dependencies) OnSet(set Kind) { d.OnTags([]Tag{{Kind: set}}) }

// On adds the rows with these ids, whether they exist or not.
func (d *Dependencies) On(kind Kind, ids ...int64) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range ids {
		d.tags[Tag{kind, id}] = struct{}{}
	}
}

// OnTags adds tags.
func (d *Dependencies) OnTags(tags []Tag) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, tag := range tags {
		d.tags[tag] = struct{}{}
	}
}

// Tags returns the tags collected so far.
func (d *Dependencies) Tags() []Tag {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.AppendSeq(make([]Tag, 0, len(d.tags)), maps.Keys(d.tags))
}
