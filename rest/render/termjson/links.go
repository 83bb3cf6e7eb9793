package termjson

import (
	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// links are the links of WordPress's own term controller, to its own routes.
// Which methods they take WordPress finds out only for URLs of the root that the
// request came to.
func (r *Renderer) links(tax *api.TaxonomyKind, t wpstore.Term) *php.Array {
	at := r.Place.Links.WPRoute
	id := php.ToString(t.ID)
	self := &php.Array{}
	self.SetString("href", at(tax.CoreRoute+"/"+id))
	if !r.Place.Foreign {
		hints := &php.Array{}
		hints.SetString("allow", php.Strings(r.methods(tax)...))
		self.SetString("targetHints", hints)
	}

	out := &php.Array{}
	out.SetString("self", php.List(self))
	out.SetString("collection", wpsite.Hrefs(at(tax.CoreRoute)))
	out.SetString("about", wpsite.Hrefs(at("taxonomies/"+tax.Name)))
	if t.Parent != 0 {
		up := &php.Array{}
		up.SetString("embeddable", true)
		up.SetString("href", at(tax.CoreRoute+"/"+php.ToString(t.Parent)))
		out.SetString("up", php.List(up))
	}
	urls := make([]string, len(tax.PostRoutes))
	for i, r := range tax.PostRoutes {
		urls[i] = phpform.AddQueryArg(at(r), phpform.Arg{Name: tax.QueryVar, Value: t.ID})
	}
	out.SetString("wp:post_type", wpsite.Hrefs(urls...))
	curie := &php.Array{}
	curie.SetString("name", "wp")
	curie.SetString("href", "https://api.w.org/{rel}")
	curie.SetString("templated", true)
	out.SetString("curies", php.List(curie))
	return out
}

// methods are the methods that this user may use on WordPress's own route
// of the term.
func (r *Renderer) methods(tax *api.TaxonomyKind) []string {
	allow := []string{"GET"}
	if r.Viewer.User.Can(tax.ManageCap) {
		allow = append(allow, "POST", "PUT", "PATCH", "DELETE")
	}
	return allow
}

// writeEmbedded appends the category above to a category's answer, as WordPress's
// own controller shows it in the embed context. It is the only relation of this
// interface that can be embedded.
func (r *Renderer) writeEmbedded(w *phpjson.Writer, tax *api.TaxonomyKind, t wpstore.Term, tree map[int64]wpstore.Term, languages map[int64]string) {
	parent, ok := tree[t.Parent]
	if !ok || r.Place.Foreign || !r.Options.EmbedUp {
		return
	}
	w.Key("_embedded")
	w.BeginObject()
	w.Key("up")
	w.BeginList()
	w.BeginObject()
	w.KeyInt("id", parent.ID)
	w.KeyString("link", r.Place.LinksFor(languages[parent.ID]).Term(tax, parent.Slug, ancestors(parent, tree)))
	w.KeyString("name", parent.Name)
	w.KeyString("slug", parent.Slug)
	w.KeyString("taxonomy", parent.Taxonomy)
	w.KeyValue("_links", r.links(tax, parent))
	w.EndObject()
	w.EndList()
	w.EndObject()
}
