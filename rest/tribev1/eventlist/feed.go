package eventlist

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Of is the restriction that a feed's path makes: to the events of a venue, an organizer, a
// category or a tag. The zero value is all events.
type Of struct {
	Kind *api.PostKind
	Post int64
	Tax  *api.TaxonomyKind
	Term int64 // 0: the one of the slug
	Slug string
}

// Feed turns the arguments of a feed into the query of all its events, by start. nothing reports
// that no event can match.
func Feed(ctx context.Context, r *wprest.Request, of Of) (q wpstore.EventQuery, nothing bool, err error) {
	language := r.Place.Lang.Items()
	l, err := newList(ctx, r, language, feedDates)
	if err != nil {
		return q, false, err
	}
	l.Query.Order = wpstore.EventOrder{UTC: r.Place.Site.SiteMode()}
	l.Query.Limit, l.Query.Offset = maxEvents, 0
	switch {
	case of.Kind == api.Venues:
		l.Query.Venues = []int64{of.Post}
	case of.Kind == api.Organizers:
		l.Query.Organizers = []int64{of.Post}
	case of.Tax != nil:
		var ids []int64
		if of.Term != 0 {
			ids, err = r.Asker().TermByID(ctx, of.Tax, of.Term, language)
		} else {
			ids, err = r.Asker().Terms(ctx, of.Tax, []php.Value{of.Slug}, r.Get("lang"), language)
		}
		if err != nil {
			return q, false, err
		}
		if of.Tax == api.Categories {
			l.Query.Categories = ids
		} else {
			l.Query.Tags = ids
		}
		l.Nothing = l.Nothing || len(ids) == 0
	}
	r.Store.Events.UseStartIndexes(r.Place.Site.Facts.StartIndexes)
	return l.Query, l.Nothing, nil
}

// All turns the arguments of the list of events into the query of all its events. nothing reports
// that no event can match. It reads through the request's Lookups, which may differ from those that
// checked the arguments.
func All(ctx context.Context, r *wprest.Request) (q wpstore.EventQuery, nothing bool, err error) {
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		if v := r.Get(tribev1.Singular(kind)); v != nil {
			if _, err := r.Lookups.Exist(ctx, kind, api.SplitIDs(v)...); err != nil {
				return q, false, err
			}
		}
	}
	l, err := New(ctx, r, r.Place.Lang.Items())
	if err != nil {
		return q, false, err
	}
	l.Query.Limit, l.Query.Offset = maxEvents, 0
	r.Store.Events.UseStartIndexes(r.Place.Site.Facts.StartIndexes)
	return l.Query, l.Nothing, nil
}

// maxEvents bounds the ids of a feed, which take 8 bytes each.
const maxEvents = 10_000_000
