package changefeed

import "calbridge/wpstore/binlog"

// Table is a table whose changes matter.
type Table struct {
	Name    string   // without prefix
	Columns []string // of the rows that Note gets
	// Note notes what a change of a row means: there is one image of the row, or those
	// before and after. It returns false when a value is missing or of an unexpected
	// type; everything counts as changed then.
	Note func(c *Changes, change []Row) bool
}

// Row are the columns of a row.
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

// Storage says where a language plugin stores what it knows.
type Storage struct {
	// Tables are its own.
	Tables []Table
	// Taxonomies are those in which it files posts and terms, by name.
	Taxonomies map[string]Filing
	// Optional are tables of which only whether they exist is read.
	Optional []string
}

// Filing is what a term of a language plugin's taxonomy says of the posts or terms
// that have it.
type Filing int

// The filings.
const (
	PostLanguage Filing = iota + 1 // the language of a post
	TermLanguage                   // that of a term
	PostGroup                      // posts that are translations of each other
	TermGroup                      // terms that are
)
