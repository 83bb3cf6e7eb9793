package read

import (
	"context"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// linkedList answers GET /venues and GET /organizers.
func (h *handlers) linkedList(kind *api.PostKind) wprest.Handler {
	return func(ctx context.Context, r *wprest.Request) (*api.Result, error) {
		l := newList(&r.Params)
		vis := r.Viewer.Visibility(kind, r.Get("status"))
		l.self = linkedListURL(r, kind, l, vis.Shown)
		only, noMatch, err := linkedSet(ctx, r, kind)
		if err != nil {
			return nil, err
		}
		only, err = r.Lookups.InLanguage(ctx, only, r.Place.Lang.Root, func(p *wpstore.Post) bool { return r.Viewer.SeesLink(p, kind) })
		if err != nil {
			return nil, err
		}
		other := linkedPages(r.Place)
		found, err := r.Store.Linked.Linked(ctx, wpstore.LinkedQuery{
			PostType: kind.PostType, Statuses: vis.Statuses, Own: vis.Own, Only: only, Limit: l.perPage, Offset: (l.page - 1) * l.perPage,
		}, other)
		if err != nil {
			return nil, err
		}
		page := listPage{ids: found.IDs, listed: found.Total, total: found.Total}
		if other != (wpstore.InLanguage{}) {
			page.listed = found.Counted
		}
		if noMatch { // the totals stay those of the list without the search
			page.ids = nil
		}
		if l.page > 1 && len(page.ids) == 0 {
			return nil, tribev1.Fail(tribev1.Singular(kind) + "-archive-page-not-found")
		}
		rd := h.render.For(r.Place, r.Viewer, r.Clock, r.Store)
		set, err := rd.LoadLinked(ctx, page.ids, nil)
		if err != nil {
			return nil, err
		}
		return l.response(rd, tribev1.Collection(kind), page, func(w *phpjson.Writer, id int64) {
			if p := set.Post(id); p != nil {
				rd.Linked(w, set, kind, p, false)
			}
		}), nil
	}
}

// linkedPages returns the language whose posts are counted for the links to other pages. WPML
// counts those in the language of the list, although the list has all.
func linkedPages(place *wpsite.Place) wpstore.InLanguage {
	if place.Site.Languages.Plugin != i18n.WPML || place.Site.Compat.Fixed() {
		return wpstore.InLanguage{}
	}
	return place.In(place.Lang.Items())
}

func linkedListURL(r *wprest.Request, kind *api.PostKind, l *list, status php.Value) string {
	links := tribev1.LinksOf(r, r.Place.LinksFor(r.Place.Lang.Items()))
	return phpform.AddQueryArg(links.List(tribev1.Collection(kind)),
		phpform.Arg{Name: "page", Value: l.page}, phpform.Arg{Name: "per_page", Value: l.perPage},
		phpform.Arg{Name: "event", Value: r.Get("event")}, phpform.Arg{Name: "has_events", Value: r.Get("has_events")},
		phpform.Arg{Name: "status", Value: status})
}

// linkedSingle answers GET of one venue or organizer. A protected one has blank fields.
func (h *handlers) linkedSingle(kind *api.PostKind) wprest.Handler {
	return func(ctx context.Context, r *wprest.Request) (*api.Result, error) {
		id, err := r.ItemID(ctx, kind)
		if err != nil {
			return nil, err
		}
		rd := h.render.For(r.Place, r.Viewer, r.Clock, r.Store)
		set, err := rd.LoadLinked(ctx, []int64{id}, func(p *wpstore.Post) error {
			if p == nil || !r.Viewer.Reads(p) {
				return tribev1.Fail(tribev1.Singular(kind) + "-not-accessible")
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		w := rd.NewWriter()
		rd.Linked(w, set, kind, set.Post(id), true)
		return rd.Result(w), nil
	}
}
