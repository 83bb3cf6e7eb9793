package i18n

import (
	"slices"
	"strings"
)

// Plugin is the language plugin of a WordPress site.
type Plugin string

// The supported plugins. A site without one has a single language.
const (
	NoPlugin Plugin = ""
	WPML     Plugin = "wpml"
	Polylang Plugin = "polylang"
)

// DetectPlugin returns the language plugin among the main files of a site's active
// plugins. Tables and taxonomies are not sufficient, because they may be left over from a
// removed plugin.
func DetectPlugin(activePlugins []string) Plugin {
	for _, file := range activePlugins {
		switch folder, _, _ := strings.Cut(file, "/"); folder {
		case "sitepress-multilingual-cms":
			return WPML
		case "polylang", "polylang-pro":
			return Polylang
		}
	}
	return NoPlugin
}

// Parameter returns the request parameter that selects a language on the plugin's sites, "" for
// no plugin.
func (p Plugin) Parameter() string {
	switch p {
	case WPML:
		return "wpml_language"
	case Polylang:
		return "lang"
	}
	return ""
}

// URLForm is how the URLs of a site distinguish languages.
type URLForm string

// The forms of URLs. Content means that URLs contain no language.
const (
	Directory URLForm = "directory"
	Parameter URLForm = "parameter"
	Domain    URLForm = "domain"
	Content   URLForm = "content"
)

// Language is one language of a site.
type Language struct {
	Code   string // as in URLs and parameters: en, pt-br
	Locale string // WordPress's name for it: en_US
	// Prefix is its directory, such as "/en", or "" if URLs have none.
	Prefix string
	// Host is its own domain, or "" if all languages share one.
	Host string
	// PostTerm and TermTerm are the term_taxonomy ids that Polylang files posts
	// and terms of the language under; 0 elsewhere.
	PostTerm, TermTerm int64
}

// Languages holds the languages of a site. The zero value is a site without a language
// plugin.
type Languages struct {
	Plugin  Plugin
	Default string
	Form    URLForm
	// All starts with the default language; the others follow in the site's order.
	All []Language
}

// Codes returns the codes in order, nil without a plugin.
func (l *Languages) Codes() []string {
	var codes []string
	for i := range l.All {
		codes = append(codes, l.All[i].Code)
	}
	return codes
}

// Locales returns the locales of the active languages.
func (l *Languages) Locales() []string {
	locales := make([]string, 0, len(l.All))
	for i := range l.All {
		locales = append(locales, l.All[i].Locale)
	}
	return locales
}

// Find returns the active language with exactly this code, or nil.
func (l *Languages) Find(code string) *Language {
	for i := range l.All {
		if l.All[i].Code == code {
			return &l.All[i]
		}
	}
	return nil
}

// order puts the default language first and drops repetitions.
func (l *Languages) order() {
	seen := map[string]bool{}
	slices.SortStableFunc(l.All, func(a, b Language) int {
		return rank(a.Code != l.Default) - rank(b.Code != l.Default)
	})
	l.All = slices.DeleteFunc(l.All, func(lang Language) bool {
		again := seen[lang.Code] || lang.Code == ""
		seen[lang.Code] = true
		return again
	})
}

func rank(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Group is an object with its translations: ids by language code. The object
// itself is among them, under its own language.
type Group map[string]int64

// Of returns the language of an id in the group, or "" if the id is not in it.
func (g Group) Of(id int64) string {
	for code, member := range g {
		if member == id {
			return code
		}
	}
	return ""
}

// Into returns the translation of id into a language, or id itself if there is none. ok
// reports whether there is one.
func (g Group) Into(id int64, code string) (translated int64, ok bool) {
	if member, ok := g[code]; ok && member > 0 {
		return member, true
	}
	return id, false
}

// Translate replaces each id with its translation into a language, if there is one.
func Translate(ids []int64, groups map[int64]Group, code string) []int64 {
	out := make([]int64, len(ids))
	for i, id := range ids {
		out[i], _ = groups[id].Into(id, code)
	}
	return out
}
