package wpml

import (
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// writer keeps the rows of WPML during one transaction.
type writer struct {
	*postWriter
	*termWriter
}

// Writer implements [langplugin.Plugin].
func (*Plugin) Writer(rows *rowedit.Rows, read langplugin.Reader, rules langplugin.Rules) langplugin.Writer {
	filed := filing{rows}
	options := rowedit.Options{Rows: rows}
	terms := rowedit.Terms{Rows: rows, Options: options}
	posts := rowedit.Posts{Rows: rows, Metas: rowedit.Metas{Rows: rows}, Read: read}
	return writer{
		&postWriter{
			filing: filed, rows: rows, posts: posts, terms: terms, code: rules.Posts,
			follow: follower{
				filing: filed, rows: rows, posts: posts, terms: terms, cron: rowedit.Cron{Options: options},
				jobs: jobs{rows: rows, read: read, rules: rules, translators: translators{rows}},
			},
		},
		&termWriter{PlainTerms: langplugin.PlainTerms{Terms: terms}, filing: filed, rows: rows, rules: rules},
	}
}
