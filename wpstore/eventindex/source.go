package eventindex

import (
	"context"

	"calbridge/i18n"
)

// Source reads what the index is made of from the site's database. Methods that take
// a function call it for each row, in any order; rows of posts that are not events do
// no harm. Each that takes a context is one query, but for Defaults.
type Source interface {
	// Defaults says what lists ask for before any has come.
	Defaults(ctx context.Context) (Defaults, error)
	// Tables says which of the tables that not every site has are there.
	Tables(ctx context.Context) (Tables, error)
	// EventIDs are the ids of all posts that are events.
	EventIDs(ctx context.Context) ([]int64, error)

	// Posts reads those of the ids that are events.
	Posts(ctx context.Context, ids []int64, each func(PostRow)) error
	Occurrences(ctx context.Context, posts []int64, each func(OccurrenceRow)) error
	// MetaDates and Marks read the metadata with some keys.
	MetaDates(ctx context.Context, posts []int64, keys []string, each func(DateRow)) error
	Marks(ctx context.Context, posts []int64, keys []string, each func(MarkRow)) error
	// Terms reads which terms of some taxonomies posts have.
	Terms(ctx context.Context, posts []int64, taxonomies []string, each func(post int64, t TermRow)) error
	// Languages reads the codes of languages in a language plugin's table.
	Languages(ctx context.Context, plugin i18n.Plugin, posts []int64, each func(post int64, code string)) error
	// LanguageTaxonomies are those whose terms tell the language of a post.
	LanguageTaxonomies() []string

	// Taxonomies reads the terms of some taxonomies: those with these ids, all for nil.
	Taxonomies(ctx context.Context, taxonomies []string, terms []int64, each func(TermRow)) error
	// PostsOf are the posts that have any of some terms, by their ids of taxonomy.
	PostsOf(ctx context.Context, taxonomyIDs []int64) ([]int64, error)

	// Release is called before waiting for another request: it gives back what others
	// may need, such as a connection.
	Release(ctx context.Context)
}

// Defaults are what lists of events ask for as the site is set up.
type Defaults struct {
	Occurrences bool // the dates of the occurrence table, not those of the metadata
	UTC         bool // the order of the starts in UTC
}

// Tables says which tables a site has.
type Tables struct {
	Occurrences bool
	// Languages is the language plugin that has a table of the codes of languages of
	// posts, NoPlugin for none.
	Languages i18n.Plugin
}

// PostRow is an event's row among the posts. Dates are texts "2006-01-02 15:04:05",
// here and in the other rows, and "" for NULL.
type PostRow struct {
	ID, Author, Parent int64
	Published, Status  string
	Protected          bool
}

// OccurrenceRow is one occurrence of an event.
type OccurrenceRow struct {
	Post                         int64
	Start, End, StartUTC, EndUTC string
}

// DateRow is a date among the metadata of a post, as the database converts it.
type DateRow struct {
	Post int64
	Key  int // the place among the keys asked for
	Text string
	Null bool // the text is none that the database takes for a date …
	Zero bool // … but it compares it as the zero date
}

// MarkRow is a row of metadata as a number.
type MarkRow struct {
	Post   int64
	Key    int // the place among the keys asked for
	Value  int64
	Number bool // false for NULL
}

// TermRow is a term in a taxonomy.
type TermRow struct {
	TaxonomyID int64
	Term       int64
	Taxonomy   int // the place among the taxonomies asked for
}
