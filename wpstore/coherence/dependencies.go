package coherence

import (
	"context"
	"sync"
)

// Dependencies collects what an answer depends on while it is made. It is safe for
// concurrent use.
type Dependencies struct {
	mu   sync.Mutex
	tags map[Tag]struct{}
}

type dependenciesKey struct{}

// WithDependencies returns a context in which [Depend] collects.
func WithDependencies(ctx context.Context) (context.Context, *Dependencies) {
	d := &Dependencies{tags: map[Tag]struct{}{}}
	return context.WithValue(ctx, dependenciesKey{}, d), d
}

// Collecting says whether anybody collects in this context.
func Collecting(ctx context.Context) bool {
	_, ok := ctx.Value(dependenciesKey{}).(*Dependencies)
	return ok
}

// Depend notes that what is being made in this context depends on all members of a
// set.
func Depend(ctx context.Context, set Kind) { DependOn(ctx, set, 0) }

// DependOn notes that what is being made in this context depends on the things with
// these ids, whether they exist or not.
func DependOn(ctx context.Context, kind Kind, ids ...int64) {
	d, ok := ctx.Value(dependenciesKey{}).(*Dependencies)
	if !ok {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range ids {
		d.tags[Tag{kind, id}] = struct{}{}
	}
}

// DependTags notes that what is being made in this context depends on all of these.
func DependTags(ctx context.Context, tags []Tag) {
	d, ok := ctx.Value(dependenciesKey{}).(*Dependencies)
	if !ok {
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
