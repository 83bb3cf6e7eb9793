package sample

import (
	"strconv"
	"strings"
	"time"

	"calbridge/wpstore/php"
)

// post is a row of the posts table, without the columns that are the same in all.
type post struct {
	kind, language, title, content, excerpt string
	status, password, mime                  string
	author                                  int64
	order, parent                           int64
	published                               time.Time
}

// posts collects the posts so far, and what they link to.
type posts struct {
	tables    *tables
	slugs     slugs
	terms     *terms
	home      string
	zone      *time.Location
	languages []language
	last      int64 // ID
	// ids by kind, key in the lists of this package, and language.
	ids map[string]int64
}

// add adds a post and returns its id.
func (w *posts) add(p post) int64 {
	w.last++
	if p.status == "" {
		p.status = "publish"
	}
	if p.author == 0 {
		p.author = 1
	}
	slug := w.slugs.of(p.kind+" "+p.language, p.title)
	written := p.published
	date, gmt := written.In(w.zone).Format(time.DateTime), written.UTC().Format(time.DateTime)
	created := gmt
	if p.status == "draft" || p.status == "pending" {
		slug, created = "", "0000-00-00 00:00:00" // both are set on publication
	}
	w.tables.posts.add(
		w.last, p.author, date, created, p.content, p.title, p.excerpt, p.status,
		"closed", "closed", p.password, slug, "", "", date, gmt,
		"", p.parent, w.home+"/?post_type="+p.kind+"&p="+strconv.FormatInt(w.last, 10), p.order, p.kind, p.mime)
	return w.last
}

// meta writes alternating keys and values.
func (w *posts) meta(id int64, keysAndValues ...string) {
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		w.tables.postMeta.add(id, keysAndValues[i], keysAndValues[i+1])
	}
}

func (w *posts) thumbnail(id int64, image string) {
	if image != "" {
		w.meta(id, "_thumbnail_id", php.ToString(w.ids["image "+image]))
	}
}

// translate writes a post in each language that has words for it, as translations of each
// other.
func (w *posts) translate(kind, key, postType string, named func(*language) map[string]words, write func(*language, words) int64) {
	group, source := int64(0), ""
	for i := range w.languages {
		lang := &w.languages[i]
		name, ok := named(lang)[key]
		if !ok {
			continue
		}
		id := write(lang, name)
		w.ids[kind+" "+key+" "+lang.code] = id
		w.tables.relationships.add(id, w.terms.id(priorities, "", lang), 0)
		group, source = w.tables.translation("post_"+postType, id, group, lang.code, source)
	}
	if group == 0 {
		w.tables.fail("%s %s has words in no language", kind, key)
	}
}

// linked returns the id of a venue or organizer as text: of its translation, else of its
// original.
func (w *posts) linked(kind, key string, lang *language) string {
	id := w.ids[kind+" "+key+" "+lang.code]
	for i := 0; id == 0 && i < len(w.languages); i++ {
		id = w.ids[kind+" "+key+" "+w.languages[i].code]
	}
	if id == 0 {
		w.tables.fail("there is no %s %s", kind, key)
	}
	return strconv.FormatInt(id, 10)
}

// paragraphs writes text as the block editor stores it: one block per line.
func paragraphs(text string) string {
	if text == "" {
		return ""
	}
	var blocks []string
	for line := range strings.SplitSeq(text, "\n") {
		blocks = append(blocks, "<!-- wp:paragraph -->\n<p>"+line+"</p>\n<!-- /wp:paragraph -->")
	}
	return strings.Join(blocks, "\n\n")
}
