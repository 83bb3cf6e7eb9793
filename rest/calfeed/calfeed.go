package calfeed

import (
	"context"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/eventlist"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Described returns the description of an event in WordPress's response to a request for a route with the
// event's id, at the address of another request. ok is false if it isn't known.
type Described func(r *api.Request, route, language string, id int64) (html string, ok bool)

// Handlers returns the handlers of all feeds. shared renders their events, except for texts that only
// WordPress can render: these are described, if that isn't nil.
func Handlers(shared *render.Shared, described Described) wprest.Handlers {
	h := &handlers{shared, described}
	out := wprest.Handlers{
		tribev1.Feed.Of(tribev1.Collection(api.Events)):       h.events(newICalendar),
		tribev1.JSONFeed.Of(tribev1.Collection(api.Events)):   h.events(newJSONFeed),
		tribev1.SingleFeed.Of(tribev1.Collection(api.Events)): h.single,
	}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		out[tribev1.Feed.Of(tribev1.Collection(kind))] = h.eventsAt(kind)
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		out[tribev1.Feed.Of(tribev1.TermCollection(tax))] = h.eventsIn(tax)
	}
	return out
}

type handlers struct {
	render    *render.Shared
	described Described
}

// events answers with all events that match the filters.
func (h *handlers) events(newFormat func(*feed) format) wprest.Handler {
	return func(ctx context.Context, r *wprest.Request) (*api.Result, error) {
		f := h.newFeed(r)
		if err := f.selectEvents(ctx, eventlist.Of{}); err != nil {
			return nil, err
		}
		return f.answer(ctx, newFormat)
	}
}

// eventsAt answers with the events of a venue or an organizer.
func (h *handlers) eventsAt(kind *api.PostKind) wprest.Handler {
	return func(ctx context.Context, r *wprest.Request) (*api.Result, error) {
		id, err := r.ItemID(ctx, kind)
		if err != nil {
			return nil, err
		}
		posts, err := r.Store.Posts.PostsWithLanguage(ctx, &r.Place.Site.Languages.Languages, []int64{id})
		if err != nil {
			return nil, err
		}
		p := posts[id]
		if p == nil || !r.Viewer.SeesLink(p, kind) {
			return nil, tribev1.Fail(tribev1.Singular(kind) + "-not-accessible")
		}
		f := h.newFeed(r)
		if p.Password == "" {
			f.of = r.Place.Text.Title(p.Title)
		}
		f.path = "/" + tribev1.Collection(kind) + "/" + strconv.FormatInt(id, 10) + "/events.ics"
		if err := f.selectEvents(ctx, eventlist.Of{Kind: kind, Post: id}); err != nil {
			return nil, err
		}
		return f.answer(ctx, newICalendar)
	}
}

// eventsIn answers with the events of a category and the categories below it, or of a tag.
func (h *handlers) eventsIn(tax *api.TaxonomyKind) wprest.Handler {
	return func(ctx context.Context, r *wprest.Request) (*api.Result, error) {
		of := eventlist.Of{Tax: tax}
		var term wpstore.Term
		if r.Endpoint.Takes("id") {
			var err error
			if term, err = r.Term(ctx, r.Store.Terms, tax); err != nil {
				return nil, err
			}
			of.Term = term.ID
		} else {
			of.Slug = r.Text("slug")
			found, err := r.Lookups.Terms(ctx, tax.Name, []php.Value{of.Slug})
			if err != nil {
				return nil, err
			}
			language := r.Place.LanguageOfSlugs(r.Get("lang"))
			if term, _ = found.SlugIn(r.Place.Site.Slug(of.Slug), language); term.ID == 0 {
				return nil, api.Fail("rest_no_route")
			}
		}
		f := h.newFeed(r)
		f.of, f.path = term.Name, "/"+tribev1.TermCollection(tax)+"/"+strconv.FormatInt(term.ID, 10)+"/events.ics"
		if err := f.selectEvents(ctx, of); err != nil {
			return nil, err
		}
		return f.answer(ctx, newICalendar)
	}
}

// single answers with one event, which may be cancelled.
func (h *handlers) single(ctx context.Context, r *wprest.Request) (*api.Result, error) {
	f := h.newFeed(r)
	id := php.ToInt(r.Get("id"))
	posts, metas, err := r.Store.Posts.PostsAndMetaKeys(ctx, []int64{id}, cancelledKeys)
	if err != nil {
		return nil, err
	}
	p := posts[id]
	switch {
	case p == nil || p.Type != api.Events.PostType:
		return nil, tribev1.Fail("rest-event-not-found", "id", strconv.FormatInt(id, 10))
	case cancelled(p, metas[id]):
		f.cancelled = []int64{id}
	case p.Status != "publish":
		return nil, tribev1.Fail("event-not-accessible")
	case p.Password != "":
		return nil, tribev1.Fail("event-password-protected")
	default:
		f.ids = []int64{id}
		f.of = r.Place.Text.Title(p.Title)
	}
	f.path = "/" + tribev1.Collection(api.Events) + "/" + strconv.FormatInt(id, 10) + ".ics"
	if f.zones, err = f.span(ctx, r.Store); err != nil {
		return nil, err
	}
	return f.answer(ctx, newICalendar)
}
