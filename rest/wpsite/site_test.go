package wpsite

import (
	"fmt"
	"testing"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/trait"
	"calbridge/rest/wpcap"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
	"calbridge/wpstore/langpack"
	"calbridge/wpstore/php"
)

// testFacts returns those of an invented site.
func testFacts() *wpstore.SiteFacts {
	return &wpstore.SiteFacts{
		SiteAddresses:  wpstore.SiteAddresses{Home: "http://village.example/town/", SiteURL: "http://village.example/town/wp"},
		SitePermalinks: wpstore.SitePermalinks{PermalinkStructure: "/read/%year%/%postname%/"},
		SiteLocale:     wpstore.SiteLocale{TimezoneString: "Europe/Prague", BlogCharset: "UTF-8"},
		Raw:            map[string]string{"x": "y"}, DBVersion: "60717",
	}
}

// bilingual adds the directory /en to a site whose default language is Czech.
func bilingual(plugin i18n.Plugin) *wpstore.SiteFacts {
	f := testFacts()
	f.Languages = i18n.Languages{Plugin: plugin, Default: "cs", Form: i18n.Directory, All: []i18n.Language{{Code: "cs", Locale: "cs_CZ"}, {Code: "en", Locale: "en_US", Prefix: "/en"}}}
	return f
}

func testSite(facts *wpstore.SiteFacts, compat api.Compat) *Site {
	return NewBuilder(&Settings{RESTPrefix: "wp-json", Compat: compat, Theme: wptext.TwentyTwentyFive()}).Site(facts)
}

func TestOptions(t *testing.T) {
	f := testFacts()
	f.Calendar = api.Object("multiDayCutoff", "05:30", "tribe_events_timezone_mode", "site", "eventsSlug", "Fairs & More")
	s := testSite(f, api.Safe)
	plain := testSite(testFacts(), api.Safe)
	hours, minutes := s.DayCutoff()
	noHours, noMinutes := plain.DayCutoff()
	for name, c := range map[string][2]any{
		"cutoff":             {[2]int{hours, minutes}, [2]int{5, 30}},
		"default cutoff":     {[2]int{noHours, noMinutes}, [2]int{0, 0}},
		"site mode":          {[2]bool{s.SiteMode(), plain.SiteMode()}, [2]bool{true, false}},
		"UTC dates":          {[2]bool{s.UTCDates(), plain.UTCDates()}, [2]bool{true, false}},
		"option":             {s.OptionText("eventsSlug", "events"), "Fairs & More"},
		"default option":     {plain.OptionText("eventsSlug", "events"), "events"},
		"raw":                {[2]string{s.RawOption("x", "-"), s.RawOption("z", "-")}, [2]string{"y", "-"}},
		"zone":               {s.CoreZone().String(), "Europe/Prague"},
		"slug":               {s.Slug("Old Mill!"), "old-mill"},
		"home":               {s.Home, "http://village.example/town"},
		"language parameter": {s.Settings.LanguageParameter(), "language_code"},
		"wording":            {s.WordingFor("xx") == s.WordingFor(""), true},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
}

// TestTraits: traits come from the settings, else from the versions that the database says.
func TestTraits(t *testing.T) {
	calendar := func(version string) *php.Array { return php.Pairs("latest_ecp_version", version) }
	for name, c := range map[string]struct {
		set      Settings
		facts    wpstore.SiteFacts
		old, own bool // WordPress before 7.0, a calendar before 6.10.1
	}{
		"new":      {facts: wpstore.SiteFacts{DBVersion: "61833", Calendar: calendar("6.17.2")}},
		"old":      {facts: wpstore.SiteFacts{DBVersion: "60717", Calendar: calendar("6.8.3")}, old: true, own: true},
		"unknown":  {},
		"setting":  {set: Settings{WordPress: "6.8"}, facts: wpstore.SiteFacts{DBVersion: "61833"}, old: true},
		"gathered": {set: Settings{Traits: trait.Set{trait.NoCustomFields: true}}, facts: wpstore.SiteFacts{DBVersion: "60717"}, own: true},
	} {
		got := c.set.traits(&c.facts)
		if got.Has(trait.ParagraphsWithoutClass) != c.old || got.Has(trait.NoCustomFields) != c.own {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestHoles: what later versions closed is repeated under exact alone.
func TestHoles(t *testing.T) {
	facts := testFacts()
	facts.Calendar = php.Pairs("latest_ecp_version", "6.8.1")
	for level, want := range map[api.Compat]bool{api.Exact: true, api.Safe: false, api.Fixed: false} {
		s := testSite(facts, level)
		if got := s.Traits.Has(trait.ListsIgnorePasswords); got != want || !s.Traits.Has(trait.NoCustomFields) {
			t.Errorf("%s: %v", level, s.Traits)
		}
	}
}

func TestCookieConstant(t *testing.T) {
	constant := Settings{Constant: func(name string) (string, bool) { return name, name == "COOKIEHASH" }}
	if v, ok := constant.CookieConstant("COOKIEHASH"); !ok || v != "COOKIEHASH" {
		t.Error(v, ok)
	}
	if _, ok := (&Settings{}).CookieConstant("COOKIEHASH"); ok {
		t.Error("a constant without wp-config.php")
	}
}

func TestReadableStatuses(t *testing.T) {
	s := testSite(testFacts(), api.Safe)
	if got := fmt.Sprint(s.ReadableStatuses(wpcap.Anonymous(), api.Events, 0)); got != "[publish]" {
		t.Error(got)
	}
	if got := fmt.Sprint(s.ReadableStatuses(&wpcap.User{ID: 3}, api.Events, 4)); got != "[publish]" {
		t.Error(got)
	}
}

// TestLinks compares URLs with those that WordPress and TEC build from these options.
func TestLinks(t *testing.T) {
	const base = "http://village.example/town"
	pretty, index, plain := testFacts(), testFacts(), testFacts()
	index.PermalinkStructure = "/index.php/%postname%"
	plain.PermalinkStructure = ""
	pretty.TagBase = "/topic"
	post := func(kind string) *wpstore.Post {
		return &wpstore.Post{ID: 7, Type: kind, Name: "fair", PostDates: wpstore.PostDates{Date: "2026-03-04 05:06:07"}}
	}
	links := func(f *wpstore.SiteFacts) *Links { s := testSite(f, api.Safe).Place(false); return s.Links }
	p, i, q := links(pretty), links(index), links(plain)
	for name, c := range map[string][2]string{
		"event":                {p.Post(post("tribe_events"), true), base + "/event/fair/"},
		"event of index":       {i.Post(post("tribe_events"), true), base + "/index.php/event/fair"},
		"plain event":          {q.Post(post("tribe_events"), true), base + "/?tribe_events=fair"},
		"hidden event":         {p.Post(post("tribe_events"), false), base + "/?post_type=tribe_events&p=7"},
		"post":                 {p.Post(post("post"), true), base + "/read/2026/fair/"},
		"plain post":           {q.Post(post("post"), true), base + "/?p=7"},
		"page":                 {p.Post(post("page"), true), base + "/fair/"},
		"plain page":           {q.Post(post("page"), true), base + "/?page_id=7"},
		"category":             {p.Term(api.Categories, "jazz", []string{"music", "live"}), base + "/events/category/music/live/jazz/"},
		"plain category":       {q.Term(api.Categories, "jazz", nil), base + "/?tribe_events_cat=jazz"},
		"tag":                  {p.Term(api.Tags, "out", nil), base + "/read/topic/out/"},
		"tag with default":     {i.Term(api.Tags, "out", nil), base + "/index.php/tag/out"},
		"plain tag":            {q.Term(api.Tags, "out", nil), base + "/?tag=out"},
		"shared category":      {p.SharedTerm(wpstore.Term{ID: 5, Taxonomy: "tribe_events_cat", Slug: "jazz"}, []string{"music"}), base + "/events/category/music/jazz/"},
		"shared tag":           {p.SharedTerm(wpstore.Term{ID: 5, Taxonomy: "post_tag", Slug: "out"}, nil), base + "/read/topic/out/"},
		"category of posts":    {p.SharedTerm(wpstore.Term{ID: 5, Taxonomy: "category", Slug: "news"}, []string{"all"}), base + "/read/category/all/news/"},
		"plain category posts": {q.SharedTerm(wpstore.Term{ID: 5, Taxonomy: "category", Slug: "news"}, nil), base + "/?cat=5"},
		"menu":                 {p.SharedTerm(wpstore.Term{ID: 5, Taxonomy: "nav_menu", Slug: "top"}, nil), base + "/?taxonomy=nav_menu&term=top"},
		"any route":            {i.REST("fairs/v1/events/7"), base + "/index.php/wp-json/fairs/v1/events/7"},
		"any plain route":      {q.REST("fairs/v1/events/"), base + "/index.php?rest_route=/fairs/v1/events/"},
		"WordPress's route":    {p.WPRoute("tags/7"), base + "/wp-json/wp/v2/tags/7"},
		"global id":            {p.GlobalID, "village.example/town?id="},
		"path of home":         {p.HomePath(), "/town"},
		"path of a plain host": {(&Links{Home: "http://village.example"}).HomePath(), ""},
		"global id of a query": {globalID("http://village.example:81/?a=b"), "village.example/?a=b&id="},
		"second page":          {Page(base+"?page=1&x=y", 2), base + "?x=y&page=2"},
		"first page":           {Page(base+"?page=2&x=y", 1), base + "?x=y"},
		"escapes":              {upperEscapes("a%c3%a9%z"), "a%C3%A9%z"},
		"two hrefs":            {fmt.Sprint(Hrefs("a", "b").Len()), "2"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %s, want %s", name, c[0], c[1])
		}
	}
	secure := testSite(pretty, api.Safe).Place(true)
	if got := secure.Links.REST("fairs/v1/events/7"); got != "https://village.example/town/wp-json/fairs/v1/events/7" {
		t.Error("over HTTPS:", got)
	}
	if !sameSecureHost("https://a.example", "https://a.example/wp") || sameSecureHost("http://a.example", "https://a.example") {
		t.Error("hosts are compared wrongly")
	}
}

// TestPlace compares the root and language of responses, by plugin and level.
func TestPlace(t *testing.T) {
	for _, c := range []struct {
		name                          string
		plugin                        i18n.Plugin
		compat                        api.Compat
		path, lang, want              string
		rest, root, code, home, terms string
	}{
		{"no plugin", i18n.NoPlugin, api.Safe, "/en/x", "en", "", "/en/x", "", "", "", ""},
		{"WPML's default", i18n.WPML, api.Safe, "/x", "", "", "/x", "cs", "cs", "", "cs"},
		{"WPML's directory", i18n.WPML, api.Safe, "/en/x", "", "", "/x", "en", "en", "/en", "en"},
		{"WPML's parameter, faithful", i18n.WPML, api.Safe, "/x", "", "en", "/x", "cs", "en", "", "en"},
		{"WPML's parameter, fixed", i18n.WPML, api.Fixed, "/x", "", "en", "/x", "en", "en", "/en", "en"},
		{"Polylang under exact", i18n.Polylang, api.Exact, "/en/x", "", "", "/en/x", "", "", "", ""},
		{"Polylang's directory", i18n.Polylang, api.Safe, "/en/x", "", "", "/x", "en", "en", "/en", "en"},
	} {
		s := testSite(bilingual(c.plugin), c.compat)
		if c.plugin == i18n.NoPlugin {
			s = testSite(testFacts(), c.compat)
		}
		p := s.Place(false)
		rest := p.EnterRoot(c.path, "village.example", c.lang)
		p.Want(c.want)
		got := fmt.Sprint(rest, " ", p.Lang.Root, " ", p.LanguageCode(), " ", p.Links.Home, " ", p.TermLanguage(nil))
		if want := fmt.Sprint(c.rest, " ", c.root, " ", c.code, " http://village.example/town", c.home, " ", c.terms); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
	p := testSite(bilingual(i18n.WPML), api.Safe).Place(false)
	p.EnterRoot("/x", "village.example", nil)
	p.Want("en")
	if moved := p.Moved(); moved.Links.Home != p.Links.Home+"/en" || p.Lang.Root != "cs" {
		t.Errorf("moved to %s, from %s", moved.Links.Home, p.Lang.Root)
	}
	if term := p.MovedForTerm(); !term.Foreign || term.Lang.Root != "en" {
		t.Errorf("a term's place: %+v", term.Lang)
	}
	post := &wpstore.Post{ID: 7, Type: "tribe_events", Name: "fair", Language: "en"}
	if got := p.PostURL(post, true); got != "http://village.example/town/en/event/fair/" {
		t.Error(got)
	}
	if p.In("en") == (wpstore.InLanguage{}) || p.LanguageOfSlugs("en") != "" {
		t.Error("WPML restricts queries, and looks slugs up in all languages")
	}
	poly := testSite(bilingual(i18n.Polylang), api.Safe).Place(false)
	for lang, want := range map[string]string{"en": "en", "EN": "en", "xx": "cs", "0": ""} {
		if got := poly.LanguageOfSlugs(lang); got != want {
			t.Errorf("Polylang's lang %s: %q", lang, got)
		}
	}
	if none := testSite(testFacts(), api.Safe).Place(false); none.In("en") != (wpstore.InLanguage{}) {
		t.Error("a query is restricted without languages")
	}
}

// TestTextsOfPacks: addresses and typography come from the site's own language packs,
// addresses only where the calendar's options don't say them.
func TestTextsOfPacks(t *testing.T) {
	pack, err := langpack.ParsePHP([]byte("<?php return ['messages'=>['venue'=>'Lieu','organizer'=>'organisateur','category'=>'catégorie']];"))
	if err != nil {
		t.Fatal(err)
	}
	f := testFacts()
	f.WPLang = "fr_FR"
	set := &Settings{RESTPrefix: "wp-json", Language: Language{
		Packs: &langpack.Packs{Calendar: pack}, Texts: map[string]string{"event slug": "événement", "events slug": "événements", "apostrophe": "&rsquo;"},
	}}
	for name, c := range map[string]struct {
		options *php.Array
		want    [5]string
	}{
		"packs":   {nil, [5]string{"evenement", "lieu", "organisateur", "evenements", "categorie"}},
		"options": {api.Object("singleEventSlug", "fete", "eventsSlug", "fetes"), [5]string{"fete", "lieu", "organisateur", "fetes", "categorie"}},
	} {
		f.Calendar = c.options
		s := NewBuilder(set).Site(f)
		l := s.Place(false).Links
		got := [5]string{l.bases[api.Events.PostType], l.bases[api.Venues.PostType], l.bases[api.Organizers.PostType], l.events, l.catWord}
		if got != c.want || s.Locale.Apostrophe != "&rsquo;" {
			t.Errorf("%s: %q, %+v", name, got, s.Locale)
		}
	}
	both := bilingual(i18n.WPML)
	both.WPLang = "fr_FR"
	if word := NewBuilder(set).Site(both).WordingFor("en").Word("venue_base"); word != "venue" {
		t.Errorf("packs of one language on a site with several: %q", word)
	}
	set.Language.Further = map[string]*langpack.Packs{both.Languages.Find("en").Locale: set.Language.Packs}
	if word := NewBuilder(set).Site(both).WordingFor("en").Word("venue_base"); word != "Lieu" {
		t.Errorf("packs of each language: %q", word)
	}
}
