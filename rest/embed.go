package rest

import (
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// embeds says whether the request asks for the linked resources of a relation:
// _embed without a value, 1 or true means all of them, else it is a list.
func (c *call) embeds(rel string) bool {
	v, ok := c.req.Query.Lookup("_embed")
	if !ok {
		return false
	}
	var rels []string
	if list, isList := v.(*php.Array); isList {
		for _, item := range list.All() {
			rels = append(rels, php.ToString(item))
		}
	} else {
		s := php.ToString(v)
		if s == "" || s == "1" || s == "true" {
			return true
		}
		rels = strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' })
	}
	return slices.Contains(rels, rel)
}

// writeEmbedded appends the category above to a category's answer, as WordPress's
// own controller shows it in the embed context. It is the only relation of this
// interface that can be embedded.
func (c *call) writeEmbedded(w *writer, tax *api.TaxonomyKind, t wpstore.Term, tree map[int64]wpstore.Term, languages map[int64]string) error {
	parent, ok := tree[t.Parent]
	if !ok || c.req.Place.Foreign || !c.embeds("up") {
		return nil
	}
	links, err := c.termLinks(tax, parent)
	if err != nil {
		return err
	}
	w.Key("_embedded")
	w.BeginObject()
	w.Key("up")
	w.BeginList()
	w.BeginObject()
	w.KeyInt("id", parent.ID)
	w.KeyString("link", c.req.Place.LinksFor(languages[parent.ID]).Term(tax, parent.Slug, ancestors(parent, tree)))
	w.KeyString("name", parent.Name)
	w.KeyString("slug", parent.Slug)
	w.KeyString("taxonomy", parent.Taxonomy)
	w.KeyValue("_links", links)
	w.EndObject()
	w.EndList()
	w.EndObject()
	return nil
}
