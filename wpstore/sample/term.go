package sample

import (
	"strconv"
	"strings"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// priorities is WPML's taxonomy of translation priorities.
const priorities = "translation_priority"

// terms holds the categories and tags so far.
type terms struct {
	tables    *tables
	slugs     slugs
	languages []language
	last      int64 // last term_id, which is also the term_taxonomy_id
	// ids by taxonomy, key and language.
	ids map[string]int64
	// uses is the number of published events of each term.
	uses map[int64]int64
	// codes is the language of each term.
	codes map[int64]string
}

// id returns the id of a term in a language, 0 if it has none.
func (t *terms) id(taxonomy, key string, lang *language) int64 {
	return t.ids[taxonomy+" "+key+" "+lang.code]
}

// write writes the wpstore.CategoryTaxonomy, which has nested terms, and the tags. Their
// counts are filled in by count.
func (t *terms) write() {
	t.group(priorities, "", "", func(*language) (words, bool) { return words{name: "Optional"}, true })
	for _, c := range []struct{ key, parent string }{
		{"culture", ""}, {"music", "culture"}, {"jazz", "music"}, {"classical", "music"}, {"theatre", "culture"}, {"art", "culture"}, {"books", "culture"},
		{"markets", ""}, {"sport", ""}, {"running", "sport"}, {"children", ""}, {"town", ""}, {"courses", ""},
	} {
		t.group(wpstore.CategoryTaxonomy, c.key, c.parent, func(lang *language) (words, bool) { w, ok := lang.categories[c.key]; return w, ok })
	}
	for _, key := range []string{"free", "outdoors", "family", "advent", "accessible", "english", "german", "premiere", "workshop", "regional", "evening", "tickets"} {
		t.group(wpstore.TagTaxonomy, key, "", func(lang *language) (words, bool) { w, ok := lang.tags[key]; return w, ok })
	}
	t.hierarchy()
}

// group writes a term in each language that has a name for it. If another language has the
// same name, the slug ends in the language.
func (t *terms) group(taxonomy, key, parent string, named func(*language) (words, bool)) {
	group, source := int64(0), ""
	for i := range t.languages {
		lang := &t.languages[i]
		w, ok := named(lang)
		if !ok {
			continue
		}
		title := w.name
		if t.slugs.taken(taxonomy, title) {
			title += " " + lang.code
		}
		t.last++
		id := t.last
		t.tables.terms.add(id, strings.ReplaceAll(w.name, "&", "&amp;"), t.slugs.of(taxonomy, title), 0)
		t.tables.taxonomies.add(id, id, taxonomy, w.text, t.id(taxonomy, parent, lang), int64(0))
		t.ids[taxonomy+" "+key+" "+lang.code] = id
		t.codes[id] = lang.code
		group, source = t.tables.translation("tax_"+taxonomy, id, group, lang.code, source)
	}
}

// hierarchy writes the options that list the children of categories: under WPML one for
// each language and one for all, with ids as texts.
func (t *terms) hierarchy() {
	all := &php.Array{}
	for i := range t.languages {
		code := t.languages[i].code
		own := &php.Array{}
		for _, row := range t.tables.taxonomies.values {
			id, parent := row[0].(int64), row[4].(int64)
			if row[2] != wpstore.CategoryTaxonomy || parent == 0 || t.codes[id] != code {
				continue
			}
			for _, children := range []*php.Array{own, all} {
				children.Sub(strconv.FormatInt(parent, 10)).Append(strconv.FormatInt(id, 10))
			}
		}
		t.childrenOption(code, own)
	}
	t.childrenOption("all", all)
}

func (t *terms) childrenOption(code string, children *php.Array) {
	t.tables.options.add(wpstore.CategoryTaxonomy+"_children_"+code, phpserial.Serialize(children), "auto")
}

// assign links an event to the terms that its language has.
func (t *terms) assign(postID int64, taxonomy string, keys []string, lang *language, published bool) {
	for _, key := range keys {
		if t.id(taxonomy, key, &t.languages[0]) == 0 {
			t.tables.fail("there is no %s %s", taxonomy, key)
		}
		id := t.id(taxonomy, key, lang)
		if id == 0 {
			continue
		}
		t.tables.relationships.add(postID, id, 0)
		if published {
			t.uses[id]++
		}
	}
}

// count fills in the number of published events of each term.
func (t *terms) count() {
	for _, row := range t.tables.taxonomies.values {
		row[len(row)-1] = t.uses[row[0].(int64)]
	}
}
