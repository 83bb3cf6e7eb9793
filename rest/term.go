package rest

import (
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
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
		r := c.terms()
		tree, err := r.Tree(c.ctx, tax, terms)
		if err != nil {
			return nil, err
		}
		listed := q.Language
		if q.PostID != nil {
			listed = wpstore.InLanguage{}
		}
		languages, err := r.Languages(c.ctx, tax, terms, listed, language)
		if err != nil {
			return nil, err
		}
		pages := (total + l.perPage - 1) / l.perPage
		self := c.req.Place.Links.List(tax.Collection)
		w := r.NewWriter()
		w.BeginObject()
		w.KeyString("rest_url", self)
		w.KeyInt("total", total)
		w.KeyInt("total_pages", pages)
		w.Key(tax.Collection)
		w.BeginList()
		for _, t := range terms {
			w.BeginObject()
			r.Members(w, tax, t, tree, languages[t.ID])
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
		res := r.Response(w)
		res.Fields = api.Totals(total, pages)
		return res, nil
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

// termSingle answers GET of one category or tag, with WordPress's own links.
func termSingle(tax *api.TaxonomyKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		c.req.Place = c.req.Place.MovedForTerm()
		t, err := c.req.Term(c.ctx, c.req.Store, tax)
		if err != nil {
			return nil, err
		}
		return c.terms().Term(c.ctx, tax, t, true)
	}
}
