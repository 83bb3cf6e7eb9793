package sample

import (
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

// terms are the categories and tags so far.
type terms struct {
	tables    *tables
	slugs     slugs
	languages []language
	last      int64 // term_id, and term_taxonomy_id
	// ids by taxonomy, key and language.
	ids map[string]int64
	// uses is how many published events each term has.
	uses map[int64]int64
	// codes has the language of each term.
	codes map[int64]string
}

// id is that of a term in a language, 0 where it has none.
func (t *terms) id(taxonomy, key string, lang *language) int64 {
	return t.ids[taxonomy+" "+key+" "+lang.code]
}

// write writes the categories, of which some lie within others, and the tags.
// Their counts are filled in by count.
func (t *terms) write() {
	t.group(priorities, "", "", func(*language) (words, bool) { return words{name: "Optional"}, true })
	for _, c := range []struct{ key, parent string }{
		{"culture", ""}, {"music", "culture"}, {"jazz", "music"}, {"classical", "music"}, {"theatre", "culture"}, {"art", "culture"}, {"books", "culture"},
		{"markets", ""}, {"sport", ""}, {"running", "sport"}, {"children", ""}, {"town", ""}, {"courses", ""},
	} {
		t.group(categories, c.key, c.parent, func(lang *language) (words, bool) { w, ok := lang.categories[c.key]; return w, ok })
	}
	for _, key := range []string{"free", "outdoors", "family", "advent", "accessible", "english", "german", "premiere", "workshop", "regional", "evening", "tickets"} {
		t.group(tags, key, "", func(lang *language) (words, bool) { w, ok := lang.tags[key]; return w, ok })
	}
	t.hierarchy()
}

// group writes a term in each language that has a name for it. A name that
// another language has taken gets a slug with the language at its end.
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

// hierarchy writes what WordPress remembers of the children of categories: with
// WPML one option for each language and one for all of them, with ids as texts.
func (t *terms) hierarchy() {
	all := &php.Array{}
	for i := range t.languages {
		code := t.languages[i].code
		own := &php.Array{}
		for _, row := range t.tables.taxonomies.values {
			id, parent := row[0].(int64), row[4].(int64)
			if row[2] != categories || parent == 0 || t.codes[id] != code {
				continue
			}
			for _, children := range []*php.Array{own, all} {
				list, ok := children.At(strconv.FormatInt(parent, 10)).(*php.Array)
				if !ok {
					list = &php.Array{}
					children.SetString(strconv.FormatInt(parent, 10), list)
				}
				list.Append(strconv.FormatInt(id, 10))
			}
		}
		t.childrenOption(code, own)
	}
	t.childrenOption("all", all)
}

func (t *terms) childrenOption(code string, children *php.Array) {
	t.tables.options.add(categories+"_children_"+code, serialized(children), "auto")
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

// count fills in how many published events each term has.
func (t *terms) count() {
	for _, row := range t.tables.taxonomies.values {
		row[len(row)-1] = t.uses[row[0].(int64)]
	}
}
