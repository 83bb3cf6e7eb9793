package wpml

import (
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// writer writes the rows of WPML during one transaction.
type writer struct {
	*postWriter
	*termWriter
}

// Writer implements [langplugin.Plugin].
func (*Plugin) Writer(rows *rowedit.Rows, posts langplugin.Posts, terms langplugin.Terms, rules langplugin.Rules) langplugin.Writer {
	groups := &translationGroups{rows: rows}
	termRows := rowedit.Terms{Rows: rows}
	postRows := rowedit.Posts{Rows: rows, Metas: rowedit.Metas{Rows: rows}, Read: posts}
	return writer{
		&postWriter{
			groups: groups, rows: rows, posts: postRows, terms: termRows, rules: rules,
			follow: follower{
				groups: groups, rows: rows, posts: postRows, terms: termRows, cron: rows.Cron,
				jobs: jobs{rows: rows, terms: terms, rules: rules, translators: translators{rows}},
			},
		},
		&termWriter{PlainTerms: langplugin.PlainTerms{Terms: termRows}, groups: groups, rows: rows, rules: rules},
	}
}
