package sitecheck

import (
	"cmp"
	"fmt"
	"strings"

	"calbridge/cmd/calbridge/settings"
	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/check"
)

// foreignLanguagePlugins are not supported.
var foreignLanguagePlugins = []struct{ folder, name string }{
	{"translatepress-multilingual/", "TranslatePress"}, {"multilingualpress/", "MultilingualPress"}, {"weglot/", "Weglot"},
}

// languageFinding lists the site's languages and their URLs.
func languageFinding(s *settings.Settings, facts *wpstore.SiteFacts) check.Finding {
	const name = "site.languages"
	locale := cmp.Or(facts.WPLang, "en_US")
	found := &facts.Languages
	if found.Plugin == i18n.NoPlugin {
		for _, plugin := range facts.ActivePlugins {
			for _, known := range foreignLanguagePlugins {
				if strings.HasPrefix(plugin, known.folder) {
					return Warning(name, fmt.Sprintf("%s, with %s", locale, known.name), "This plugin is not supported: content of all languages is listed together.")
				}
			}
			if i18n.DetectPlugin([]string{plugin}) != i18n.NoPlugin {
				return Warning(name, locale+", with "+plugin, "The plugin has no languages yet: finish its setup in WordPress.")
			}
		}
		if s.API.Languages != nil {
			return Success(name, fmt.Sprintf("%s, no language plugin; %s selects the wording: %s", locale, s.API.LanguageParam, strings.Join(s.API.Languages, ", ")))
		}
		return Success(name, locale+", no language plugin")
	}
	plugin := "WPML"
	if found.Plugin == i18n.Polylang {
		plugin = "Polylang"
	}
	home := strings.TrimRight(cmp.Or(s.Site.Home, facts.Home), "/")
	var places []string
	for _, code := range found.Codes() {
		place := code + " " + found.HomeURL(home, code) + "/"
		if argument := found.Argument(code); argument != "" {
			place += "?lang=" + argument
		}
		if code == found.Default {
			place += " (default)"
		}
		places = append(places, place)
	}
	text := fmt.Sprintf("%s, URLs by %s: %s", plugin, found.Form, strings.Join(places, ", "))
	if found.Plugin == i18n.Polylang && s.ReadCompat() == api.Exact {
		return Warning(name, text, "With --compat exact, and for reads in mode auto, the API has one root and no language parameter, as Polylang leaves it; safe and fixed have them.")
	}
	return Success(name, text+"; parameter "+s.API.LanguageParam)
}
