package langplugin

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// None is the plugin of a site without a language plugin: nothing is restricted and nothing
// has a language. Plugins embed it for the methods that they don't need.
type None struct{}

// Name implements [Plugin], as do the other methods.
func (None) Name() i18n.Plugin { return i18n.NoPlugin }

func (None) Storage() rowtags.Storage { return rowtags.Storage{} }

func (None) Tables() []rowedit.Table { return nil }

func (None) ObjectTaxonomies() []string { return nil }

func (None) SiteTables() []string { return nil }

func (None) ReadSite(context.Context, *sqlconn.Runner, *wpstore.SiteFacts, map[string]bool) error {
	return nil
}

func (None) JoinPosts(query sq.SelectBuilder, _ wpstore.InLanguage, _, _ string) sq.SelectBuilder {
	return query
}

func (None) JoinVariant() string { return "" }

func (None) SecondLanguage(wpstore.InLanguage) (sq.Sqlizer, bool) { return nil, false }

func (None) WorthScanning(int64) bool { return false }

func (None) PostColumn(query sq.SelectBuilder, _ *i18n.Languages) sq.SelectBuilder {
	return query.Column("NULL")
}

func (None) PostVariant(*i18n.Languages) string { return "" }

func (None) PostLanguage(*i18n.Languages, string) string { return "" }

func (None) PostGroups(context.Context, *sqlconn.Runner, string, []int64, map[int64]i18n.Group) error {
	return nil
}

func (None) CodeTable() string { return "" }

func (None) PostCodes(context.Context, *sqlconn.Runner, string, string, []int64, func(int64, string)) error {
	return nil
}

func (None) JoinTerms(query sq.SelectBuilder, _ wpstore.InLanguage, _ string) sq.SelectBuilder {
	return query
}

func (None) JoinTermGroups(query sq.SelectBuilder, _ string) sq.SelectBuilder {
	return query.Columns("NULL", "NULL")
}

func (None) AddTermGroup(map[int64]i18n.Group, int64, sql.NullString, sql.NullString) {}

// Writer returns a Writer that behaves like WordPress without a plugin.
func (None) Writer(rows *rowedit.Rows, _ Posts, _ Terms, _ Rules) Writer {
	return plainWriter{PlainTerms: PlainTerms{rowedit.Terms{Rows: rows}}}
}
