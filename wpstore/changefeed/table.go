package changefeed

import "calbridge/wpstore/binlog"

// Table says how to interpret changes of a table.
type Table struct {
	Name    string   // without prefix
	Columns []string // of the rows passed to Note
	// Note adds to c what a changed row invalidates. change has one image of the row, or
	// those before and after. Note returns false when a value is missing or of an
	// unexpected type: everything counts as changed then.
	Note func(c *Changes, change []Row) bool
}

// Row has the values of some columns of a row.
type Row []binlog.Value

// ID is a number; NULL is 0.
func (r Row) ID(column int) (int64, bool) {
	v := r[column]
	return v.Int, v.Kind == binlog.Integer || v.Kind == binlog.Null
}

// Text is a text; NULL is "".
func (r Row) Text(column int) (string, bool) {
	v := r[column]
	return string(v.Bytes), v.Kind == binlog.Bytes || v.Kind == binlog.Null
}

// Storage says how a language plugin stores languages and translations.
type Storage struct {
	// Tables are its own.
	Tables []Table
	// Taxonomies are those in which it files posts and terms, by name.
	Taxonomies map[string]TaxonomyRole
	// Optional are tables whose rows don't matter, only whether they exist.
	Optional []string
}

// TaxonomyRole says what a language plugin's taxonomy means to the posts or terms in it.
type TaxonomyRole int

// The roles.
const (
	PostLanguage TaxonomyRole = iota + 1 // the language of a post
	TermLanguage                         // the language of a term
	PostGroup                            // posts that are translations of each other
	TermGroup                            // terms that are
)
