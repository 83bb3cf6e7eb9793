package sample

import (
	"strconv"

	"calbridge/wpstore/php"
)

// The post types of the calendar.
const (
	eventType     = "tribe_events"
	venueType     = "tribe_venue"
	organizerType = "tribe_organizer"
)

// priorities is WPML's taxonomy of how urgent the translation of a post is.
const priorities = "translation_priority"

// languageSettings is WPML's option: languages in directories, the default one
// without.
func (l *loader) languageSettings() *php.Array {
	var codes []string
	for i := range l.languages {
		codes = append(codes, l.languages[i].code)
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

// languageTables writes the town's languages, and one that WPML knows and the
// town does not use.
func (l *loader) languageTables() {
	known := l.table("icl_languages", "id", "code", "english_name", "major", "active", "default_locale", "tag", "encode_url")
	names := l.table("icl_languages_translations", "language_code", "display_language_code", "name")
	for i := range l.languages {
		lang := &l.languages[i]
		known.add(i+1, lang.code, lang.name, 1, 1, lang.locale, lang.code, 0)
		names.add(lang.code, lang.code, lang.own)
		for j := range l.languages {
			if other := &l.languages[j]; i != j {
				names.add(other.code, lang.code, lang.others[other.code])
			}
		}
	}
	known.add(len(l.languages)+1, "pl", "Polish", 0, 0, "pl_PL", "pl", 0)
}

// translate writes something once in each language that has words for it, as
// translations of each other.
func (l *loader) translate(kind, key, postType string, words func(*language) map[string]words, write func(*language, words) int64) {
	group, source := int64(0), ""
	for i := range l.languages {
		lang := &l.languages[i]
		w, ok := words(lang)[key]
		if !ok {
			continue
		}
		id := write(lang, w)
		l.ids[kind+" "+key+" "+lang.code] = id
		l.table("term_relationships", "object_id", "term_taxonomy_id", "term_order").
			add(id, l.taxonomies[priorities+"  "+lang.code], 0)
		group, source = l.fileTranslation("post_"+postType, id, group, lang.code, source)
	}
	if group == 0 {
		l.fail("%s %s has words in no language", kind, key)
	}
}

// fileTranslation adds something to a group of translations, 0 for a new one,
// and returns the group and the language of its original.
func (l *loader) fileTranslation(elementType string, id, group int64, code, source string) (int64, string) {
	if group == 0 {
		l.groups++
		group = l.groups
	}
	var from any
	if source != "" {
		from = source
	}
	l.table("icl_translations", "element_type", "element_id", "trid", "language_code", "source_language_code").
		add(elementType, id, group, code, from)
	if source == "" {
		source = code
	}
	return group, source
}

// linked is the id of a venue or organizer, as text: its translation into a
// language, or else the original.
func (l *loader) linked(kind, key string, lang *language) string {
	id := l.ids[kind+" "+key+" "+lang.code]
	for i := 0; id == 0 && i < len(l.languages); i++ {
		id = l.ids[kind+" "+key+" "+l.languages[i].code]
	}
	if id == 0 {
		l.fail("there is no %s %s", kind, key)
	}
	return strconv.FormatInt(id, 10)
}
