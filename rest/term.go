package rest

import (
	"slices"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/fields"
	"calbridge/rest/phpform"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// termArchive answers GET /categories and GET /tags. Unlike the other lists, a
// page beyond the end is an empty list, and the page links carry no filter.
func termArchive(tax *api.TaxonomyKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		c.req.Place = c.req.Place.Moved()
		l := c.newList()
		language := c.req.Place.TermLanguage(c.req.Get("lang"))
		q, err := c.termQuery(tax, l, language)
		if err != nil {
			return nil, err
		}
		terms, total, err := c.req.Store.TermList(c.ctx, q)
		if err != nil {
			return nil, err
		}
		if c.req.Text("context") == "edit" {
			if !c.req.Viewer.MayManage(tax) {
				terms = nil
			}
		}
		tree, err := c.termTree(tax, terms)
		if err != nil {
			return nil, err
		}
		listed := q.Language
		if q.PostID != nil {
			listed = wpstore.InLanguage{}
		}
		languages, err := c.termLanguages(tax, terms, listed, language)
		if err != nil {
			return nil, err
		}
		pages := (total + l.perPage - 1) / l.perPage
		self := c.req.Place.Links.List(tax.Collection)
		w := c.newWriter()
		w.BeginObject()
		w.KeyString("rest_url", self)
		w.KeyInt("total", total)
		w.KeyInt("total_pages", pages)
		w.Key(tax.Collection)
		w.BeginList()
		for _, t := range terms {
			w.BeginObject()
			c.writeTerm(w, tax, t, tree, languages[t.ID])
			w.EndObject()
		}
		w.EndList()
		if l.page < pages {
			w.KeyString("next_rest_url", phpform.AddQueryArg(self, phpform.Arg{Name: "page", Value: l.page + 1}))
		}
		if l.page > 1 {
			w.KeyString("previous_rest_url", wpsite.PreviousPage(self, l.page))
		}
		w.EndObject()
		return &api.Response{Body: w.Bytes(), Fields: api.Totals(total, pages)}, nil
	}
}

func (c *call) termQuery(tax *api.TaxonomyKind, l *list, language string) (wpstore.TermQuery, error) {
	q := wpstore.TermQuery{
		Taxonomy: tax.Name, Hierarchical: tax.Hierarchical, HideEmpty: php.ToBool(c.req.Get("hide_empty")),
		OrderBy: strings.ToLower(c.req.Text("orderby")), Descending: c.descending(),
		Limit: l.perPage, Offset: (l.page - 1) * l.perPage, Language: c.req.Place.In(language),
	}
	if v := c.req.Get("search"); v != nil {
		q.Search, q.HasSearch = php.ToString(v), true
	}
	if v := c.req.Get("slug"); v != nil {
		q.Slug, q.HasSlug = sanitize.Slug(php.ToString(v), c.req.Place.Site.Facts.WPLang), true
	}
	for _, f := range []struct {
		name string
		ids  *[]int64
	}{{"include", &q.Include}, {"exclude", &q.Exclude}} {
		if v := c.req.Get(f.name); v != nil {
			*f.ids = []int64{}
			for _, item := range api.SplitList(v) {
				*f.ids = append(*f.ids, php.ToInt(item))
			}
		}
	}
	if q.Include != nil {
		q.Exclude = nil
	}
	if v := c.req.Get("parent"); v != nil && tax.Hierarchical {
		id := php.ToInt(v)
		q.Parent = &id
	}
	// Undeclared, but WordPress's term controller behind the route reads it.
	if v := c.req.Get("offset"); !php.Empty(v) && !tax.Hierarchical {
		q.Offset = max(php.ToInt(v), -php.ToInt(v))
	}
	post := c.req.Get("event")
	if post == nil {
		post = c.req.Get("post")
	}
	if post != nil {
		id := php.ToInt(post)
		q.PostID, q.HideEmpty = &id, false
		if c.req.Place.Site.Languages.Plugin == i18n.Polylang {
			q.Language = wpstore.InLanguage{} // not even the total is restricted
		}
	}
	return q, c.adjustTerms(tax, &q, language)
}

// descending: every order but asc descends; without one the list ascends.
func (c *call) descending() bool {
	order := c.req.Get("order")
	return order != nil && !strings.EqualFold(php.ToString(order), "asc")
}

// termTree loads the taxonomy when a term's URL needs the slugs above it.
func (c *call) termTree(tax *api.TaxonomyKind, terms []wpstore.Term) (map[int64]wpstore.Term, error) {
	if !slices.ContainsFunc(terms, func(t wpstore.Term) bool { return t.Parent != 0 }) {
		return nil, nil
	}
	return c.req.Store.TermTree(c.ctx, tax.Name)
}

// ancestors returns the slugs above a term, the root first.
func ancestors(t wpstore.Term, tree map[int64]wpstore.Term) []string {
	var out []string
	seen := map[int64]bool{t.ID: true}
	for id := t.Parent; id != 0 && !seen[id]; {
		seen[id] = true
		parent, ok := tree[id]
		if !ok {
			break
		}
		out = append(out, parent.Slug)
		id = parent.Parent
	}
	slices.Reverse(out)
	return out
}

// writeTerm writes the members of a term as WordPress's term controller shows
// them, with TEC's url and urls behind.
func (c *call) writeTerm(w *writer, tax *api.TaxonomyKind, t wpstore.Term, tree map[int64]wpstore.Term, language string) {
	w.KeyInt("id", t.ID)
	w.KeyInt("count", t.Count)
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
	w.KeyString("url", c.req.Place.LinksFor(language).Term(tax, t.Slug, ancestors(t, tree)))
	c.writeTermURLs(w, tax, t, c.wantsParent())
}

func (c *call) writeTermURLs(w *writer, tax *api.TaxonomyKind, t wpstore.Term, parent bool) {
	w.Key("urls")
	w.BeginObject()
	w.KeyString("self", c.req.Place.Links.Item(tax.Collection, t.ID))
	w.KeyString("collection", c.req.Place.Links.Collection(tax.Collection))
	if t.Parent != 0 && parent {
		w.KeyString("up", c.req.Place.Links.Item(tax.Collection, t.Parent))
	}
	w.EndObject()
}

// wantsParent says whether the fields that a request asks for include the parent
// of a term: WordPress's controller leaves it out otherwise, and TEC then finds
// nothing to link to.
func (c *call) wantsParent() bool {
	filter := c.req.Get("_fields")
	return php.Empty(filter) || fields.Parse(filter).Has("parent")
}

// writeEmbeddedTerm writes a term inside an event: the raw columns.
func (c *call) writeEmbeddedTerm(w *writer, tax *api.TaxonomyKind, t wpstore.Term) {
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
	c.writeTermURLs(w, tax, t, true)
	w.EndObject()
}

// termSingle answers GET of one category or tag, with WordPress's own links.
func termSingle(tax *api.TaxonomyKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		c.req.Place = c.req.Place.MovedForTerm()
		t, err := c.req.Term(c.ctx, c.req.Store, tax)
		if err != nil {
			return nil, err
		}
		return c.termResponse(tax, t, true)
	}
}

// termLinks are the links of WordPress's own term controller, to its own routes.
// Which methods they take WordPress finds out only for URLs of the root that the
// request came to.
func (c *call) termLinks(tax *api.TaxonomyKind, t wpstore.Term) (*php.Array, error) {
	at := c.req.Place.Links.WPRoute
	id := php.ToString(t.ID)
	allow, err := c.termMethods(tax)
	if err != nil {
		return nil, err
	}
	self := &php.Array{}
	self.SetString("href", at(tax.CoreRoute+"/"+id))
	if !c.req.Place.Foreign {
		hints := &php.Array{}
		hints.SetString("allow", php.Strings(allow...))
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
	return out, nil
}

// termMethods lists the methods that this user may use on WordPress's own route
// of the term.
func (c *call) termMethods(tax *api.TaxonomyKind) ([]string, error) {
	allow := []string{"GET"}
	if c.req.Viewer.User.Can(tax.ManageCap) {
		allow = append(allow, "POST", "PUT", "PATCH", "DELETE")
	}
	return allow, nil
}
