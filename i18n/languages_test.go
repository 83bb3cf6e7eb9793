package i18n

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDetectPlugin(t *testing.T) {
	for _, c := range []struct {
		plugins []string
		want    Plugin
	}{
		{nil, NoPlugin},
		{[]string{"the-events-calendar/the-events-calendar.php"}, NoPlugin},
		{[]string{"akismet/akismet.php", "sitepress-multilingual-cms/sitepress.php"}, WPML},
		{[]string{"polylang/polylang.php"}, Polylang},
		{[]string{"polylang-pro/polylang.php"}, Polylang},
		{[]string{"polylang-import/import.php", "sitepress.php"}, NoPlugin},
	} {
		if got := DetectPlugin(c.plugins); got != c.want {
			t.Errorf("%v: %q, want %q", c.plugins, got, c.want)
		}
	}
}

var three = []Language{{Code: "en", Locale: "en_US"}, {Code: "de", Locale: "de_DE"}, {Code: "cs", Locale: "cs_CZ"}}

func wpml(f WPMLFacts) Languages {
	f.Default, f.Order, f.Active = "cs", []string{"de", "cs", "fr"}, three
	return FromWPML(f)
}

func TestFromWPML(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts WPMLFacts
		form  URLForm
		homes []string // of cs, de, en
	}{
		{"directories", WPMLFacts{Negotiation: 1}, Directory, []string{"https://a.org/x", "https://a.org/x/de", "https://a.org/x/en"}},
		{"directories, default too", WPMLFacts{Negotiation: 1, DefaultDirectory: true}, Directory, []string{"https://a.org/x/cs", "https://a.org/x/de", "https://a.org/x/en"}},
		{"domains", WPMLFacts{Negotiation: 2, Domains: map[string]string{"de": "a.de", "en": "https://a.com"}}, Domain, []string{"https://a.org/x", "https://a.de/x", "https://a.com/x"}},
		{"parameter", WPMLFacts{Negotiation: 3}, Parameter, []string{"https://a.org/x", "https://a.org/x", "https://a.org/x"}},
	} {
		l := wpml(c.facts)
		// The default comes first, then the order, then what the order forgot.
		if diff := cmp.Diff([]string{"cs", "de", "en"}, l.Codes()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if l.Form != c.form {
			t.Errorf("%s: form %s", c.name, l.Form)
		}
		for i, code := range l.Codes() {
			if got := l.HomeURL("https://a.org/x", code); got != c.homes[i] {
				t.Errorf("%s: home of %s is %s, want %s", c.name, code, got, c.homes[i])
			}
		}
		argument := ""
		if c.form == Parameter {
			argument = "de"
		}
		if got := l.Argument("de"); got != argument || l.Argument("cs") != "" || l.Argument("xx") != "" {
			t.Errorf("%s: argument %q", c.name, got)
		}
	}
}

func TestFromPolylang(t *testing.T) {
	for _, c := range []struct {
		name  string
		facts PolylangFacts
		form  URLForm
		homes []string // of cs, en, de
	}{
		{"content", PolylangFacts{}, Content, []string{"https://www.a.org", "https://www.a.org", "https://www.a.org"}},
		{"directories", PolylangFacts{Force: 1, HideDefault: true, ShortDirectory: true}, Directory, []string{"https://www.a.org", "https://www.a.org/en", "https://www.a.org/de"}},
		{"long directories", PolylangFacts{Force: 1}, Directory, []string{"https://www.a.org/language/cs", "https://www.a.org/language/en", "https://www.a.org/language/de"}},
		{"subdomains", PolylangFacts{Force: 2, HideDefault: true}, Domain, []string{"https://www.a.org", "https://en.a.org", "https://de.a.org"}},
		{"domains", PolylangFacts{Force: 3, Domains: map[string]string{"cs": "https://a.cz", "en": "https://a.com"}}, Domain, []string{"https://a.cz", "https://a.com", "https://www.a.org"}},
	} {
		c.facts.Default, c.facts.All = "cs", three
		l := FromPolylang(c.facts, "https://www.a.org")
		if diff := cmp.Diff([]string{"cs", "en", "de"}, l.Codes()); diff != "" || l.Form != c.form {
			t.Errorf("%s: form %s %s", c.name, l.Form, diff)
		}
		for i, code := range l.Codes() {
			if got := l.HomeURL("https://www.a.org", code); got != c.homes[i] {
				t.Errorf("%s: home of %s is %s, want %s", c.name, code, got, c.homes[i])
			}
		}
	}
}

func TestResolve(t *testing.T) {
	directories, parameter := wpml(WPMLFacts{Negotiation: 1}), wpml(WPMLFacts{Negotiation: 3})
	all := wpml(WPMLFacts{Negotiation: 1, DefaultDirectory: true})
	domains := wpml(WPMLFacts{Negotiation: 2, Domains: map[string]string{"de": "a.de"}})
	polylang := FromPolylang(PolylangFacts{Default: "cs", HideDefault: true, Force: 1, ShortDirectory: true, All: three}, "https://a.org")
	for _, c := range []struct {
		name             string
		l                Languages
		path, host, lang string
		code, rest       string
	}{
		{"default", directories, "/wp-json/x", "", "", "", "/wp-json/x"},
		{"directory", directories, "/en/wp-json/x", "", "", "en", "/wp-json/x"},
		{"directory alone", directories, "/en", "", "", "en", "/"},
		{"directory wins", directories, "/de/wp-json/", "", "en", "de", "/wp-json/"},
		{"default has none", directories, "/cs/wp-json/", "", "", "", "/cs/wp-json/"},
		{"default has one", all, "/cs/wp-json/", "", "", "cs", "/wp-json/"},
		{"letter case", directories, "/EN/wp-json/", "", "", "", "/EN/wp-json/"},
		{"longer segment", directories, "/english/wp-json/", "", "", "", "/english/wp-json/"},
		{"inactive", directories, "/fr/wp-json/", "", "fr", "", "/fr/wp-json/"},
		{"lang", directories, "/wp-json/", "", "en", "en", "/wp-json/"},
		{"lang of default", directories, "/wp-json/", "", "cs", "cs", "/wp-json/"},
		{"lang in capitals", directories, "/wp-json/", "", "EN", "", "/wp-json/"},
		{"lang all", directories, "/wp-json/", "", "all", "", "/wp-json/"},
		{"parameter", parameter, "/en/wp-json/", "", "de", "de", "/en/wp-json/"},
		{"domain", domains, "/wp-json/", "A.de", "", "de", "/wp-json/"},
		{"domain with port", domains, "/wp-json/", "a.de:8443", "", "de", "/wp-json/"},
		{"other domain", domains, "/wp-json/", "a.org", "", "", "/wp-json/"},
		{"polylang directory", polylang, "/en/wp-json/", "", "", "en", "/wp-json/"},
		{"polylang lang is no root", polylang, "/wp-json/", "", "en", "", "/wp-json/"},
		{"no plugin", Languages{}, "/en/wp-json/", "", "en", "", "/en/wp-json/"},
	} {
		code, rest := c.l.Resolve(c.path, c.host, c.lang)
		if code != c.code || rest != c.rest {
			t.Errorf("%s: %q %q, want %q %q", c.name, code, rest, c.code, c.rest)
		}
	}
}

func TestPolylangTerms(t *testing.T) {
	l := FromPolylang(PolylangFacts{Default: "cs", All: three}, "")
	for lang, want := range map[string]string{"": "", "0": "", "en": "en", "EN": "en", "xx": "cs", "all": "cs", "en,de": "cs", "cs_CZ": "cs"} {
		if got := l.PolylangTerms(lang, false); got != want {
			t.Errorf("%q: %q, want %q", lang, got, want)
		}
	}
	if got := l.PolylangTerms("en", true); got != "" {
		t.Errorf("absent: %q", got)
	}
}

func TestChoice(t *testing.T) {
	for _, c := range []struct {
		choice                       Choice
		items, totals, first, second string
	}{
		{Choice{}, "", "", "", ""},
		{Choice{Root: "cs"}, "cs", "cs", "cs", "cs"},
		{Choice{Root: "cs", Wanted: "en"}, "en", "cs", "en", "cs"},
		{Choice{Root: "cs", Wanted: "en"}.Mended(), "en", "en", "en", "en"},
		{Choice{Root: "de"}.Mended(), "de", "de", "de", "de"},
	} {
		got := []string{c.choice.Items(), c.choice.Totals(), c.choice.Linked(true), c.choice.Linked(false)}
		if diff := cmp.Diff([]string{c.items, c.totals, c.first, c.second}, got); diff != "" {
			t.Errorf("%+v: %s", c.choice, diff)
		}
	}
}

func TestGroups(t *testing.T) {
	groups := map[int64]Group{1: {"cs": 1, "en": 2}, 2: {"cs": 1, "en": 2}, 3: {"cs": 3}}
	if diff := cmp.Diff([]int64{2, 2, 3, 4}, Translate([]int64{1, 2, 3, 4}, groups, "en")); diff != "" {
		t.Error(diff)
	}
	if got := groups[2].Of(2); got != "en" {
		t.Errorf("language of 2: %q", got)
	}
	if _, ok := groups[3].Into(3, "en"); ok {
		t.Error("3 has no translation")
	}
	if id, ok := Group(nil).Into(7, "en"); id != 7 || ok {
		t.Errorf("%d %v", id, ok)
	}
}

func FuzzResolve(f *testing.F) {
	l := wpml(WPMLFacts{Negotiation: 1})
	f.Add("/en/wp-json/", "de")
	f.Add("//en", "")
	f.Fuzz(func(t *testing.T, path, lang string) {
		code, rest := l.Resolve("/"+path, "", lang)
		if code != "" && l.Find(code) == nil || rest == "" || rest[0] != '/' {
			t.Errorf("%q %q: %q %q", path, lang, code, rest)
		}
	})
}
