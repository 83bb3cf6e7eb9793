package read

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/eventlist"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
)

// eventList answers GET /events.
func (h *handlers) eventList(ctx context.Context, r *wprest.Request) (*api.Result, error) {
	asked, err := eventlist.New(ctx, r, r.Place.Lang.Items())
	if err != nil {
		return nil, err
	}
	page, err := eventPage(ctx, r, asked)
	if err != nil {
		return nil, err
	}
	l := &list{page: asked.Page, perPage: asked.PerPage, self: asked.URL}
	if l.page > 1 && len(page.ids) == 0 {
		return nil, tribev1.Fail("event-archive-page-not-found")
	}
	rd := h.render.For(r.Place, r.Viewer, r.Clock, r.Store)
	rd.Fields = listFields(r)
	set, err := rd.LoadEvents(ctx, page.ids, nil)
	if err != nil {
		return nil, err
	}
	return l.response(rd, "events", page, func(w *phpjson.Writer, id int64) {
		if ev := set.Post(id); ev != nil {
			rd.Event(w, set, ev, false)
		}
	}), nil
}

// listFields returns the fields of each event that the request wants. _fields doesn't reach
// into the list by their names.
func listFields(r *wprest.Request) api.Set {
	if wanted := singleFields(r); !wanted.Has("events") {
		return wanted
	}
	return api.Set{}
}

// eventPage runs the query. It also counts the totals if they are those of another language.
func eventPage(ctx context.Context, r *wprest.Request, l *eventlist.List) (page listPage, err error) {
	var counted *wpstore.EventQuery
	if r.Place.Lang.Totals() != r.Place.Lang.Items() {
		other, err := eventlist.New(ctx, r, r.Place.Lang.Totals())
		if err != nil {
			return page, err
		}
		counted = &other.Query
		if other.Nothing {
			counted.Include = []int64{}
		}
	}
	if l.Nothing {
		if counted == nil {
			return page, nil
		}
		l.Query.Include = []int64{}
	}
	r.Store.Events.UseStartIndexes(r.Place.Site.Facts.StartIndexes)
	found, err := r.Store.Events.Events(ctx, l.Query, counted)
	return listPage{ids: found.IDs, listed: found.Total, total: found.Counted}, err
}
