// Package dialecttest is a second API over the calendar, for tests. It proves that an API is one
// package: it imports the engine with its vocabulary, what APIs share, and the store.
//
// It answers as WordPress's own REST API does: lists are bare arrays, whose totals are in headers,
// and errors have codes of its own. It has only two routes, which read events.
package dialecttest

import (
	"context"
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/trait"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Dialect returns the API in a namespace.
func Dialect(namespace string) wprest.Dialect {
	return wprest.Dialect{Namespace: namespace, Routes: func(trait.Set) []*wprest.Route { return newRoutes() }}
}

func newRoutes() []*wprest.Route {
	reads := []string{http.MethodGet}
	return []*wprest.Route{
		{Pattern: "/events", Template: "/events", Endpoints: []wprest.Endpoint{{Methods: reads, Args: listArgs(), Handle: list}}},
		{Pattern: `/events/(?P<id>\d+)`, Template: "/events/{id}", Endpoints: []wprest.Endpoint{{Methods: reads, Args: singleArgs(), Handle: single}}},
	}
}

const described = "description type default"

func listArgs() []*wprest.Arg {
	return []*wprest.Arg{
		{Name: "page", Description: "Page of the list.", Keys: described, Type: "integer", Default: wprest.Constant(int64(1)), Valid: within(1, 1_000_000)},
		{Name: "per_page", Description: "Events on a page.", Keys: described, Type: "integer", Default: wprest.Constant(int64(10)), Valid: within(1, 100)},
		{Name: "search", Description: "Text to search for.", Keys: "description type", Type: "string"},
		{Name: "after", Description: "Earliest start, in the site's zone.", Keys: "description type", Type: "string", Valid: isDate},
		{Name: "tag", Description: "Slugs or ids of tags.", Keys: "description type", Type: "string"},
	}
}

func singleArgs() []*wprest.Arg {
	return []*wprest.Arg{{Name: "id", Description: "Number of the event.", Keys: "description type", Type: "integer", Required: true}}
}

// within accepts whole numbers in a range.
func within(least, most int64) wprest.Validator {
	return func(_ context.Context, _ *wprest.Request, v php.Value) (bool, error) {
		n := php.ToInt(v)
		return php.IsNumeric(v) && n >= least && n <= most, nil
	}
}

// isDate accepts dates as the database has them.
func isDate(_ context.Context, _ *wprest.Request, v php.Value) (bool, error) {
	return api.IsStoredDate(php.ToString(v)), nil
}

// fail returns an error of this API.
func fail(code string, status int, message string) *api.Error {
	return &api.Error{Code: code, Status: status, Message: message}
}

// list answers GET /events.
func list(ctx context.Context, r *wprest.Request) (*api.Result, error) {
	page, perPage := php.ToInt(r.Get("page")), php.ToInt(r.Get("per_page"))
	f := calendar.Filter{Limit: perPage, Offset: (page - 1) * perPage}
	if r.Get("search") != nil {
		text := r.Text("search")
		f.Search = &text
	}
	if after := r.Text("after"); after != "" {
		f.Bounds = []wpstore.Bound{{Op: ">=", Value: after}}
	}
	if tags := r.Get("tag"); tags != nil {
		f.Tags = append([]php.Value{}, api.SplitList(tags)...)
	}
	q, nothing, err := f.Query(ctx, r.Asker(), r.Place.Lang.Items())
	if err != nil {
		return nil, err
	}
	var found wpstore.EventPage
	if !nothing {
		r.Store.Events.UseStartIndexes(r.Place.Site.Facts.StartIndexes)
		if found, err = r.Store.Events.Events(ctx, q, nil); err != nil {
			return nil, err
		}
	}
	if page > 1 && len(found.IDs) == 0 {
		return nil, fail("rest_post_invalid_page_number", http.StatusBadRequest, "The page number is larger than the number of pages.")
	}
	events, err := load(ctx, r, found.IDs)
	if err != nil {
		return nil, err
	}
	body := &php.Array{}
	for _, id := range found.IDs {
		if p := events.Posts[id]; p != nil {
			body.Append(event(r, p, events.Meta[id]))
		}
	}
	res := api.JSON(http.StatusOK, body)
	res.Fields = []api.Header{{Name: "X-WP-Total", Value: found.Total}, {Name: "X-WP-TotalPages", Value: (found.Total + perPage - 1) / perPage}}
	return res, nil
}

// single answers GET /events/{id}.
func single(ctx context.Context, r *wprest.Request) (*api.Result, error) {
	id := php.ToInt(r.Get("id"))
	events, err := load(ctx, r, []int64{id})
	if err != nil {
		return nil, err
	}
	p := events.Posts[id]
	switch {
	case p == nil || p.Type != api.Events.PostType:
		return nil, fail("rest_post_invalid_id", http.StatusNotFound, "There is no event with this number.")
	case !r.Viewer.Opens(p):
		return nil, r.Viewer.Forbidden()
	}
	return api.JSON(http.StatusOK, event(r, p, events.Meta[id])), nil
}

// load reads events with their metadata.
func load(ctx context.Context, r *wprest.Request, ids []int64) (wpstore.PostSet, error) {
	return r.Store.Posts.PostSet(ctx, &r.Place.Site.Languages.Languages, ids, nil)
}

// event returns the JSON of an event.
func event(r *wprest.Request, p *wpstore.Post, m wpstore.Meta) *php.Array {
	start, _ := m.First("_EventStartDate")
	end, _ := m.First("_EventEndDate")
	return api.Object("id", p.ID, "title", api.Object("raw", p.Title), "start", start, "end", end, "link", r.Place.PostURL(p, r.Viewer.Viewable(p)))
}
