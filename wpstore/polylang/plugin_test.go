package polylang_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/polylang"
	"calbridge/wpstore/posts"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/terms"
	"calbridge/wpstore/wptest/rowtest"
)

// site is a site in Czech and German: each language has a term in both taxonomies.
type site struct {
	t      *testing.T
	rows   *rowedit.Rows
	plugin *polylang.Plugin
	facts  wpstore.SiteFacts
	posts  posts.Store
	terms  terms.Store
}

func newSite(t *testing.T) *site {
	s := &site{t: t, rows: rowtest.Rows(t)}
	s.plugin = polylang.New(s.rows.Tables, s.rows.Dialect())
	plugins := langplugin.Plugins{s.plugin}
	s.terms = terms.New(s.rows.Runner, s.rows.Tables, plugins, nil)
	s.posts = posts.New(s.rows.Runner, s.rows.Tables, plugins, nil, &s.terms)
	s.exec(`INSERT INTO wp_terms (term_id, name, slug, term_group) VALUES (1, 'Čeština', 'cs', 0), (2, 'Deutsch', 'de', 1), (3, 'Čeština', 'pll_cs', 0), (4, 'Deutsch', 'pll_de', 1),
		(20, 'Hudba', 'hudba', 0), (21, 'Musik', 'musik', 0), (22, 'Divadlo', 'divadlo', 0), (40, 'pll_1', 'pll_1', 0), (41, 'pll_2', 'pll_2', 0)`)
	s.exec(`INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES
		(11, 1, 'language', 'a:1:{s:6:"locale";s:5:"cs_CZ";}'), (12, 2, 'language', ''), (13, 3, 'term_language', ''), (14, 4, 'term_language', ''),
		(30, 20, 'post_tag', ''), (31, 21, 'post_tag', ''), (32, 22, 'post_tag', ''),
		(40, 40, 'term_translations', 'a:2:{s:2:"cs";i:20;s:2:"de";i:21;}'), (41, 41, 'post_translations', 'a:3:{s:2:"cs";i:50;s:2:"de";i:51;s:2:"fr";i:50;}')`)
	// Tags 20 and 21 translate each other, as do posts 50 and 51.
	s.exec(`INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (20, 13), (20, 40), (21, 14), (21, 40), (22, 13), (50, 11), (50, 41), (51, 12), (51, 41), (52, 12)`)
	s.exec(`INSERT INTO wp_posts (ID, post_type, post_status, post_title) VALUES (50, 'tribe_events', 'publish', 'Koncert'), (51, 'tribe_events', 'publish', 'Konzert'),
		(52, 'tribe_events', 'draft', 'Lesung'), (53, 'tribe_events', 'publish', 'Chess')`)
	s.facts.Raw = map[string]string{"polylang": `a:3:{s:12:"default_lang";s:2:"cs";s:10:"force_lang";i:1;s:7:"rewrite";i:1;}`}
	if err := s.plugin.ReadSite(t.Context(), s.rows.Runner, &s.facts, nil); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *site) exec(statement string) { s.t.Helper(); rowtest.Exec(s.t, s.rows, statement) }

func (s *site) writer(faithful bool) langplugin.Writer {
	rules := langplugin.Rules{Languages: &s.facts.Languages, Posts: "de", Terms: "de", Faithful: faithful}
	return s.plugin.Writer(s.rows, &s.posts, &s.terms, rules)
}

// holds compares the rows of a query, after counts that are due were written.
func (s *site) holds(step, query, want string, err error) {
	s.t.Helper()
	err = errors.Join(err, s.rows.Finish(s.t.Context()))
	if got := rowtest.Texts(s.t, s.rows, query); err != nil || got != want {
		s.t.Errorf("%s: %v\n%s\nwant\n%s", step, err, got, want)
	}
}

const (
	relationships = "SELECT object_id, term_taxonomy_id FROM wp_term_relationships WHERE object_id >= 50 ORDER BY 1, 2"
	counts        = "SELECT term_taxonomy_id, count FROM wp_term_taxonomy WHERE count > 0 ORDER BY 1"
	groups        = "SELECT term_taxonomy_id, description FROM wp_term_taxonomy WHERE taxonomy LIKE '%translations' ORDER BY 1"
)

func TestReadSite(t *testing.T) {
	languages := newSite(t).facts.Languages
	if languages.Plugin != i18n.Polylang || languages.Default != "cs" || len(languages.All) != 2 {
		t.Fatalf("%+v", languages)
	}
	if cs := languages.Find("cs"); cs.Locale != "cs_CZ" || cs.PostTerm != 11 || cs.TermTerm != 13 {
		t.Errorf("%+v", cs)
	}
}

// Terms of terms are spared when all terms of a post are removed.
func TestTaxonomies(t *testing.T) {
	s := newSite(t)
	all := langplugin.Plugins{s.plugin}
	if got := all.PostTaxonomies(); !slices.Equal(got, []string{"language"}) {
		t.Errorf("languages of posts are in %q", got)
	}
	filings := all.Storage()[0].Taxonomies
	if got := s.plugin.ObjectTaxonomies(); !slices.Equal(got, []string{"term_language", "term_translations"}) ||
		filings[got[0]] != rowtags.TermLanguage || filings[got[1]] != rowtags.TermGroup || filings["post_translations"] != rowtags.PostGroup {
		t.Errorf("%q, filed as %v", got, filings)
	}
}

// TestInactiveLanguages checks that languages that were switched off, as Polylang 3.9 can, are not
// among the site's languages.
func TestInactiveLanguages(t *testing.T) {
	for _, c := range []struct {
		name, description, want string
	}{
		{"older Polylang", `a:1:{s:6:"locale";s:5:"de_DE";}`, "[cs de]"},
		{"active", `a:2:{s:6:"locale";s:5:"de_DE";s:6:"active";b:1;}`, "[cs de]"},
		{"inactive", `a:2:{s:6:"locale";s:5:"de_DE";s:6:"active";b:0;}`, "[cs]"},
		{"inactive as a number", `a:2:{s:6:"locale";s:5:"de_DE";s:6:"active";i:0;}`, "[cs]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			s.exec("UPDATE wp_term_taxonomy SET description = '" + c.description + "' WHERE term_taxonomy_id = 12")
			var facts wpstore.SiteFacts
			facts.Raw = s.facts.Raw
			err := s.plugin.ReadSite(t.Context(), s.rows.Runner, &facts, nil)
			if got := fmt.Sprint(facts.Languages.Codes()); err != nil || got != c.want {
				t.Errorf("%s, want %s: %v", got, c.want, err)
			}
		})
	}
}
