package loader

import (
	"context"
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/calendar"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
)

// Loader reads the posts of one response: those that the viewer may see at a place.
type Loader struct {
	Cache  *Cache
	Place  *wpsite.Place
	Viewer *authz.Viewer
	Store  calendar.PostStore
	// Fresh reads the posts themselves past the row cache, all in one round trip, because they have
	// just been written.
	Fresh bool
}

// Posts reads posts without links, such as venues and organizers, with their metadata,
// pictures and what their texts refer to. It leaves out missing ones. Errors are those of the
// store and of steps.
func (l *Loader) Posts(ctx context.Context, ids []int64, steps Steps) (*Set, error) {
	set := l.newSet()
	if len(ids) == 0 {
		return set, nil
	}
	rows, err := l.read(ctx, ids, steps, nil)
	if err != nil {
		return nil, err
	}
	if err := checked(rows, ids, steps.Check); err != nil {
		return nil, err
	}
	set.Posts, set.Meta, set.Terms = rows.Posts, rows.Meta, rows.Terms
	return set, l.complete(ctx, set)
}

// Steps come between the rows of the posts themselves and all that they refer to. Each may be
// nil.
type Steps struct {
	// Check refuses a post, nil for a missing one. The rest is not read then, so that a refused
	// post costs the same with any content.
	Check func(*wpstore.Post) error
	// Amend changes the rows.
	Amend func(wpstore.PostSet)
	// With are posts that the others probably refer to. They are read together with them.
	With []int64
	// Known are the rows of all posts except With, nil if they must be read. It may lack the terms.
	Known *wpstore.PostSet
}

// read reads the rows of posts with their terms, and those of Steps.With.
func (l *Loader) read(ctx context.Context, ids []int64, steps Steps, taxonomies []string) (rows wpstore.PostSet, err error) {
	termsLack := steps.Known != nil && steps.Known.Terms == nil && len(taxonomies) > 0
	if steps.Known == nil || termsLack && !l.Store.Caches() { // all in one round trip
		return l.own(ctx, slices.Concat(ids, steps.With), taxonomies)
	}
	if len(steps.With) > 0 {
		if rows, err = l.Store.PostSet(ctx, l.languages(), steps.With, nil); err != nil {
			return rows, err
		}
	}
	terms := steps.Known.Terms
	if termsLack {
		if terms, err = l.Store.PostTerms(ctx, ids, taxonomies); err != nil {
			return rows, err
		}
	}
	for id, p := range steps.Known.Posts {
		put(&rows.Posts, id, p)
		put(&rows.Meta, id, steps.Known.Meta[id])
		put(&rows.Terms, id, terms[id])
	}
	return rows, nil
}

// checked returns the first refusal of a post.
func checked(rows wpstore.PostSet, ids []int64, check func(*wpstore.Post) error) error {
	if check == nil {
		return nil
	}
	for _, id := range ids {
		if err := check(rows.Posts[id]); err != nil {
			return err
		}
	}
	return nil
}

// Events reads events as Posts does, and their terms, and their venues and organizers in the
// languages of the response, as far as the viewer sees them.
func (l *Loader) Events(ctx context.Context, ids []int64, steps Steps) (*Set, error) {
	set := l.newSet()
	if len(ids) == 0 {
		return set, nil
	}
	rows, err := l.read(ctx, ids, steps, []string{api.Categories.Name, api.Tags.Name})
	if err != nil {
		return nil, err
	}
	set.take(rows, ids, steps.With)
	if err := checked(rows, ids, steps.Check); err != nil {
		return nil, err
	}
	if steps.Amend != nil {
		steps.Amend(rows)
	}
	set.Posts, set.Meta, set.Terms = rows.Posts, rows.Meta, rows.Terms
	if err := l.loadLinked(ctx, set, ids); err != nil {
		return nil, err
	}
	return set, l.complete(ctx, set)
}

// own reads the posts that the response is about.
func (l *Loader) own(ctx context.Context, ids []int64, taxonomies []string) (wpstore.PostSet, error) {
	if l.Fresh {
		return l.Store.ReadSet(ctx, l.languages(), ids, taxonomies)
	}
	return l.Store.PostSet(ctx, l.languages(), ids, taxonomies)
}

func (l *Loader) newSet() *Set {
	return &Set{viewer: l.Viewer, Media: &wptext.Resources{}, files: map[int64]wpstore.Digest{}}
}

func (l *Loader) languages() *i18n.Languages { return &l.Place.Site.Languages.Languages }

// complete reads what all posts of the set refer to.
func (l *Loader) complete(ctx context.Context, set *Set) error {
	for _, p := range set.Posts {
		set.Modified = max(set.Modified, p.ModifiedGMT)
	}
	return l.loadMedia(ctx, set)
}
