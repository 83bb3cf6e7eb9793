package sitedb

import (
	"maps"
	"slices"
	"strings"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/coherence"
)

// maxHeard bounds what is kept of one or more transactions; more than that is
// everything.
const maxHeard = 1 << 13

// heard is what transactions changed, until the ledger is told.
type heard struct {
	everything bool
	tags       map[coherence.Tag]struct{}
	// relations tie objects to terms, by taxonomy id; whether the object is a post
	// or a term is not in the row.
	relations map[relation]struct{}
	// elements are taxonomy ids of terms whose language changed under WPML.
	elements map[int64]struct{}
	// terms are ids of terms whose row changed: it may be that of a language.
	terms map[int64]struct{}
	// taxonomies are taxonomy ids whose row changed.
	taxonomies map[int64]struct{}

	gtid         binlog.Position
	end          binlog.Place
	transactions int
	arrived      time.Time // the first of them
	committed    time.Time // the last of them
}

// relation is a row of term_relationships.
type relation struct{ object, taxonomy int64 }

func newHeard() *heard {
	return &heard{tags: map[coherence.Tag]struct{}{}, relations: map[relation]struct{}{},
		elements: map[int64]struct{}{}, terms: map[int64]struct{}{}, taxonomies: map[int64]struct{}{}}
}

func (h *heard) tag(kind coherence.Kind, id int64) {
	h.tags[coherence.Tag{Kind: kind, ID: id}] = struct{}{}
}

// post notes a change of a post, by which a search might go.
func (h *heard) post(id int64) {
	h.tag(coherence.Post, id)
	h.tag(coherence.Posts, 0)
}

func (h *heard) term(id int64) {
	h.tag(coherence.Term, id)
	h.tag(coherence.Terms, 0)
}

// bound gives up details when there are too many.
func (h *heard) bound() {
	if len(h.tags)+len(h.relations)+len(h.elements)+len(h.terms)+len(h.taxonomies) > maxHeard {
		h.everything = true
	}
	if h.everything {
		clear(h.tags)
		clear(h.relations)
		clear(h.elements)
		clear(h.terms)
		clear(h.taxonomies)
	}
}

// merge adds what came later.
func (h *heard) merge(later *heard) {
	h.everything = h.everything || later.everything
	maps.Copy(h.tags, later.tags)
	maps.Copy(h.relations, later.relations)
	maps.Copy(h.elements, later.elements)
	maps.Copy(h.terms, later.terms)
	maps.Copy(h.taxonomies, later.taxonomies)
	h.gtid, h.end, h.committed = h.gtid.Merge(later.gtid), later.end, later.committed
	h.transactions += later.transactions
	h.bound()
}

// revisionType is the type of old versions of posts, which nothing but writes
// reads.
const revisionType = "revision"

// hearPost hears of posts: ID, post_type.
func hearPost(h *heard, change rowChange) bool {
	for _, row := range change {
		id, ok := row.id(0)
		kind, known := row.text(1)
		if !ok || !known {
			return false
		}
		if h.tag(coherence.Post, id); kind != revisionType {
			h.post(id)
		}
	}
	return true
}

// editingKeys are metadata that WordPress writes again and again while somebody has
// a post open, and that no search goes by.
var editingKeys = []string{"_edit_lock", "_edit_last"}

// hearPostMeta hears of postmeta: post_id, meta_key.
func hearPostMeta(h *heard, change rowChange) bool {
	for _, row := range change {
		id, ok := row.id(0)
		key, known := row.text(1)
		if !ok || !known {
			return false
		}
		if h.tag(coherence.Post, id); !slices.Contains(editingKeys, key) {
			h.post(id)
		}
	}
	return true
}

// each calls do with the id in the first column of each image.
func (c rowChange) each(do func(int64)) bool {
	for _, row := range c {
		id, ok := row.id(0)
		if !ok {
			return false
		}
		do(id)
	}
	return true
}

// hearPostOf hears of tables whose first column is a post's id.
func hearPostOf(h *heard, change rowChange) bool { return change.each(h.post) }

func hearUser(h *heard, change rowChange) bool {
	return change.each(func(id int64) { h.tag(coherence.User, id) })
}

// hearTerm hears of terms and termmeta: term_id.
func hearTerm(h *heard, change rowChange) bool {
	return change.each(func(id int64) {
		h.term(id)
		h.terms[id] = struct{}{}
	})
}

func hearSite(h *heard, _ rowChange) bool {
	h.tag(coherence.Site, 0)
	return true
}

// hearNames hears of options, of which most are of no interest.
func hearNames(names []string) func(*heard, rowChange) bool {
	return func(h *heard, change rowChange) bool {
		for _, row := range change {
			name, ok := row.text(0)
			if !ok {
				return false
			}
			// The collation, by which options are found, ignores case.
			if slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimRight(name, " ")) }) || !isASCII(name) {
				h.tag(coherence.Site, 0)
			}
		}
		return true
	}
}

// isASCII: the collation takes letters with accents for those without.
func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// hearRelation hears of term_relationships: object_id, term_taxonomy_id.
func hearRelation(h *heard, change rowChange) bool {
	for _, row := range change {
		object, ok := row.id(0)
		taxonomy, known := row.id(1)
		if !ok || !known {
			return false
		}
		h.relations[relation{object, taxonomy}] = struct{}{}
	}
	return true
}

// hearTaxonomy hears of term_taxonomy: term_taxonomy_id, term_id, taxonomy,
// description. Polylang keeps in descriptions what languages and groups of
// translations are.
func hearTaxonomy(h *heard, change rowChange) bool {
	var meanings []string
	var kinds []string
	for _, row := range change {
		taxonomyID, ok1 := row.id(0)
		term, ok2 := row.id(1)
		kind, ok3 := row.text(2)
		description, ok4 := row.text(3)
		if !ok1 || !ok2 || !ok3 || !ok4 {
			return false
		}
		h.term(term)
		h.taxonomies[taxonomyID] = struct{}{}
		kinds = append(kinds, kind)
		meanings = append(meanings, kind+"\x00"+description)
	}
	if len(change) == 2 && meanings[0] == meanings[1] {
		return true // a count, mostly
	}
	for _, kind := range kinds {
		switch kind {
		case postLanguageTaxonomy, termLanguageTaxonomy:
			h.tag(coherence.Site, 0)
		case postGroupTaxonomy:
			h.tag(coherence.Translations, 0)
		}
	}
	return true
}

// hearElement hears of icl_translations: element_type, element_id.
func hearElement(h *heard, change rowChange) bool {
	for _, row := range change {
		kind, ok := row.text(0)
		id, known := row.id(1)
		if !ok || !known {
			return false
		}
		if strings.HasPrefix(kind, "tax_") {
			h.elements[id] = struct{}{}
			h.tag(coherence.Terms, 0)
			continue
		}
		h.post(id)
		h.tag(coherence.Translations, 0)
	}
	return true
}
