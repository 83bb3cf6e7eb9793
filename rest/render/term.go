package render

import (
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
)

// Members writes the members of a term as WordPress's term controller does, then TEC's url
// and urls.
func (r *TermRenderer) Members(w *phpjson.Writer, tax *api.TaxonomyKind, t wpstore.Term, tree map[int64]wpstore.Term, language string) {
	w.KeyInt("id", t.ID)
	w.KeyInt("count", max(t.Count, 0))
	w.KeyString("description", t.Description)
	w.KeyString("name", t.Name)
	w.KeyString("slug", t.Slug)
	w.KeyString("taxonomy", t.Taxonomy)
	if tax.Hierarchical {
		w.KeyInt("parent", t.Parent)
	}
	w.Key("meta")
	w.BeginList()
	w.EndList()
	w.KeyString("url", r.Place.LinksFor(language).Term(tax, t.Slug, ancestors(t, tree)))
	// TEC links to the parent that WordPress's controller shows, which shows none of tags.
	writeURLs(w, r.Place.Links, tax, t, r.Options.Parent && tax.Hierarchical)
}

// InEvent writes a term as events show it: the raw columns.
func InEvent(w *phpjson.Writer, links *wpsite.Links, tax *api.TaxonomyKind, t wpstore.Term) {
	w.BeginObject()
	w.KeyString("name", t.Name)
	w.KeyString("slug", t.Slug)
	w.KeyInt("term_group", t.Group)
	w.KeyInt("term_taxonomy_id", t.TaxonomyID)
	w.KeyString("taxonomy", t.Taxonomy)
	w.KeyString("description", t.Description)
	w.KeyInt("parent", t.Parent)
	w.KeyInt("count", t.Count)
	w.KeyString("filter", "raw")
	w.KeyInt("id", t.ID)
	writeURLs(w, links, tax, t, true)
	w.EndObject()
}

func writeURLs(w *phpjson.Writer, links *wpsite.Links, tax *api.TaxonomyKind, t wpstore.Term, parent bool) {
	w.Key("urls")
	w.BeginObject()
	w.KeyString("self", links.Item(tax.Collection, t.ID))
	w.KeyString("collection", links.Collection(tax.Collection))
	if t.Parent != 0 && parent {
		w.KeyString("up", links.Item(tax.Collection, t.Parent))
	}
	w.EndObject()
}

// ancestors returns the slugs above a term, the root first. As WordPress does, it stops at the
// first parent that it has seen, which may be the term itself, and takes "" for a parent that is
// absent.
func ancestors(t wpstore.Term, tree map[int64]wpstore.Term) []string {
	var out []string
	seen := map[int64]bool{}
	for id := t.Parent; id != 0 && !seen[id]; {
		seen[id] = true
		parent := tree[id] // zero if it is absent
		out = append(out, parent.Slug)
		id = parent.Parent
	}
	slices.Reverse(out)
	return out
}
