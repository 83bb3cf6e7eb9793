package polylang

import (
	"context"
	"database/sql"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Taxonomies of Polylang: the language of a post and that of a term, and the groups
// of posts and of terms that translate each other.
const (
	PostLanguages = "language"
	TermLanguages = "term_language"
	PostGroups    = "post_translations"
	TermGroups    = "term_translations"
)

// Plugin is Polylang on one site.
type Plugin struct {
	tables  table.Names
	dialect sqlconn.Dialect
}

// New is Polylang on a site of some tables.
func New(tables table.Names, dialect sqlconn.Dialect) *Plugin { return &Plugin{tables, dialect} }

// Name implements [langplugin.Plugin].
func (*Plugin) Name() i18n.Plugin { return i18n.Polylang }

// Tables implements [langplugin.Plugin]: it writes none but WordPress's.
func (*Plugin) Tables() []rowedit.Table { return nil }

// ObjectTaxonomies implements [langplugin.Plugin].
func (*Plugin) ObjectTaxonomies() []string { return []string{TermLanguages, TermGroups} }

// SiteTables implements [langplugin.Plugin].
func (*Plugin) SiteTables() []string { return nil }

// ReadSite implements [langplugin.Plugin]. It reads the terms of the two taxonomies of
// languages: a language is a term of the one, named pll_ and the same slug in the other.
func (p *Plugin) ReadSite(ctx context.Context, run *sqlconn.Runner, facts *wpstore.SiteFacts, _ map[string]bool) error {
	option := phpserial.Array(facts.Raw["polylang"])
	domains, _ := option.At("domains").(*php.Array)
	found := i18n.PolylangFacts{
		Default:        php.ToString(option.At("default_lang")),
		HideDefault:    php.ToBool(option.At("hide_default")),
		Force:          php.ToInt(option.At("force_lang")),
		ShortDirectory: php.ToBool(option.At("rewrite")),
		Domains:        domains.TextMap(),
	}
	terms := map[string]int64{}
	query := sq.Select("tt.term_taxonomy_id", "tt.taxonomy", "t.slug", "tt.description").
		From(p.tables.Quoted("terms")+" t").
		Join(p.tables.Quoted("term_taxonomy")+" tt ON tt.term_id = t.term_id").
		Where(sq.Eq{"tt.taxonomy": []string{PostLanguages, TermLanguages}}).
		OrderBy("t.term_group", "t.term_id")
	err := run.Query(ctx, "site.languages", query, func(rows *sql.Rows) error {
		var id int64
		var taxonomy, slug, description string
		if err := rows.Scan(&id, &taxonomy, &slug, &description); err != nil {
			return err
		}
		if taxonomy == TermLanguages {
			terms[strings.TrimPrefix(slug, "pll_")] = id
			return nil
		}
		locale := php.ToString(phpserial.Array(description).At("locale"))
		found.All = append(found.All, i18n.Language{Code: slug, Locale: locale, PostTerm: id})
		return nil
	})
	if err != nil || len(found.All) == 0 {
		return err
	}
	for i := range found.All {
		found.All[i].TermTerm = terms[found.All[i].Code]
	}
	if found.Default == "" {
		found.Default = found.All[0].Code
	}
	facts.Languages = i18n.FromPolylang(found, facts.Home)
	return nil
}
