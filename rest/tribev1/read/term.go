package read

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/phpform"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// termList answers GET /categories and GET /tags. Unlike the other lists, a
// page beyond the end is an empty list, and the page links carry no filter.
func (h *handlers) termList(tax *api.TaxonomyKind) wprest.Handler {
	return func(ctx context.Context, r *wprest.Request) (*api.Result, error) {
		place := r.Place.Moved()
		l := newList(&r.Params)
		language := place.TermLanguage(r.Get("lang"))
		q, err := termQuery(ctx, r, place, tax, l, language)
		if err != nil {
			return nil, err
		}
		terms, total, err := r.Store.Terms.TermList(ctx, q)
		if err != nil {
			return nil, err
		}
		if r.Viewer.EditContext && !r.Viewer.MayManage(tax) {
			terms = nil
		}
		rd := h.render.Terms(place, r.Viewer, r.Store, render.OptionsOf(&r.Params, true))
		trees, err := rd.Trees(ctx, terms)
		if err != nil {
			return nil, err
		}
		listed := q.Language
		if q.PostID != nil {
			listed = wpstore.InLanguage{}
		}
		languages, err := rd.Languages(ctx, tax, terms, listed, language)
		if err != nil {
			return nil, err
		}
		pages := (total + l.perPage - 1) / l.perPage
		links := tribev1.LinksOf(r, place.Links)
		self := links.List(tribev1.TermCollection(tax))
		w := rd.NewWriter()
		w.BeginObject()
		w.KeyString("rest_url", self)
		w.KeyInt("total", total)
		w.KeyInt("total_pages", pages)
		w.Key(tribev1.TermCollection(tax))
		w.BeginList()
		for _, t := range terms {
			w.BeginObject()
			rd.Members(w, tax, t, trees, languages[t.ID])
			w.EndObject()
		}
		w.EndList()
		if l.page < pages {
			w.KeyString("next_rest_url", phpform.AddQueryArg(self, phpform.Arg{Name: "page", Value: l.page + 1}))
		}
		if l.page > 1 {
			w.KeyString("previous_rest_url", wpsite.Page(self, l.page-1))
		}
		w.EndObject()
		res := rd.Result(w)
		res.Fields = tribev1.Totals(total, pages)
		return res, nil
	}
}

func termQuery(ctx context.Context, r *wprest.Request, place *wpsite.Place, tax *api.TaxonomyKind, l *list, language string) (wpstore.TermQuery, error) {
	q := wpstore.TermQuery{
		Taxonomy: tax.Name, Hierarchical: tax.Hierarchical, HideEmpty: php.ToBool(r.Get("hide_empty")),
		OrderBy: strings.ToLower(r.Text("orderby")), Descending: descending(&r.Params),
		Limit: l.perPage, Offset: (l.page - 1) * l.perPage, Language: place.In(language),
	}
	if v := r.Get("search"); v != nil {
		q.Search, q.HasSearch = php.ToString(v), true
	}
	if v := r.Get("slug"); v != nil {
		q.Slug, q.HasSlug = place.Site.Slug(php.ToString(v)), true
	}
	for _, f := range []struct {
		name string
		ids  *[]int64
	}{{"include", &q.Include}, {"exclude", &q.Exclude}} {
		if v := r.Get(f.name); v != nil {
			*f.ids = api.SplitIDs(v)
		}
	}
	if q.Include != nil {
		q.Exclude = nil
	}
	if v := r.Get("parent"); v != nil && tax.Hierarchical {
		id := php.ToInt(v)
		q.Parent = &id
	}
	// Undeclared, but WordPress's term controller reads it.
	if v := r.Get("offset"); !php.Empty(v) && !tax.Hierarchical {
		q.Offset = max(php.ToInt(v), -php.ToInt(v))
	}
	if post := cmp.Or(r.Get("event"), r.Get("post")); post != nil {
		id := visible(r, php.ToInt(post))
		q.PostID, q.HideEmpty = &id, false
		if place.Site.Languages.Plugin == i18n.Polylang {
			q.Language = wpstore.InLanguage{} // not even the total is restricted
		}
	}
	return q, adjustTerms(ctx, r.Store.Terms, &place.Site.Languages, tax, &q, language)
}

// descending reports whether the order is descending: every order except asc is; the default is
// ascending.
func descending(params *api.Params) bool {
	order := params.Get("order")
	return order != nil && !strings.EqualFold(php.ToString(order), "asc")
}

// termSingle answers GET of one category or tag, with WordPress's own links.
func (h *handlers) termSingle(tax *api.TaxonomyKind) wprest.Handler {
	return func(ctx context.Context, r *wprest.Request) (*api.Result, error) {
		place := r.Place.MovedForTerm()
		t, err := r.Term(ctx, r.Store.Terms, tax)
		if err != nil {
			return nil, err
		}
		return h.render.Terms(place, r.Viewer, r.Store, render.OptionsOf(&r.Params, true)).Term(ctx, tax, t, true)
	}
}

// adjustTerms replaces the ids in the filters of a list of terms by their translations, as
// WPML does in every language.
func adjustTerms(ctx context.Context, store calendar.TermStore, l *wpsite.Languages, tax *api.TaxonomyKind, q *wpstore.TermQuery, code string) error {
	if !l.Roots || code == "" {
		return nil
	}
	lookup := wpstore.TermLookup{IDs: slices.Concat(q.Include, q.Exclude), Translations: l.Plugin}
	if q.Parent != nil {
		lookup.IDs = append(lookup.IDs, *q.Parent)
	}
	if q.HasSlug {
		lookup.Slugs = []string{q.Slug}
	}
	found, err := store.LookupTerms(ctx, tax.Name, lookup)
	if err != nil {
		return err
	}
	groups, same := found.Groups, found.BySlug[q.Slug].ID
	if q.Include != nil {
		q.Include = i18n.Translate(q.Include, groups, code)
	}
	q.Exclude = i18n.Translate(q.Exclude, groups, code)
	if q.Parent != nil {
		parent, _ := groups[*q.Parent].Into(*q.Parent, code)
		q.Parent = &parent
	}
	if same != 0 {
		same, _ = groups[same].Into(same, code)
		q.Same, q.HasSlug = &same, false
	}
	return nil
}
