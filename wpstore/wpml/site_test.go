package wpml_test

import (
	"maps"
	"slices"
	"testing"

	sq "github.com/Masterminds/squirrel"

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

func TestReads(t *testing.T) {
	s := newSite(t)
	languages := &s.facts.Languages
	found, err := s.posts.PostsWithLanguage(t.Context(), languages, []int64{50, 51})
	if err != nil || found[50].Language != "cs" || found[51].Language != "de" {
		t.Errorf("languages of posts: %v", err)
	}
	// Event 53 has a translation that is only planned.
	groups, err := s.posts.PostTranslations(t.Context(), languages, []int64{51, 53, 99})
	if err != nil || len(groups) != 2 || !maps.Equal(groups[51], i18n.Group{"cs": 50, "de": 51}) || !maps.Equal(groups[53], i18n.Group{"cs": 53}) {
		t.Errorf("translations: %v %v", groups, err)
	}
	groups, err = s.terms.TermTranslations(t.Context(), languages, wpstore.TagTaxonomy, []int64{20, 22})
	if err != nil || !maps.Equal(groups[20], i18n.Group{"cs": 20, "de": 21}) || !maps.Equal(groups[22], i18n.Group{"cs": 22}) {
		t.Errorf("translations of terms: %v %v", groups, err)
	}
	codes := map[int64]string{}
	err = s.plugin.PostCodes(t.Context(), s.rows.Runner, "test", wpstore.EventType, []int64{32, 50, 51}, func(post int64, code string) { codes[post] = code })
	if err != nil || !maps.Equal(codes, map[int64]string{50: "cs", 51: "de"}) { // 32 is a page
		t.Errorf("codes: %v %v", codes, err)
	}
	in := wpstore.In(languages, "cs")
	_, total, err := s.terms.TermList(t.Context(), wpstore.TermQuery{Taxonomy: wpstore.TagTaxonomy, Language: in, Limit: 9})
	if err != nil || total != 2 {
		t.Errorf("tags in Czech: %d %v", total, err)
	}
	// Of two languages, the second is marked, whichever way the table is read.
	for _, scan := range []bool{false, true} {
		both := in
		both.Also, both.Scan = "de", scan
		second, able := s.plugin.SecondLanguage(both)
		ids, err := s.rows.IDs(t.Context(), "test", s.plugin.JoinPosts(sq.Select("p.ID").From("wp_posts p"), both, wpstore.EventType, "p.ID").Where(second).OrderBy("p.ID"))
		if err != nil || !able || !slices.Equal(ids, []int64{51}) {
			t.Errorf("posts in the second language: %v %v", ids, err)
		}
	}
	if s.plugin.JoinVariant() != "" || s.plugin.WorthScanning(1<<40) {
		t.Error("SQLite has no index to force")
	}
}
