package sample

import (
	"calbridge/wpstore/php"
)

// languageSettings is WPML's option: languages in directories, the default one
// without.
func languageSettings(languages []language) *php.Array {
	var codes []string
	for i := range languages {
		codes = append(codes, languages[i].code)
	}
	translated := func(names ...string) *php.Array {
		out := &php.Array{}
		for _, name := range names {
			out.SetString(name, int64(1))
		}
		return out
	}
	return pairs(
		"active_languages", php.Strings(codes...),
		"default_language", codes[0],
		"languages_order", php.Strings(codes...),
		"language_negotiation_type", int64(1),
		"urls", pairs("directory_for_default_language", int64(0), "show_on_root", ""),
		"custom_posts_sync_option", translated("post", "page", eventType, venueType, organizerType, "attachment"),
		"taxonomies_sync_option", translated("category", tags, categories, priorities),
		"auto_adjust_ids", int64(1),
		"sync_post_date", int64(1),
		"sync_post_taxonomies", int64(1),
		"existing_content_language_verified", int64(1),
		"setup_complete", int64(1),
	)
}

// writeLanguages writes the town's languages, and one that WPML knows and the
// town does not use.
func writeLanguages(t *tables, languages []language) {
	for i := range languages {
		lang := &languages[i]
		t.languages.add(i+1, lang.code, lang.name, 1, 1, lang.locale, lang.code, 0)
		t.languageNames.add(lang.code, lang.code, lang.own)
		for j := range languages {
			if other := &languages[j]; i != j {
				t.languageNames.add(other.code, lang.code, lang.others[other.code])
			}
		}
	}
	t.languages.add(len(languages)+1, "pl", "Polish", 0, 0, "pl_PL", "pl", 0)
}

// translation adds something to a group of translations, 0 for a new one,
// and returns the group and the language of its original.
func (t *tables) translation(elementType string, id, group int64, code, source string) (int64, string) {
	if group == 0 {
		t.groups++
		group = t.groups
	}
	var from any
	if source != "" {
		from = source
	}
	t.translations.add(elementType, id, group, code, from)
	if source == "" {
		source = code
	}
	return group, source
}
