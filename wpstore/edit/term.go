package edit

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// TermReader reads terms within the transaction.
type TermReader interface {
	Terms(ctx context.Context, taxonomy string, ids []int64) (map[int64]wpstore.Term, error)
	PostTerms(ctx context.Context, postIDs []int64, taxonomies []string) (map[int64][]wpstore.Term, error)
	TermTree(ctx context.Context, taxonomy string) (map[int64]wpstore.Term, error)
}

// Terms edits terms.
type Terms struct {
	rows      *rowedit.Rows
	tree      TermReader
	slugs     termSlugs
	plugins   langplugin.Plugins
	languages langplugin.TermWriter
}

// NewTerms returns the editor of terms of one transaction. languages writes the rows of
// the site's language plugin.
func NewTerms(rows *rowedit.Rows, read TermReader, plugins langplugin.Plugins, languages langplugin.TermWriter) *Terms {
	table := rowedit.Terms{Rows: rows}
	return &Terms{rows: rows, tree: read, slugs: termSlugs{table, read, plugins}, plugins: plugins, languages: languages}
}

// Lock locks all terms until the transaction ends: other transactions make, change and
// delete none meanwhile. Insert, Update and Delete do it; who reads terms before calls it
// first.
func (t *Terms) Lock(ctx context.Context) error { return t.rows.Locks.Terms(ctx) }

// nameSize is the size of the columns name and slug, in characters.
const nameSize = 200
