package render

import (
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/wpstore"
)

// Members writes the members of a term as WordPress's term controller does, then TEC's url
// and urls. TEC makes url of the controller's link, and links to the parent that the controller
// shows. tax is the taxonomy of the controller, which may list a shared term as one of another
// taxonomy.
func (r *TermRenderer) Members(w *phpjson.Writer, tax *api.TaxonomyKind, t wpstore.Term, trees Trees, language string) {
	lacks := r.Options.Lacks
	if !lacks["id"] {
		w.KeyInt("id", t.ID)
	}
	if !lacks["count"] {
		w.KeyInt("count", max(t.Count, 0))
	}
	if !lacks["description"] {
		w.KeyString("description", t.Description)
	}
	if !lacks["name"] {
		w.KeyString("name", t.Name)
	}
	if !lacks["slug"] {
		w.KeyString("slug", t.Slug)
	}
	if !lacks["taxonomy"] {
		w.KeyString("taxonomy", t.Taxonomy)
	}
	parent := tax.Hierarchical && !lacks["parent"]
	if parent {
		w.KeyInt("parent", t.Parent)
	}
	if !lacks["meta"] {
		w.Key("meta")
		w.BeginList()
		w.EndList()
	}
	if !lacks["link"] {
		w.KeyString("url", r.Place.LinksFor(language).SharedTerm(t, ancestors(t, trees)))
	}
	writeURLs(w, tribev1.Links{Links: r.Place.Links, Namespace: r.Namespace}, tax, t, parent)
}

// InEvent writes a term as events show it: the raw columns.
func InEvent(w *phpjson.Writer, links tribev1.Links, tax *api.TaxonomyKind, t wpstore.Term) {
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

func writeURLs(w *phpjson.Writer, links tribev1.Links, tax *api.TaxonomyKind, t wpstore.Term, parent bool) {
	w.Key("urls")
	w.BeginObject()
	w.KeyString("self", links.Item(tribev1.TermCollection(tax), t.ID))
	w.KeyString("collection", links.Collection(tribev1.TermCollection(tax)))
	if t.Parent != 0 && parent {
		w.KeyString("up", links.Item(tribev1.TermCollection(tax), t.Parent))
	}
	w.EndObject()
}

// ancestors returns the slugs above a term, the root first. As WordPress does, it stops at the
// first parent that it has seen, which may be the term itself, and takes "" for a parent that is
// absent.
func ancestors(t wpstore.Term, trees Trees) []string {
	tree := trees[t.Taxonomy]
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
