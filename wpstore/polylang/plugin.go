package polylang

import (
	"context"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/table"
)

// Taxonomies of Polylang: languages of posts and of terms, and groups of translations of
// posts and of terms.
const (
	PostLanguages = "language"
	TermLanguages = "term_language"
	PostGroups    = "post_translations"
	TermGroups    = "term_translations"
)

// Plugin is Polylang on one site.
type Plugin struct {
	langplugin.None
	tables  table.Names
	dialect dialect.Dialect
}

// New returns Polylang on a site with the given tables.
func New(tables table.Names, dialect dialect.Dialect) *Plugin {
	return &Plugin{tables: tables, dialect: dialect}
}

// Name implements [langplugin.Plugin].
func (*Plugin) Name() i18n.Plugin { return i18n.Polylang }

// ObjectTaxonomies implements [langplugin.Plugin].
func (*Plugin) ObjectTaxonomies() []string { return []string{TermLanguages, TermGroups} }

// Storage implements [langplugin.Plugin].
func (*Plugin) Storage() rowtags.Storage {
	return rowtags.Storage{Taxonomies: map[string]rowtags.TaxonomyRole{
		PostLanguages: rowtags.PostLanguage, TermLanguages: rowtags.TermLanguage,
		PostGroups: rowtags.PostGroup, TermGroups: rowtags.TermGroup,
	}}
}

// ReadSite implements [langplugin.Plugin]. A language has a term in each of the two
// taxonomies of languages. The slug in term_language is that in language, prefixed with
// pll_.
func (p *Plugin) ReadSite(ctx context.Context, run *sqlconn.Runner, facts *wpstore.SiteFacts, _ map[string]bool) error {
	option := phpserial.Array(facts.Raw["polylang"])
	found := i18n.PolylangFacts{
		Default:        php.ToString(option.At("default_lang")),
		HideDefault:    php.ToBool(option.At("hide_default")),
		Force:          php.ToInt(option.At("force_lang")),
		ShortDirectory: php.ToBool(option.At("rewrite")),
		Domains:        option.Array("domains").TextMap(),
	}
	terms := map[string]int64{}
	query := sq.Select("tt.term_taxonomy_id", "tt.taxonomy", "t.slug", "tt.description").
		From(p.tables.Quoted("terms")+" t").
		Join(p.tables.Quoted("term_taxonomy")+" tt ON tt.term_id = t.term_id").
		Where(sq.Eq{"tt.taxonomy": []string{PostLanguages, TermLanguages}}).
		OrderBy("t.term_group", "t.term_id")
	var id int64
	var taxonomy, slug, description string
	err := run.Query(ctx, "site.languages", query, sqlconn.EachRow(func() {
		if taxonomy == TermLanguages {
			terms[strings.TrimPrefix(slug, "pll_")] = id
			return
		}
		stored := phpserial.Array(description)
		if active, known := stored.Lookup("active"); known && !php.ToBool(active) {
			return // since Polylang 3.9 languages can be switched off
		}
		locale := php.ToString(stored.At("locale"))
		found.All = append(found.All, i18n.Language{Code: slug, Locale: locale, PostTerm: id})
	}, &id, &taxonomy, &slug, &description))
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
