package calendar

import (
	"context"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// Stores holds the stores from which a request reads. Their methods leave out what doesn't exist.
type Stores struct {
	Posts   PostStore
	Terms   TermStore
	Users   UserStore
	Events  EventStore
	Linked  LinkedStore
	Tickets TicketStore
	// References reads the posts that arguments name.
	References ReferenceStore
}

// PostStore reads posts with their metadata.
type PostStore interface {
	Posts(ctx context.Context, ids []int64) (map[int64]*wpstore.Post, error)
	PostHeads(ctx context.Context, ids []int64) (map[int64]wpstore.PostHead, error)
	PostMetaKeys(ctx context.Context, ids []int64, keys []string) (map[int64]wpstore.Meta, error)
	PostsAndMetaKeys(ctx context.Context, ids []int64, keys []string) (map[int64]*wpstore.Post, map[int64]wpstore.Meta, error)
	PostsWithLanguage(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]*wpstore.Post, error)
	PostTerms(ctx context.Context, ids []int64, taxonomies []string) (map[int64][]wpstore.Term, error)
	PostTranslations(ctx context.Context, languages *i18n.Languages, ids []int64) (map[int64]i18n.Group, error)
	// PostSet returns posts with all their metadata, and their terms of some taxonomies.
	PostSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) (wpstore.PostSet, error)
	// ReadSet does what PostSet does, always from the database.
	ReadSet(ctx context.Context, languages *i18n.Languages, ids []int64, taxonomies []string) (wpstore.PostSet, error)
	// Caches reports whether rows may come from memory, so that further reads cost little.
	Caches() bool
	// PostIDsByPath returns the posts of a type whose slugs, from the topmost parent down, are the
	// segments, the oldest first.
	PostIDsByPath(ctx context.Context, postType string, segments []string) ([]int64, error)
	// PostIDByPrefix returns the published post whose slug begins with a prefix, 0 if there is none.
	PostIDByPrefix(ctx context.Context, postType, prefix string) (int64, error)
	// WithMeta returns the posts that have a metadata key.
	WithMeta(ctx context.Context, key string) ([]int64, error)
	CountPublished(ctx context.Context, postType string) (int64, error)
	AttachedImages(ctx context.Context, parent int64) ([]int64, error)
	OEmbedCache(ctx context.Context, keys []string) (map[string]string, error)
}

// TermStore reads terms.
type TermStore interface {
	Terms(ctx context.Context, taxonomy string, ids []int64) (map[int64]wpstore.Term, error)
	// TermTree returns all terms of a taxonomy, by id.
	TermTree(ctx context.Context, taxonomy string) (map[int64]wpstore.Term, error)
	LookupTerms(ctx context.Context, taxonomy string, l wpstore.TermLookup) (wpstore.TermMatches, error)
	// TermList returns a page of terms, and how many there are.
	TermList(ctx context.Context, q wpstore.TermQuery) ([]wpstore.Term, int64, error)
	TermTranslations(ctx context.Context, languages *i18n.Languages, taxonomy string, ids []int64) (map[int64]i18n.Group, error)
}

// UserStore counts users.
type UserStore interface {
	// CountUsers returns how many of some ids are those of users.
	CountUsers(ctx context.Context, ids []int64) (int64, error)
}

// EventStore lists events.
type EventStore interface {
	// Events returns a page of ids. other, unless it is nil, is counted in the same round trip.
	Events(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (wpstore.EventPage, error)
	// NextEnd returns the earliest end of an occurrence that meets a bound.
	NextEnd(ctx context.Context, b wpstore.Bound, utc bool) (string, error)
	// UseStartIndexes names the indexes by which the database may sort.
	UseStartIndexes(starts wpstore.StartIndexes)
}

// LinkedStore lists venues and organizers.
type LinkedStore interface {
	AllIDs(ctx context.Context, postType string) ([]int64, error)
	Linked(ctx context.Context, q wpstore.LinkedQuery, other wpstore.InLanguage) (wpstore.LinkedPage, error)
	LinkedOfEvent(ctx context.Context, eventID int64, metaKey string) ([]int64, error)
	LinkedUpcoming(ctx context.Context, metaKey string, q wpstore.EventQuery, now string) ([]int64, error)
	LinkedWithEvents(ctx context.Context, metaKey string, among *wpstore.Readable) ([]int64, error)
	SearchLinked(ctx context.Context, postType string, fragments []string, among *wpstore.Readable) ([]int64, error)
}

// TicketStore reads what Event Tickets keeps.
type TicketStore interface {
	Attendance(ctx context.Context, providers []wpstore.TicketProvider, events []int64) (map[int64]wpstore.Attendance, error)
	Of(ctx context.Context, providers []wpstore.TicketProvider, events []int64) (map[int64][]wpstore.Ticket, error)
}

// ReferenceStore reads the heads of posts that a request refers to.
type ReferenceStore interface {
	LinkedHeads(ctx context.Context, ids []int64) (map[int64]wpstore.PostHead, error)
}
