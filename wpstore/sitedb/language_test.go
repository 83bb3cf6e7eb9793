package sitedb_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// wpmlSite fills a site with WPML's tables: events 1, 2 (cs, en) and 3 (cs only),
// 4 without a language; venues 11, 12 (cs, en); categories 21, 22 (cs, en), of
// which 23 (cs) is below 21.
func (f fixture) wpmlSite() *i18n.Languages {
	for _, text := range []string{
		"CREATE TABLE " + f.db.Table("icl_languages") + " (id integer, code varchar(7), active integer, default_locale varchar(35))",
		"CREATE TABLE " + f.db.Table("icl_translations") + " (element_type varchar(60), element_id bigint, trid bigint, language_code varchar(7))",
	} {
		if _, err := f.db.SQL().Exec(text); err != nil {
			f.t.Fatal(err)
		}
	}
	for i, lang := range []struct {
		code   string
		active int
	}{{"en", 1}, {"fr", 0}, {"cs", 1}} {
		f.Insert("icl_languages", row{"id": i, "code": lang.code, "active": lang.active, "default_locale": lang.code + "_XX"})
	}
	f.Option("active_plugins", `a:1:{i:0;s:40:"sitepress-multilingual-cms/sitepress.php";}`)
	f.Option("icl_sitepress_settings", `a:2:{s:16:"default_language";s:2:"cs";s:25:"language_negotiation_type";i:1;}`)
	f.content()
	for _, e := range []struct {
		kind     string
		id, trid int64
		code     string
	}{
		{"post_tribe_events", 1, 1, "cs"}, {"post_tribe_events", 2, 1, "en"}, {"post_tribe_events", 3, 2, "cs"},
		{"post_tribe_venue", 11, 3, "cs"}, {"post_tribe_venue", 12, 3, "en"},
		{"tax_tribe_events_cat", 1021, 4, "cs"}, {"tax_tribe_events_cat", 1022, 4, "en"}, {"tax_tribe_events_cat", 1023, 5, "cs"},
		{"tax_category", 1, 6, "cs"}, // the same numbers elsewhere mean nothing
	} {
		f.Insert("icl_translations", row{"element_type": e.kind, "element_id": e.id, "trid": e.trid, "language_code": e.code})
	}
	return f.languages()
}

// polylangSite returns the same with Polylang's taxonomies.
func (f fixture) polylangSite() *i18n.Languages {
	f.Option("active_plugins", `a:1:{i:0;s:21:"polylang/polylang.php";}`)
	f.Option("polylang", `a:4:{s:12:"default_lang";s:2:"cs";s:12:"hide_default";b:1;s:10:"force_lang";i:1;s:7:"rewrite";b:1;}`)
	f.content()
	for i, code := range []string{"cs", "en"} {
		f.Term(int64(31+i), "language", code, code, 0, 0)
		f.Term(int64(33+i), "term_language", code, "pll_"+code, 0, 0)
	}
	groups := map[int64]string{41: `a:2:{s:2:"cs";i:1;s:2:"en";i:2;}`, 42: `a:2:{s:2:"cs";i:11;s:2:"en";i:12;}`}
	for id, members := range groups {
		f.Insert("terms", row{"term_id": id, "name": "pll", "slug": "pll"})
		f.Insert("term_taxonomy", row{"term_taxonomy_id": 1000 + id, "term_id": id, "taxonomy": "post_translations", "description": members})
	}
	f.Insert("terms", row{"term_id": 43, "name": "pll", "slug": "pll"})
	f.Insert("term_taxonomy", row{"term_taxonomy_id": 1043, "term_id": 43, "taxonomy": "term_translations", "description": `a:2:{s:2:"cs";i:21;s:2:"en";i:22;}`})
	for object, terms := range map[int64][]int64{
		1: {31, 41}, 2: {32, 41}, 3: {31}, 11: {31, 42}, 12: {32, 42}, 21: {33, 43}, 22: {34, 43}, 23: {33},
	} {
		for _, term := range terms {
			f.Tag(object, term)
		}
	}
	return f.languages()
}

func (f fixture) content() {
	for id := int64(1); id <= 4; id++ {
		f.Event(id, "2026-12-0"+string(rune('0'+id))+" 10:00:00", nil)
	}
	f.Post(11, wpstore.VenueType, nil)
	f.Post(12, wpstore.VenueType, nil)
	f.Term(21, category, "Hudba", "hudba", 0, 1)
	f.Term(22, category, "Hudba", "hudba-en", 0, 1)
	f.Term(23, category, "Jazz", "jazz", 21, 1)
	f.Tag(2, 22)
	f.Tag(2, 23)
}

func (f fixture) languages() *i18n.Languages {
	f.t.Helper()
	facts, err := f.Options.SiteFacts(f.t.Context())
	f.OK(err)
	return &facts.Languages
}

// eachPlugin runs a test on a site with each plugin, in each engine.
func eachPlugin(t *testing.T, test func(fixture, *i18n.Languages)) {
	t.Run("wpml", func(t *testing.T) { eachEngine(t, func(f fixture) { test(f, f.wpmlSite()) }) })
	t.Run("polylang", func(t *testing.T) { eachEngine(t, func(f fixture) { test(f, f.polylangSite()) }) })
}

func TestLanguagesOfSite(t *testing.T) {
	eachPlugin(t, func(f fixture, languages *i18n.Languages) {
		if diff := cmp.Diff([]string{"cs", "en"}, languages.Codes()); diff != "" {
			f.t.Error(diff)
		}
		if languages.Default != "cs" || languages.HomeURL("https://a.org", "en") != "https://a.org/en" {
			f.t.Errorf("%+v", languages)
		}
	})
	eachEngine(t, func(f fixture) {
		f.Option("active_plugins", `a:1:{i:0;s:40:"sitepress-multilingual-cms/sitepress.php";}`)
		if got := f.languages(); got.Plugin != i18n.NoPlugin {
			f.t.Errorf("a plugin without tables gives %+v", got)
		}
	})
}

func TestListsInLanguage(t *testing.T) {
	publish := []string{"publish"}
	eachPlugin(t, func(f fixture, languages *i18n.Languages) {
		for code, want := range map[string][]int64{"cs": {1, 3}, "en": {2}, "": {1, 2, 3, 4}, "xx": {1, 2, 3, 4}} {
			q := wpstore.EventQuery{Statuses: publish, Occurrences: true, Language: wpstore.In(languages, code), Limit: 10}
			f.queries(1, func(ctx context.Context) {
				ids, total, err := eventIDs(ctx, &f.Events, q)
				f.OK(err)
				if diff := cmp.Diff(want, ids); diff != "" || total != int64(len(want)) {
					f.t.Errorf("%s: total %d %s", code, total, diff)
				}
			})
		}
		czech := wpstore.EventQuery{Statuses: publish, Occurrences: true, Language: wpstore.In(languages, "cs")}
		for offset, want := range map[int64]wpstore.EventPage{0: {IDs: []int64{2}, Total: 1, Counted: 2}, 5: {Total: 1, Counted: 2}} {
			q := czech
			q.Language, q.Limit, q.Offset = wpstore.In(languages, "en"), 5, offset
			page, err := f.Events.Events(f.t.Context(), q, &czech)
			f.OK(err)
			if diff := cmp.Diff(want, page); diff != "" {
				f.t.Errorf("offset %d: %s", offset, diff)
			}
		}
		venues, err := f.Linked.Linked(f.t.Context(), wpstore.LinkedQuery{
			PostType: wpstore.VenueType, Statuses: publish, Language: wpstore.In(languages, "en"), Limit: 10,
		}, wpstore.InLanguage{})
		f.OK(err)
		if diff := cmp.Diff([]int64{12}, venues.IDs); diff != "" || venues.Total != 1 {
			f.t.Errorf("venues: total %d %s", venues.Total, diff)
		}
	})
}

func TestTermsInLanguage(t *testing.T) {
	event := int64(2)
	eachPlugin(t, func(f fixture, languages *i18n.Languages) {
		czech := wpstore.TermQuery{Taxonomy: category, Hierarchical: true, HideEmpty: true, Language: wpstore.In(languages, "cs"), Limit: 10}
		same, ofEvent := czech, czech
		only := int64(23)
		same.Same = &only
		ofEvent.PostID = &event
		for name, c := range map[string]struct {
			q     wpstore.TermQuery
			want  []int64
			total int64
		}{
			"language": {czech, []int64{21, 23}, 2},
			"same":     {same, []int64{23}, 1},
			// The terms of a post are listed whatever their language.
			"event": {ofEvent, []int64{22, 23}, 1},
		} {
			terms, total, err := f.Terms.TermList(f.t.Context(), c.q)
			f.OK(err)
			var ids []int64
			for _, term := range terms {
				ids = append(ids, term.ID)
			}
			if diff := cmp.Diff(c.want, ids); diff != "" || total != c.total {
				f.t.Errorf("%s: total %d %s", name, total, diff)
			}
		}
		f.Insert("terms", row{"term_id": 29, "name": "Music", "slug": "hudba"})
		f.Insert("term_taxonomy", row{"term_taxonomy_id": 1029, "term_id": 29, "taxonomy": category, "description": ""})
		f.queries(1, func(ctx context.Context) {
			found, err := f.Terms.LookupTerms(ctx, category, wpstore.TermLookup{
				IDs: []int64{23, 99}, Slugs: []string{"hudba", "hudba-en"}, Translations: languages.Plugin,
			})
			f.OK(err)
			want := map[int64]i18n.Group{21: {"cs": 21, "en": 22}, 22: {"cs": 21, "en": 22}, 23: {"cs": 23}}
			if diff := cmp.Diff(want, found.Groups); diff != "" {
				f.t.Error(diff)
			}
			var same []int64
			for _, term := range found.SameSlug["hudba"] {
				same = append(same, term.ID)
			}
			if diff := cmp.Diff([]int64{21, 29}, same); diff != "" || found.BySlug["hudba"].ID != 21 {
				f.t.Errorf("the slug hudba finds %d first %s", found.BySlug["hudba"].ID, diff)
			}
		})
	})
}

func TestTranslations(t *testing.T) {
	eachPlugin(t, func(f fixture, languages *i18n.Languages) {
		f.queries(1, func(ctx context.Context) {
			got, err := f.Posts.PostTranslations(ctx, languages, []int64{1, 3, 4, 12, 99})
			f.OK(err)
			want := map[int64]i18n.Group{1: {"cs": 1, "en": 2}, 3: {"cs": 3}, 12: {"cs": 11, "en": 12}}
			if diff := cmp.Diff(want, got); diff != "" {
				f.t.Error(diff)
			}
		})
		f.queries(1, func(ctx context.Context) {
			got, err := f.Terms.TermTranslations(ctx, languages, category, []int64{22, 23, 99})
			f.OK(err)
			want := map[int64]i18n.Group{22: {"cs": 21, "en": 22}, 23: {"cs": 23}}
			if diff := cmp.Diff(want, got); diff != "" {
				f.t.Error(diff)
			}
		})
		f.queries(1, func(ctx context.Context) {
			posts, err := f.Posts.PostsWithLanguage(ctx, languages, []int64{1, 2, 4, 12})
			f.OK(err)
			got := map[int64]string{}
			for id, p := range posts {
				got[id] = p.Language
			}
			if diff := cmp.Diff(map[int64]string{1: "cs", 2: "en", 4: "", 12: "en"}, got); diff != "" {
				f.t.Error(diff)
			}
		})
		f.queries(0, func(ctx context.Context) {
			got, err := f.Posts.PostTranslations(ctx, &i18n.Languages{}, []int64{1})
			f.OK(err)
			if len(got) != 0 {
				f.t.Errorf("without a plugin: %v", got)
			}
		})
	})
}

// The recorded sites tell their languages.
func TestLanguagesOfRecordedSites(t *testing.T) {
	for _, site := range []string{"mono", "wpml", "poly"} {
		for _, engine := range wptest.Engines() {
			t.Run(site+"/"+engine, func(t *testing.T) {
				d := wptest.Site(t, engine, site)
				db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, d.DSN)}, Tables: table.Config{Prefix: d.TablePrefix}})
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				facts, err := db.Session(nil).Options.SiteFacts(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				got := facts.Languages
				want := []string{"cs", "en", "de"}
				if site == "mono" {
					want = nil
				}
				if diff := cmp.Diff(want, got.Codes()); diff != "" {
					t.Fatal(diff)
				}
				if site == "mono" {
					return
				}
				if got.Form != i18n.Directory || got.HomeURL(d.Home, "cs") != d.Home || got.HomeURL(d.Home, "de") != d.Home+"/de" || got.Find("de").Locale != "de_DE" {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}
