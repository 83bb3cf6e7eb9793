package render

import (
	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/trait"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// links returns the links of WordPress's own term controller, to its own routes. WordPress
// finds out their methods only for URLs of the root to which the request was sent.
func (r *TermRenderer) links(tax *api.TaxonomyKind, t wpstore.Term) *php.Array {
	at := r.Place.Links.WPRoute
	self := api.Object("href", at(tax.CoreRoute+"/"+php.ToString(t.ID)))
	if !r.Place.Foreign && !r.Place.Site.Traits.Has(trait.TermsWithoutHints) {
		methods := []string{"GET"}
		if r.Viewer.User.Can(tax.ManageCap) {
			methods = append(methods, "POST", "PUT", "PATCH", "DELETE")
		}
		self.SetString("targetHints", api.Object("allow", php.Strings(methods...)))
	}
	out := api.Object("self", php.List(self), "collection", wpsite.Hrefs(at(tax.CoreRoute)), "about", wpsite.Hrefs(at("taxonomies/"+tax.Name)))
	if t.Parent != 0 {
		out.SetString("up", php.List(api.Object("embeddable", true, "href", at(tax.CoreRoute+"/"+php.ToString(t.Parent)))))
	}
	var urls []string
	for _, route := range tax.PostRoutes {
		if !r.Place.Site.Traits.Has(route.Without) {
			urls = append(urls, phpform.AddQueryArg(at(route.Path), phpform.Arg{Name: tax.QueryVar, Value: t.ID}))
		}
	}
	out.SetString("wp:post_type", wpsite.Hrefs(urls...))
	out.SetString("curies", php.List(api.Object("name", "wp", "href", "https://api.w.org/{rel}", "templated", true)))
	return out
}

// embedded returns the category above a category, as WordPress's own controller shows it in the
// embed context; nil where the response does not embed it. It is the only relation of this
// interface that can be embedded (known difference D10).
func (r *TermRenderer) embedded(tax *api.TaxonomyKind, t wpstore.Term, trees Trees, languages map[int64]string) *php.Array {
	parent, ok := trees[t.Taxonomy][t.Parent]
	if !ok || r.Place.Foreign || !r.Options.EmbedUp {
		return nil
	}
	return api.Object("up", php.List(api.Object(
		"id", parent.ID, "link", r.Place.LinksFor(languages[parent.ID]).Term(tax, parent.Slug, ancestors(parent, trees)),
		"name", parent.Name, "slug", parent.Slug, "taxonomy", parent.Taxonomy, "_links", r.links(tax, parent),
	)))
}
