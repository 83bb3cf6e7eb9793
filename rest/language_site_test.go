package rest

import (
	"fmt"
	"testing"

	"calbridge/wpstore/php"
)

// The languages of the test sites: events 101 (cs) and 102 (en) are translations
// of each other, 103 is English only, 104 Czech only and 107 of none. Venues 201
// and 202, organizers 301 and 302, categories 31 and 33 and tags 41 and 42 are
// Czech and English. German is active, French is not.
var (
	testPosts = map[int64]string{101: "cs", 102: "en", 103: "en", 104: "cs", 201: "cs", 202: "en", 301: "cs", 302: "en"}
	testTerms = map[int64]string{31: "cs", 33: "en", 32: "cs", 34: "cs", 41: "cs", 42: "en"}
	testPairs = map[int64]int64{102: 101, 202: 201, 302: 301, 33: 31, 42: 41}
)

func trid(id int64) int64 {
	if original, ok := testPairs[id]; ok {
		return original
	}
	return id
}

func testPlugin(file string) *php.Array {
	return php.List("the-events-calendar/the-events-calendar.php", file)
}

func wpmlTestSite(t testing.TB, changes ...func(*Config)) *testSite {
	s := newTestSite(t, changes...)
	s.useWPML()
	kinds := map[int64]string{1: "post_tribe_events", 2: "post_tribe_venue", 3: "post_tribe_organizer"}
	for id, code := range testPosts {
		s.insert("icl_translations", row{"element_type": kinds[id/100], "element_id": id, "trid": trid(id), "language_code": code})
	}
	s.fileTermsUnderWPML()
	return s
}

func (s *testSite) fileTermsUnderWPML() {
	for id, code := range testTerms {
		kind := "tax_tribe_events_cat"
		if id > 40 {
			kind = "tax_post_tag"
		}
		s.insert("icl_translations", row{"element_type": kind, "element_id": id + 500, "trid": trid(id), "language_code": code})
	}
}

// useWPML gives the site Czech, English and German, and nothing in them.
func (s *testSite) useWPML() {
	s.setOption("active_plugins", testPlugin("sitepress-multilingual-cms/sitepress.php"))
	settings := &php.Array{}
	settings.SetString("default_language", "cs")
	settings.SetString("languages_order", php.Strings("cs", "en", "de"))
	settings.SetString("language_negotiation_type", int64(1))
	s.setOption("icl_sitepress_settings", settings)
	s.exec("CREATE TABLE wp_icl_languages (id integer, code varchar(7), active integer, default_locale varchar(35))")
	s.exec("CREATE TABLE wp_icl_translations (translation_id integer PRIMARY KEY, element_type varchar(60), element_id bigint, trid bigint, language_code varchar(7), source_language_code varchar(7), UNIQUE (element_type, element_id))")
	for i, code := range []string{"en", "de", "fr", "cs"} {
		s.insert("icl_languages", row{"id": i, "code": code, "active": number(code != "fr"), "default_locale": code})
	}
}

func polylangTestSite(t testing.TB, changes ...func(*Config)) *testSite {
	s := newTestSite(t, changes...)
	languages := s.usePolylang()
	for id, code := range testPosts {
		s.relate(id, languages[code])
	}
	s.fileTermsUnderPolylang(languages)
	for translation, original := range testPairs {
		taxonomy := "post_translations"
		if original < 100 {
			taxonomy = "term_translations"
		}
		members := &php.Array{}
		members.SetString("cs", original)
		members.SetString("en", translation)
		s.addLanguageTerm(1000+original, taxonomy, fmt.Sprintf("pll_%d", original), members)
		s.relate(original, 1000+original)
		s.relate(translation, 1000+original)
	}
	return s
}

func (s *testSite) fileTermsUnderPolylang(languages map[string]int64) {
	for id, code := range testTerms {
		s.relate(id, languages[code]+5)
	}
}

// usePolylang does what useWPML does, and returns the terms of the languages of
// posts; those of terms are numbered 5 higher.
func (s *testSite) usePolylang() map[string]int64 {
	s.setOption("active_plugins", testPlugin("polylang/polylang.php"))
	option := &php.Array{}
	option.SetString("default_lang", "cs")
	option.SetString("hide_default", true)
	option.SetString("rewrite", true)
	option.SetString("force_lang", int64(1))
	s.setOption("polylang", option)
	languages := map[string]int64{}
	for i, code := range []string{"cs", "en", "de"} {
		languages[code] = 90 + int64(i)
		s.addLanguageTerm(90+int64(i), "language", code, "")
		s.addLanguageTerm(95+int64(i), "term_language", "pll_"+code, "")
	}
	return languages
}

// addLanguageTerm adds a term of one of Polylang's taxonomies, relate files a post
// or a term under it.
func (s *testSite) addLanguageTerm(id int64, taxonomy, slug string, description php.Value) {
	s.insert("terms", row{"term_id": id, "name": slug, "slug": slug, "term_group": id})
	s.insert("term_taxonomy", row{"term_taxonomy_id": id + 500, "term_id": id, "taxonomy": taxonomy, "description": storedValue(description)})
}

func (s *testSite) relate(object, term int64) {
	s.insert("term_relationships", row{"object_id": object, "term_taxonomy_id": term + 500})
}

func languageTestSite(t testing.TB, name string, changes ...func(*Config)) *testSite {
	switch name {
	case "wpml":
		return wpmlTestSite(t, changes...)
	case "polylang":
		return polylangTestSite(t, changes...)
	}
	return newTestSite(t, changes...)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
