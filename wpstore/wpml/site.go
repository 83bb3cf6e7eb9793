package wpml

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sqlconn"
)

// SiteTables implements [langplugin.Plugin].
func (*Plugin) SiteTables() []string {
	return append([]string{"icl_languages", translations}, jobTables()...)
}

// ReadSite implements [langplugin.Plugin]. It also looks for an index of the table of
// translations that later statements can use.
func (p *Plugin) ReadSite(ctx context.Context, run *sqlconn.Runner, facts *wpstore.SiteFacts, tables map[string]bool) error {
	facts.TranslationJobs = true
	for _, name := range jobTables() {
		facts.TranslationJobs = facts.TranslationJobs && tables[name]
	}
	if !tables["icl_languages"] || !tables[translations] {
		return nil
	}
	settings := phpserial.Array(facts.Raw["icl_sitepress_settings"])
	found := i18n.WPMLFacts{
		Default:     php.ToString(settings.At("default_language")),
		Order:       settings.Array("languages_order").Texts(),
		Negotiation: php.ToInt(settings.At("language_negotiation_type")),
		Domains:     settings.Array("language_domains").TextMap(),

		DefaultDirectory: php.ToBool(settings.Array("urls").At("directory_for_default_language")),
	}
	query := sq.Select("code", "default_locale").
		Column(p.dialect.IndexFor(p.tables.Plain(translations), "element_id")).
		Column(p.dialect.RowEstimate(p.tables.Plain(translations))).
		From(p.tables.Quoted("icl_languages")).
		Where(sq.Eq{"active": 1}).
		OrderBy("id")
	var code string
	var locale, index sql.NullString
	var estimate sql.NullInt64
	err := run.Query(ctx, "site.languages", query, sqlconn.EachRow(func() {
		p.byElement.Store(new(index.String))
		p.rows.Store(estimate.Int64)
		found.Active = append(found.Active, i18n.Language{Code: code, Locale: locale.String})
	}, &code, &locale, &index, &estimate))
	if err != nil || found.Default == "" || len(found.Active) == 0 {
		return err
	}
	facts.Languages = i18n.FromWPML(found)
	return nil
}
