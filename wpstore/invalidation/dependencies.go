package invalidation

import "sync"

// Dependencies collects what an answer depends on while it is made. It is safe for
// concurrent use. A nil one collects nothing.
type Dependencies struct {
	mu   sync.Mutex
	tags map[Tag]struct{}
}

// NewDependencies returns an empty collection.
func NewDependencies() *Dependencies { return &Dependencies{tags: map[Tag]struct{}{}} }

// OnSet notes that what is being made depends on all members of a set.
func (d *Dependencies) OnSet(set Kind) { d.On(set, 0) }

// On notes that what is being made depends on the things with these ids, whether they
// exist or not.
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

// OnTags notes that what is being made depends on all of these.
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

// Tags are what was collected.
func (d *Dependencies) Tags() []Tag {
	d.mu.Lock()
	defer d.mu.Unlock()
	tags := make([]Tag, 0, len(d.tags))
	for tag := range d.tags {
		tags = append(tags, tag)
	}
	return tags
}
