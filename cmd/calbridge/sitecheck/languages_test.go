package sitecheck

import (
	"strings"
	"testing"

	"calbridge/cmd/calbridge/settings"
	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/wpstore"
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
		"promised":   {codes: []string{"cs", "en"}, want: "language_code selects the wording: cs, en"},
		"wpml":       {facts: wpstore.SiteFacts{Languages: wpml}, want: "WPML, URLs by directory: cs https://a.org/ (default), en https://a.org/en/; parameter language_code"},
		"parameter":  {facts: wpstore.SiteFacts{Languages: parameter}, want: "en https://a.org/?lang=en"},
		"polylang":   {facts: wpstore.SiteFacts{Languages: polylang}, compat: api.Safe, want: "Polylang, URLs by directory: cs https://a.org/ (default), en https://a.org/en/"},
		"exact":      {facts: wpstore.SiteFacts{Languages: polylang}, compat: api.Exact, want: "Polylang", advised: true},
		"not set up": {facts: wpstore.SiteFacts{ActivePlugins: []string{"polylang/polylang.php"}}, want: "with polylang/polylang.php", advised: true},
		"foreign":    {facts: wpstore.SiteFacts{ActivePlugins: []string{"translatepress-multilingual/index.php"}}, want: "TranslatePress", advised: true},
	} {
		c.facts.Home = "https://a.org/"
		s := &settings.Settings{API: settings.API{LanguageParam: "language_code", Languages: c.codes, Compat: c.compat}}
		got := languageFinding(s, &c.facts)
		if !strings.Contains(got.Found, c.want) || (got.Advice != "") != c.advised {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
