package sample

import (
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

const (
	categories = "tribe_events_cat"
	tags       = "post_tag"
)

// terms writes the categories, of which some lie within others, and the tags.
// Their counts are filled in by count.
func (l *loader) terms() {
	l.termGroup(priorities, "", "", func(*language) (words, bool) { return words{name: "Optional"}, true })
	for _, c := range []struct{ key, parent string }{
		{"culture", ""}, {"music", "culture"}, {"jazz", "music"}, {"classical", "music"}, {"theatre", "culture"}, {"art", "culture"}, {"books", "culture"},
		{"markets", ""}, {"sport", ""}, {"running", "sport"}, {"children", ""}, {"town", ""}, {"courses", ""},
	} {
		l.termGroup(categories, c.key, c.parent, func(lang *language) (words, bool) { w, ok := lang.categories[c.key]; return w, ok })
	}
	for _, key := range []string{"free", "outdoors", "family", "advent", "accessible", "english", "german", "premiere", "workshop", "regional", "evening", "tickets"} {
		l.termGroup(tags, key, "", func(lang *language) (words, bool) { w, ok := lang.tags[key]; return w, ok })
	}
	l.hierarchy()
}

// termGroup writes a term in each language that has a name for it. A name that
// another language has taken gets a slug with the language at its end.
func (l *loader) termGroup(taxonomy, key, parent string, named func(*language) (words, bool)) {
	group, source := int64(0), ""
	for i := range l.languages {
		lang := &l.languages[i]
		w, ok := named(lang)
		if !ok {
			continue
		}
		title := w.name
		if l.slugs[taxonomy+"/"+slugOf(title)] {
			title += " " + lang.code
		}
		l.lastTerm++
		id := l.lastTerm
		l.table("terms", "term_id", "name", "slug", "term_group").add(id, strings.ReplaceAll(w.name, "&", "&amp;"), l.slug(taxonomy, title), 0)
		l.table("term_taxonomy", "term_taxonomy_id", "term_id", "taxonomy", "description", "parent", "count").
			add(id, id, taxonomy, w.text, l.taxonomies[taxonomy+" "+parent+" "+lang.code], int64(0))
		l.taxonomies[taxonomy+" "+key+" "+lang.code] = id
		l.termLanguages[id] = lang.code
		group, source = l.fileTranslation("tax_"+taxonomy, id, group, lang.code, source)
	}
}

// hierarchy writes what WordPress remembers of the children of categories: with
// WPML one option for each language and one for all of them, with ids as texts.
func (l *loader) hierarchy() {
	all := &php.Array{}
	for i := range l.languages {
		code := l.languages[i].code
		own := &php.Array{}
		for _, row := range l.table("term_taxonomy").values {
			id, parent := row[0].(int64), row[4].(int64)
			if row[2] != categories || parent == 0 || l.termLanguages[id] != code {
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
		l.childrenOption(code, own)
	}
	l.childrenOption("all", all)
}

func (l *loader) childrenOption(code string, children *php.Array) {
	l.table("options").add(categories+"_children_"+code, serialized(children), "auto")
}

// assign links an event to the terms that its language has.
func (l *loader) assign(postID int64, taxonomy string, keys []string, lang *language, published bool) {
	for _, key := range keys {
		if l.taxonomies[taxonomy+" "+key+" "+l.languages[0].code] == 0 {
			l.fail("there is no %s %s", taxonomy, key)
		}
		id := l.taxonomies[taxonomy+" "+key+" "+lang.code]
		if id == 0 {
			continue
		}
		l.table("term_relationships").add(postID, id, 0)
		if published {
			l.uses[id]++
		}
	}
}

// count fills in how many published events each term has.
func (l *loader) count() {
	for _, row := range l.table("term_taxonomy").values {
		row[len(row)-1] = l.uses[row[0].(int64)]
	}
}
