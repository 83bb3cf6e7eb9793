package polylang

import (
	"context"

	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// writer keeps the rows of Polylang during one transaction.
type writer struct {
	*postWriter
	*termWriter
}

// Finish has nothing to do.
func (writer) Finish(context.Context) error { return nil }

// Writer implements [langplugin.Plugin].
func (*Plugin) Writer(rows *rowedit.Rows, read langplugin.Reader, rules langplugin.Rules) langplugin.Writer {
	filed := filing{rows}
	terms := rowedit.Terms{Rows: rows, Options: rowedit.Options{Rows: rows}}
	ofTerms := &termWriter{
		PlainTerms: langplugin.PlainTerms{Terms: terms}, filing: filed, rows: rows, read: read,
		languages: rules.Languages, faithful: rules.Faithful,
	}
	return writer{
		&postWriter{
			filing: filed, terms: terms, read: read, languages: rules.Languages, code: rules.Posts,
			translator: translator{filing: filed, rows: rows, terms: ofTerms, faithful: rules.Faithful},
		},
		ofTerms,
	}
}
