package polylang_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/changefeed"
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

// holds compares the rows of a query.
func (s *site) holds(step, query, want string, err error) {
	s.t.Helper()
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
		filings[got[0]] != changefeed.TermLanguage || filings[got[1]] != changefeed.TermGroup || filings["post_translations"] != changefeed.PostGroup {
		t.Errorf("%q, filed as %v", got, filings)
	}
}

func TestReads(t *testing.T) {
	s := newSite(t)
	languages := &s.facts.Languages
	found, err := s.posts.PostsWithLanguage(t.Context(), languages, []int64{50, 51, 53})
	if err != nil || found[50].Language != "cs" || found[51].Language != "de" || found[53].Language != "" {
		t.Errorf("languages of posts: %v", err)
	}
	if a, b := s.plugin.PostVariant(languages), s.plugin.PostVariant(&i18n.Languages{}); a == b {
		t.Errorf("statements of different languages share the variant %s", a)
	}
	// Post 50 says that it is Czech, whatever else its group says; 52 has no group.
	translations, err := s.posts.PostTranslations(t.Context(), languages, []int64{50, 52, 53})
	if err != nil || len(translations) != 2 || translations[50]["cs"] != 50 || translations[50]["de"] != 51 || !maps.Equal(translations[52], i18n.Group{"de": 52}) {
		t.Errorf("translations: %v %v", translations, err)
	}
	byTerm, err := s.terms.TermTranslations(t.Context(), languages, wpstore.TagTaxonomy, []int64{20, 22})
	if err != nil || !maps.Equal(byTerm[20], i18n.Group{"cs": 20, "de": 21}) || !maps.Equal(byTerm[22], i18n.Group{"cs": 22}) {
		t.Errorf("translations of terms: %v %v", byTerm, err)
	}
	in := wpstore.In(languages, "cs")
	ids, err := s.rows.IDs(t.Context(), "test", s.plugin.JoinPosts(sq.Select("p.ID").From("wp_posts p"), in, "", "p.ID"))
	if err != nil || !slices.Equal(ids, []int64{50}) {
		t.Errorf("posts in Czech: %v %v", ids, err)
	}
	tags, total, err := s.terms.TermList(t.Context(), wpstore.TermQuery{Taxonomy: wpstore.TagTaxonomy, Language: in, Limit: 9})
	if err != nil || total != 2 || tags[0].ID != 22 || tags[1].ID != 20 {
		t.Errorf("tags in Czech: %v %d %v", tags, total, err)
	}
}

func TestWritesPosts(t *testing.T) {
	s := newSite(t)
	w := s.writer(false)
	post := &wpstore.Post{ID: 54, Status: "publish"}
	s.exec("INSERT INTO wp_posts (ID, post_type, post_status) VALUES (54, 'tribe_events', 'publish')")
	s.holds("created in German", relationships, "50 11\n50 41\n51 12\n51 41\n52 12\n54 12", w.PostCreated(t.Context(), post))
	s.holds("counted", counts, "12 2", nil) // without the draft
	s.exec("UPDATE wp_posts SET post_status = 'publish' WHERE ID = 52")
	s.holds("published", counts, "12 3", w.PostUpdated(t.Context(), &wpstore.Post{ID: 52, Status: "draft"}, &wpstore.Post{ID: 52, Status: "publish"}, false))
	s.holds("without another status", counts, "12 3", w.PostUpdated(t.Context(), post, post, false))
	s.holds("deleted", relationships, "50 11\n50 41\n52 12\n54 12", w.PostDeleting(t.Context(), &wpstore.Post{ID: 51}))
	s.holds("out of the group", groups, "40 a:2:{s:2:\"cs\";i:20;s:2:\"de\";i:21;}\n41 a:2:{s:2:\"cs\";i:50;s:2:\"fr\";i:50;}", nil)
	s.holds("deleted without a group", relationships, "50 11\n50 41\n52 12", w.PostDeleting(t.Context(), post))
	s.holds("the last of a group", groups, "40 a:2:{s:2:\"cs\";i:20;s:2:\"de\";i:21;}", w.PostDeleting(t.Context(), &wpstore.Post{ID: 50}))
	if err := w.Finish(t.Context()); err != nil || !w.ResortsTags() {
		t.Error(err)
	}
}

// A German post gets the German translation of a Czech tag, which is made if there is none.
func TestTranslatesTerms(t *testing.T) {
	for _, faithful := range []bool{false, true} {
		s := newSite(t)
		got, err := s.writer(faithful).TermsOfPost(t.Context(), 51, wpstore.TagTaxonomy, []int64{20, 21, 99, 22})
		if err != nil || len(got) != 4 || !slices.Equal(got[:3], []int64{21, 21, 99}) || got[3] == 22 {
			t.Fatalf("%v %v", got, err)
		}
		s.holds("new tag", "SELECT name, slug FROM wp_terms WHERE term_id > 41 AND slug NOT LIKE 'pll%'", "Divadlo divadlo-de", err)
		if n := rowtest.Texts(t, s.rows, "SELECT COUNT(*) FROM wp_terms WHERE slug LIKE 'pll\\____________%'"); (n == "1") != faithful {
			t.Errorf("%s groups stay behind", n)
		}
		for _, id := range []int64{0, 53} { // new posts and posts without a language keep the terms
			if got, err := s.writer(faithful).TermsOfPost(t.Context(), id, wpstore.TagTaxonomy, []int64{22}); err != nil || !slices.Equal(got, []int64{22}) {
				t.Errorf("%v %v", got, err)
			}
		}
	}
}

func TestWritesTerms(t *testing.T) {
	s := newSite(t)
	w := s.writer(true)
	s.exec("INSERT INTO wp_terms (term_id, name, slug) VALUES (60, 'Schach', 'schach')")
	s.exec("INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (70, 60, 'post_tag', '')")
	schach := wpstore.Term{ID: 60, TaxonomyID: 70, Taxonomy: wpstore.TagTaxonomy, Name: "Schach"}
	if err := w.TermCreated(t.Context(), schach, "de"); err != nil {
		t.Fatal(err)
	}
	if err := w.TermCreated(t.Context(), schach, "fr"); err != nil { // a language that the site lacks
		t.Fatal(err)
	}
	name := rowtest.Texts(t, s.rows, "SELECT t.name FROM wp_terms t JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id WHERE description = 'a:1:{s:2:\"de\";i:60;}'")
	if want := fmt.Sprintf("^pll_%08x[0-9a-f]{5}$", rowtest.Noon.Unix()); !regexp.MustCompile(want).MatchString(name) {
		t.Errorf("the group's name is %q", name)
	}
	s.holds("counted", counts, "14 2\n"+rowtest.Texts(t, s.rows, "SELECT MAX(term_taxonomy_id) FROM wp_term_taxonomy")+" 1", nil)
	s.holds("deleted", "SELECT COUNT(*) FROM wp_term_relationships WHERE object_id = 60", "0", w.TermDeleting(t.Context(), schach))
	s.holds("its group is deleted", groups, "40 a:2:{s:2:\"cs\";i:20;s:2:\"de\";i:21;}\n41 a:3:{s:2:\"cs\";i:50;s:2:\"de\";i:51;s:2:\"fr\";i:50;}", nil)

	scope, err := w.StoredTerm(t.Context(), wpstore.Term{ID: 20, Taxonomy: wpstore.TagTaxonomy})
	if err != nil || scope.Code != "cs" || scope.Slugs.Terms != 13 || scope.Names.Terms != 0 {
		t.Errorf("%+v %v", scope, err)
	}
	if scope := w.NewTerm("de"); scope.Slugs.Terms != 14 || scope.Names.Terms != 14 {
		t.Errorf("%+v", scope)
	}
	// Known difference F8: a tag of another language is taken for the new one.
	if known, err := w.KnownTerm(t.Context(), wpstore.TagTaxonomy, "hudba", false); err != nil || known.ID != 20 {
		t.Errorf("%+v %v", known, err)
	}
	if known, err := s.writer(false).KnownTerm(t.Context(), wpstore.TagTaxonomy, "hudba", false); err != nil || known.ID != 0 {
		t.Errorf("%+v %v", known, err)
	}
}

// The translations of a category move along with it.
func TestMovesTranslations(t *testing.T) {
	s := newSite(t)
	s.exec(`INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent) VALUES
		(81, 81, 'tribe_events_cat', '', 0), (82, 82, 'tribe_events_cat', '', 0), (83, 83, 'tribe_events_cat', '', 81), (84, 84, 'tribe_events_cat', '', 0),
		(91, 91, 'term_translations', 'a:2:{s:2:"cs";i:81;s:2:"de";i:82;}', 0), (92, 92, 'term_translations', 'a:2:{s:2:"cs";i:83;s:2:"de";i:84;}', 0)`)
	s.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (81, 91), (82, 91), (83, 92), (84, 92)")
	change := langplugin.ChildChange{Term: wpstore.Term{ID: 83, Taxonomy: wpstore.CategoryTaxonomy, Parent: 81}, Hierarchical: true}
	const parents = "SELECT term_id, parent FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat' AND parent > 0 ORDER BY 1"
	s.holds("under the translated parent", parents, "83 81\n84 82", s.writer(false).ChildrenChanged(t.Context(), change))
	s.holds("children", "SELECT option_value FROM wp_options", "a:2:{i:81;a:1:{i:0;i:83;}i:82;a:1:{i:0;i:84;}}", nil)
	s.exec("UPDATE wp_term_taxonomy SET parent = 0 WHERE term_id = 83")
	change.Term.Parent, change.OldParent = 0, 81
	s.holds("to the top", parents, "", s.writer(false).ChildrenChanged(t.Context(), change))
}
