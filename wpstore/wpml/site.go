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

// ReadSite implements [langplugin.Plugin]. It also looks how the table of
// translations is best asked, for the statements to come.
func (p *Plugin) ReadSite(ctx context.Context, run *sqlconn.Runner, facts *wpstore.SiteFacts, tables map[string]bool) error {
	facts.TranslationJobs = true
	for _, name := range jobTables() {
		facts.TranslationJobs = facts.TranslationJobs && tables[name]
	}
	if !tables["icl_languages"] || !tables[translations] {
		return nil
	}
	settings := phpserial.Array(facts.Raw["icl_sitepress_settings"])
	order, _ := settings.At("languages_order").(*php.Array)
	domains, _ := settings.At("language_domains").(*php.Array)
	found := i18n.WPMLFacts{
		Default:     php.ToString(settings.At("default_language")),
		Order:       order.Texts(),
		Negotiation: php.ToInt(settings.At("language_negotiation_type")),
		Domains:     domains.TextMap(),
	}
	if urls, ok := settings.At("urls").(*php.Array); ok {
		found.DefaultDirectory = php.ToBool(urls.At("directory_for_default_language"))
	}
	query := sq.Select("code", "default_locale").
		Column(p.dialect.IndexFor(p.tables.Plain(translations), "element_id")).
		Column(p.dialect.RowEstimate(p.tables.Plain(translations))).
		From(p.tables.Quoted("icl_languages")).
		Where(sq.Eq{"active": 1}).
		OrderBy("id")
	err := run.Query(ctx, "site.languages", query, func(rows *sql.Rows) error {
		var code string
		var locale sql.NullString
		var index sql.NullString
		var estimate sql.NullInt64
		if err := rows.Scan(&code, &locale, &index, &estimate); err != nil {
			return err
		}
		p.byElement.Store(&index.String)
		p.rows.Store(estimate.Int64)
		found.Active = append(found.Active, i18n.Language{Code: code, Locale: locale.String})
		return nil
	})
	if err != nil || found.Default == "" || len(found.Active) == 0 {
		return err
	}
	facts.Languages = i18n.FromWPML(found)
	return nil
}
