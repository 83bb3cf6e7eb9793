package sample

import (
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// languageSettings returns WPML's option: each language except the default one has a
// directory.
func languageSettings(languages []language) *php.Array {
	var codes []string
	for i := range languages {
		codes = append(codes, languages[i].code)
	}
	const translated = int64(1)
	return php.Pairs(
		"active_languages", php.Strings(codes...),
		"default_language", codes[0],
		"languages_order", php.Strings(codes...),
		"language_negotiation_type", int64(1),
		"urls", php.Pairs("directory_for_default_language", int64(0), "show_on_root", ""),
		"custom_posts_sync_option", php.Pairs("post", translated, "page", translated, wpstore.EventType, translated,
			wpstore.VenueType, translated, wpstore.OrganizerType, translated, wpstore.AttachmentType, translated),
		"taxonomies_sync_option", php.Pairs("category", translated, wpstore.TagTaxonomy, translated,
			wpstore.CategoryTaxonomy, translated, priorities, translated),
		"auto_adjust_ids", int64(1),
		"sync_post_date", int64(1),
		"sync_post_taxonomies", int64(1),
		"existing_content_language_verified", int64(1),
		"setup_complete", int64(1),
	)
}

// writeLanguages writes the town's languages and one that is inactive.
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

// translation adds an element to a group of translations, 0 for a new one, and returns the
// group and the language of its original.
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
