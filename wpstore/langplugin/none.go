package langplugin

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// None is a site without a language plugin: nothing is restricted, and nothing has a
// language.
type None struct{}

// Name implements Plugin, as do the others.
func (None) Name() i18n.Plugin { return i18n.NoPlugin }

// Storage: there is none.
func (None) Storage() changefeed.Storage { return changefeed.Storage{} }

// Tables: there are none.
func (None) Tables() []rowedit.Table { return nil }

// ObjectTaxonomies: there are none.
func (None) ObjectTaxonomies() []string { return nil }

// SiteTables: there are none.
func (None) SiteTables() []string { return nil }

// ReadSite adds nothing.
func (None) ReadSite(context.Context, *sqlconn.Runner, *wpstore.SiteFacts, map[string]bool) error {
	return nil
}

// JoinPosts restricts nothing.
func (None) JoinPosts(query sq.SelectBuilder, _ wpstore.InLanguage, _, _ string) sq.SelectBuilder {
	return query
}

// JoinVariant is always the same.
func (None) JoinVariant() string { return "" }

// SecondLanguage is not possible.
func (None) SecondLanguage(wpstore.InLanguage) (sq.Sqlizer, bool) { return nil, false }

// WorthScanning is nothing.
func (None) WorthScanning(int64) bool { return false }

// PostColumn adds NULL.
func (None) PostColumn(query sq.SelectBuilder, _ *i18n.Languages) sq.SelectBuilder {
	return query.Column("NULL")
}

// PostVariant is always the same.
func (None) PostVariant(*i18n.Languages) string { return "" }

// PostLanguage is none.
func (None) PostLanguage(*i18n.Languages, string) string { return "" }

// PostGroups finds none.
func (None) PostGroups(context.Context, *sqlconn.Runner, string, []int64, map[int64]i18n.Group) error {
	return nil
}

// CodeTable: there is none.
func (None) CodeTable() string { return "" }

// PostCodes finds none.
func (None) PostCodes(context.Context, *sqlconn.Runner, string, string, []int64, func(int64, string)) error {
	return nil
}

// JoinTerms restricts nothing.
func (None) JoinTerms(query sq.SelectBuilder, _ wpstore.InLanguage, _ string) sq.SelectBuilder {
	return query
}

// JoinTermGroups adds NULL twice.
func (None) JoinTermGroups(query sq.SelectBuilder, _ string) sq.SelectBuilder {
	return query.Columns("NULL", "NULL")
}

// AddTermGroup adds nothing.
func (None) AddTermGroup(map[int64]i18n.Group, int64, sql.NullString, sql.NullString) {}

// Writer does what WordPress does by itself.
func (None) Writer(rows *rowedit.Rows, _ Posts, _ Terms, _ Rules) Writer {
	return plainWriter{PlainTerms: PlainTerms{rowedit.Terms{Rows: rows, Options: rowedit.Options{Rows: rows}}}}
}
