package wpml_test

import (
	"slices"
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/posts"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/terms"
	"calbridge/wpstore/wpml"
	"calbridge/wpstore/wptest/rowtest"
)

// site is a site in Czech and German. Events 50 and 51 translate each other, as do tags 20
// and 21; event 53 and tag 22 are in Czech only.
type site struct {
	t      *testing.T
	rows   *rowedit.Rows
	plugin *wpml.Plugin
	facts  wpstore.SiteFacts
	posts  posts.Store
	terms  terms.Store
}

func newSite(t *testing.T) *site {
	s := &site{t: t, rows: rowtest.Rows(t)}
	s.plugin = wpml.New(s.rows.Tables, s.rows.Dialect())
	plugins := langplugin.Plugins{s.plugin}
	s.terms = terms.New(s.rows.Runner, s.rows.Tables, plugins, nil)
	s.posts = posts.New(s.rows.Runner, s.rows.Tables, plugins, nil, &s.terms)
	s.exec(`INSERT INTO wp_icl_languages (id, code, english_name, active, default_locale) VALUES (1, 'cs', 'Czech', 1, 'cs_CZ'), (2, 'de', 'German', 1, 'de_DE'), (3, 'pl', 'Polish', 0, 'pl_PL')`)
	s.exec(`INSERT INTO wp_terms (term_id, name, slug) VALUES (20, 'Hudba', 'hudba'), (21, 'Musik', 'musik'), (22, 'Divadlo', 'divadlo'), (28, 'Optional', 'optional')`)
	s.exec(`INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES
		(30, 20, 'post_tag', ''), (31, 21, 'post_tag', ''), (32, 22, 'post_tag', ''), (38, 28, 'translation_priority', '')`)
	s.exec(`INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_date, post_date_gmt) VALUES
		(50, 'tribe_events', 'publish', 'Koncert', '2026-11-01 10:00:00', '2026-11-01 09:00:00'), (51, 'tribe_events', 'publish', 'Konzert', '2026-11-02 10:00:00', '2026-11-02 09:00:00'),
		(53, 'tribe_events', 'publish', 'Výstava', '2026-11-03 10:00:00', '2026-11-03 09:00:00')`)
	s.exec(`INSERT INTO wp_icl_translations (translation_id, element_type, element_id, trid, language_code, source_language_code) VALUES
		(1, 'post_tribe_events', 50, 1, 'cs', NULL), (2, 'post_tribe_events', 51, 1, 'de', 'cs'), (3, 'post_tribe_events', 53, 2, 'cs', NULL),
		(4, 'tax_post_tag', 30, 3, 'cs', NULL), (5, 'tax_post_tag', 31, 3, 'de', 'cs'), (6, 'tax_post_tag', 32, 4, 'cs', NULL),
		(7, 'tax_translation_priority', 38, 5, 'de', NULL), (8, 'post_tribe_events', NULL, 2, 'de', 'cs'), (9, 'post_page', 32, 6, 'de', NULL)`)
	s.exec(`INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (50, 30), (50, 32), (51, 31)`)
	s.facts.Raw = map[string]string{"icl_sitepress_settings": `a:2:{s:16:"default_language";s:2:"cs";s:25:"language_negotiation_type";i:1;}`}
	there := map[string]bool{}
	for _, name := range s.plugin.SiteTables() {
		there[name] = true
	}
	if err := s.plugin.ReadSite(t.Context(), s.rows.Runner, &s.facts, there); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *site) exec(statement string) { s.t.Helper(); rowtest.Exec(s.t, s.rows, statement) }

func (s *site) writer(rules langplugin.Rules) langplugin.Writer {
	rules.Languages, rules.Home = &s.facts.Languages, "https://lipa.example"
	return s.plugin.Writer(s.rows, &s.posts, &s.terms, rules)
}

// holds compares the rows of a query.
func (s *site) holds(step, query, want string, err error) {
	s.t.Helper()
	if got := rowtest.Texts(s.t, s.rows, query); err != nil || got != want {
		s.t.Errorf("%s: %v\n%s\nwant\n%s", step, err, got, want)
	}
}

func TestReadSite(t *testing.T) {
	s := newSite(t)
	if l := s.facts.Languages; l.Plugin != i18n.WPML || l.Default != "cs" || !slices.Equal(l.Codes(), []string{"cs", "de"}) || l.Find("de").Locale != "de_DE" || !s.facts.TranslationJobs {
		t.Errorf("%+v", s.facts)
	}
	var none wpstore.SiteFacts
	if err := s.plugin.ReadSite(t.Context(), s.rows.Runner, &none, map[string]bool{"icl_languages": true}); err != nil || none.TranslationJobs || none.Languages.Plugin != i18n.NoPlugin {
		t.Errorf("without its tables: %+v %v", none, err)
	}
}
