package loader

import (
	"context"

	"calbridge/i18n"
	"calbridge/rest/access"
	"calbridge/rest/api"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
	"calbridge/wpstore/posts"
)

// Loader reads the posts of one answer: what the viewer may see at a place.
type Loader struct {
	Cache  *Cache
	Place  *wpsite.Place
	Viewer *access.Viewer
	Store  *posts.Store
}

// Posts reads posts without links, such as venues and organizers, with their metadata,
// pictures and what their texts refer to. It leaves out missing ones. Errors are those of the
// store.
func (l *Loader) Posts(ctx context.Context, ids []int64) (*Set, error) {
	set := newSet()
	if len(ids) == 0 {
		return set, nil
	}
	rows, err := l.Store.PostSet(ctx, l.languages(), ids, nil)
	if err != nil {
		return nil, err
	}
	set.Posts, set.Meta, set.Terms = rows.Posts, rows.Meta, rows.Terms
	return set, l.complete(ctx, set)
}

// Events reads events as Posts does, and their terms, and their venues and organizers in the
// languages of the answer. amend may be nil; it changes the rows of the events before the
// rest is read.
func (l *Loader) Events(ctx context.Context, ids []int64, amend func(wpstore.PostSet)) (*Set, error) {
	set := newSet()
	if len(ids) == 0 {
		return set, nil
	}
	rows, err := l.Store.PostSet(ctx, l.languages(), ids, []string{api.Categories.Name, api.Tags.Name})
	if err != nil {
		return nil, err
	}
	if amend != nil {
		amend(rows)
	}
	set.Posts, set.Meta, set.Terms = rows.Posts, rows.Meta, rows.Terms
	if err := l.loadLinked(ctx, set, ids); err != nil {
		return nil, err
	}
	return set, l.complete(ctx, set)
}

func newSet() *Set {
	return &Set{Media: &wptext.Resources{}, files: map[int64]wpstore.Digest{}}
}

func (l *Loader) languages() *i18n.Languages { return &l.Place.Site.Languages.Languages }

// complete reads what all posts of the set refer to.
func (l *Loader) complete(ctx context.Context, set *Set) error {
	for _, p := range set.Posts {
		set.Modified = max(set.Modified, p.ModifiedGMT)
	}
	return l.loadMedia(ctx, set)
}
