package polylang

import (
	"context"

	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// writer writes the rows of Polylang during one transaction.
type writer struct {
	*postWriter
	*termWriter
}

// Finish implements [langplugin.Writer].
func (writer) Finish(context.Context) error { return nil }

// Writer implements [langplugin.Plugin].
func (*Plugin) Writer(rows *rowedit.Rows, posts langplugin.Posts, terms langplugin.Terms, rules langplugin.Rules) langplugin.Writer {
	filed := filing{rows}
	termRows := rowedit.Terms{Rows: rows}
	ofTerms := &termWriter{
		PlainTerms: langplugin.PlainTerms{Terms: termRows}, filing: filed, rows: rows, read: terms,
		languages: rules.Languages, faithful: rules.Faithful,
	}
	return writer{
		&postWriter{
			filing: filed, rows: termRows, posts: posts, terms: terms, languages: rules.Languages, code: rules.Posts,
			translator: translator{filing: filed, rows: rows, terms: ofTerms, faithful: rules.Faithful},
		},
		ofTerms,
	}
}
