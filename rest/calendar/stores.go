package calendar

import (
	"context"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// Stores are where Lookups reads.
type Stores struct {
	Posts  PostStore
	Terms  TermStore
	Users  UserStore
	Linked LinkedStore
}

// PostStore reads posts. Its methods leave out what doesn't exist.
type PostStore interface {
	// PostIDsByPath returns the posts of a type whose slugs, from the topmost parent down, are the
	// segments, the oldest first.
	PostIDsByPath(ctx context.Context, postType string, segments []string) ([]int64, error)
	PostHeads(ctx context.Context, ids []int64) (map[int64]wpstore.PostHead, error)
	PostMetaKeys(ctx context.Context, ids []int64, keys []string) (map[int64]wpstore.Meta, error)
	PostTranslations(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]i18n.Group, error)
}

// TermStore reads terms.
type TermStore interface {
	// TermTree returns all terms of a taxonomy, by id.
	TermTree(ctx context.Context, taxonomy string) (map[int64]wpstore.Term, error)
	LookupTerms(ctx context.Context, taxonomy string, l wpstore.TermLookup) (wpstore.TermMatches, error)
}

// UserStore counts users.
type UserStore interface {
	// CountUsers returns how many of some ids are those of users.
	CountUsers(ctx context.Context, ids []int64) (int64, error)
}

// LinkedStore reads posts that others link to.
type LinkedStore interface {
	LinkedHeads(ctx context.Context, ids []int64) (map[int64]wpstore.PostHead, error)
}
