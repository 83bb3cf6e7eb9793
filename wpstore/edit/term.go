package edit

import (
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// Terms edits terms.
type Terms struct {
	rows      *rowedit.Rows
	tree      TermReader
	slugs     termSlugs
	plugins   langplugin.Plugins
	languages langplugin.TermWriter
}

// NewTerms returns the editor of terms of one transaction. plugins are all, and
// languages writes the rows of the site's.
func NewTerms(rows *rowedit.Rows, read TermReader, plugins langplugin.Plugins, languages langplugin.TermWriter) *Terms {
	table := rowedit.Terms{Rows: rows, Options: rowedit.Options{Rows: rows}}
	return &Terms{rows: rows, tree: read, slugs: termSlugs{table, read, plugins}, plugins: plugins, languages: languages}
}

// nameSize is the size of the columns name and slug, in characters.
const nameSize = 200
