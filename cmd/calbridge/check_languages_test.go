package main

import (
	"strings"
	"testing"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

func TestLanguageFinding(t *testing.T) {
	active := []i18n.Language{{Code: "cs"}, {Code: "en"}}
	wpml := i18n.FromWPML(i18n.WPMLFacts{Default: "cs", Negotiation: 1, Active: active})
	parameter := i18n.FromWPML(i18n.WPMLFacts{Default: "cs", Negotiation: 3, Active: active})
	polylang := i18n.FromPolylang(i18n.PolylangFacts{Default: "cs", HideDefault: true, Force: 1, ShortDirectory: true, All: active}, "https://a.org")
	for name, c := range map[string]struct {
		facts   wpstore.SiteFacts
		compat  api.Compat
		codes   []string
		want    string
		advised bool
	}{
		"none":       {want: "en_US, no language plugin"},
		"promised":   {codes: []string{"cs", "en"}, want: "language_code chooses the wording: cs, en"},
		"wpml":       {facts: wpstore.SiteFacts{Languages: wpml}, want: "WPML, URLs by directory: cs https://a.org/ (default), en https://a.org/en/; parameter language_code"},
		"parameter":  {facts: wpstore.SiteFacts{Languages: parameter}, want: "en https://a.org/?lang=en"},
		"polylang":   {facts: wpstore.SiteFacts{Languages: polylang}, compat: api.Safe, want: "Polylang, URLs by directory: cs https://a.org/ (default), en https://a.org/en/"},
		"exact":      {facts: wpstore.SiteFacts{Languages: polylang}, compat: api.Exact, want: "Polylang", advised: true},
		"not set up": {facts: wpstore.SiteFacts{ActivePlugins: []string{"polylang/polylang.php"}}, want: "with polylang/polylang.php", advised: true},
		"foreign":    {facts: wpstore.SiteFacts{ActivePlugins: []string{"translatepress-multilingual/index.php"}}, want: "TranslatePress", advised: true},
	} {
		c.facts.Home = "https://a.org/"
		conf := &configuration{}
		conf.languageParam, conf.languages, conf.compat = "language_code", c.codes, c.compat
		got := conf.languageFinding(&c.facts)
		if !strings.Contains(got.Found, c.want) || (got.Advice != "") != c.advised {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestLanguagesFlag promises languages for the sample calendar with its language
// plugin switched off.
func TestLanguagesFlag(t *testing.T) {
	dsn := "sqlite:" + sampleFile(t)
	db, err := wpstore.Open(t.Context(), wpstore.Config{DSN: dsn, TablePrefix: "wp_"})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	plugins := phpserial.Serialize(php.Strings("the-events-calendar/the-events-calendar.php"))
	if _, err := db.SQL().Exec("UPDATE wp_options SET option_value = ? WHERE option_name = 'active_plugins'", plugins); err != nil {
		t.Fatal(err)
	}
	const want = "no language plugin; language_code chooses the wording: cs, en, de"
	if _, found := checkReport(t, "--dsn", dsn, "--languages", "cs,en,de"); !strings.Contains(found["site.languages"].Found, want) {
		t.Errorf("check says %q, want %q in it", found["site.languages"].Found, want)
	}
	s := start(t, nil, "serve", "--dsn", dsn, "--languages", "cs,en,de")
	if _, index := fetch(t, s.api+sampleAPI); strings.Count(index, `"language_code":{`) < 20 || !strings.Contains(index, `"enum":["cs","en","de"]`) {
		t.Errorf("the index does not advertise the parameter: %.500s", index)
	}
	messages := map[string]bool{}
	for _, code := range []string{"cs", "en", "de"} {
		resp, text := fetch(t, s.api+sampleAPI+"/events/99999999?language_code="+code)
		if got := outcomeOf(resp, text); got != "404 rest-event-not-found" {
			t.Errorf("%s: %s", code, got)
		}
		messages[text] = true
	}
	if len(messages) != 3 {
		t.Errorf("three languages say the same: %v", messages)
	}
	for target, want := range map[string]string{
		"/events?language_code=fr": "400 rest_invalid_param rest_not_in_enum",
		"/tags?language_code=":     "400 rest_invalid_param rest_not_in_enum",
		"/doc?language_code[]=en":  "400 rest_invalid_param rest_invalid_type",
	} {
		resp, text := fetch(t, s.api+sampleAPI+target)
		if got := outcomeOf(resp, text); got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
}
