package eventindex

import (
	"context"

	"calbridge/i18n"
)

// Source reads the site's database. Methods with a function call it for each row, in any
// order; rows of posts that aren't events are ignored. Each method with a context takes
// one query, except Defaults. Ids of posts are ascending. Methods are safe for concurrent
// use while the index loads.
type Source interface {
	// Defaults lists which lists to expect before the first one.
	Defaults(ctx context.Context) (Defaults, error)
	// Tables lists which of the optional tables exist.
	Tables(ctx context.Context) (Tables, error)
	// EventIDs are the ids of all posts that are events, in any order.
	EventIDs(ctx context.Context) ([]int64, error)

	// Posts reads those of the ids that are events.
	Posts(ctx context.Context, ids []int64, each func(PostRow)) error
	Occurrences(ctx context.Context, posts []int64, each func(OccurrenceRow)) error
	// MetaDates and Marks read the metadata with some keys.
	MetaDates(ctx context.Context, posts []int64, keys []string, each func(DateRow)) error
	Marks(ctx context.Context, posts []int64, keys []string, each func(MarkRow)) error
	// AllMarks reads the metadata of all posts with one key: the part-th of some parts of
	// about the same size.
	AllMarks(ctx context.Context, key string, part, parts int, each func(MarkRow)) error
	// Terms reads which terms of all taxonomies posts have, by term_taxonomy_id.
	Terms(ctx context.Context, posts []int64, each func(post, taxonomyID int64)) error
	// Languages reads the language codes in a language plugin's table.
	Languages(ctx context.Context, plugin i18n.Plugin, posts []int64, each func(post int64, code string)) error
	// LanguageTaxonomies are those whose terms are the languages of posts.
	LanguageTaxonomies() []string

	// Taxonomies reads the terms of some taxonomies: those with these ids, all for nil.
	Taxonomies(ctx context.Context, taxonomies []string, terms []int64, each func(TermRow)) error
	// PostsOf are the posts that have any of some terms, by term_taxonomy_id.
	PostsOf(ctx context.Context, taxonomyIDs []int64) ([]int64, error)

	// Release gives back what other requests may need, such as a connection. It is
	// called before waiting for another request.
	Release()
}

// Defaults say which lists of events the site's settings lead to.
type Defaults struct {
	Occurrences bool // by the dates of the occurrence table, not of the metadata
	UTC         bool // ordered by start in UTC
}

// Tables lists which tables a site has.
type Tables struct {
	Occurrences bool
	// Languages is the language plugin that has a table of posts' language codes,
	// NoPlugin for none.
	Languages i18n.Plugin
}

// Dense reports whether reading all rows between the first and the last of some ids takes less
// time than reading those of each id.
func Dense(ids []int64) bool {
	return len(ids) > 1 && ids[len(ids)-1]-ids[0] < 4*int64(len(ids))
}

// PostRow is an event's row of posts. Dates are texts "2006-01-02 15:04:05", here and in
// the other rows. Texts are valid until the function that gets the row returns.
type PostRow struct {
	ID, Author, Parent int64
	Published, Status  []byte
	Protected, Blank   bool
}

// OccurrenceRow is one occurrence of an event.
type OccurrenceRow struct {
	Post                         int64
	Start, End, StartUTC, EndUTC []byte
}

// DateRow is a date among the metadata of a post, as the database converts it.
type DateRow struct {
	Post int64
	Key  int // index into the keys asked for
	Text []byte
	Null bool // the database doesn't take the text for a date,
	Zero bool // but compares it like the zero date
}

// MarkRow is a row of metadata as a number.
type MarkRow struct {
	Post   int64
	Key    int // index into the keys asked for, 0 from AllMarks
	Value  int64
	Number bool // false for NULL
}

// TermRow is a term in a taxonomy.
type TermRow struct {
	TaxonomyID int64
	Term       int64
	Taxonomy   int // index into the taxonomies asked for
}
