package read

import (
	"cmp"
	"context"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// eventList answers GET /events.
func (h *handlers) eventList(ctx context.Context, r *wprest.Request) (*api.Response, error) {
	l, err := eventQuery(ctx, r, r.Place.Lang.Items(), eventDates)
	if err != nil {
		return nil, err
	}
	page, err := eventPage(ctx, r, l)
	if err != nil {
		return nil, err
	}
	if l.page > 1 && len(page.ids) == 0 {
		return nil, api.Fail("event-archive-page-not-found")
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
func eventPage(ctx context.Context, r *wprest.Request, l *list) (page listPage, err error) {
	var counted *wpstore.EventQuery
	if r.Place.Lang.Totals() != r.Place.Lang.Items() {
		other, err := eventQuery(ctx, r, r.Place.Lang.Totals(), eventDates)
		if err != nil {
			return page, err
		}
		counted = &other.query
		if other.nothing {
			counted.Include = []int64{}
		}
	}
	if l.nothing {
		if counted == nil {
			return page, nil
		}
		l.query.Include = []int64{}
	}
	r.Store.Events.UseStartIndexes(r.Place.Site.Facts.StartIndexes)
	found, err := r.Store.Events.Events(ctx, l.query, counted)
	return listPage{ids: found.IDs, listed: found.Total, total: found.Counted}, err
}

// eventQuery turns the arguments into the query, for the events of one language or "" for
// all, and the list's own URL, whose parameters have a fixed order. readDates reads the
// arguments that are dates.
func eventQuery(ctx context.Context, r *wprest.Request, language string, readDates func(*wprest.Request) map[string]phpform.Arg) (*list, error) {
	l := newList(&r.Params)
	l.query = wpstore.EventQuery{
		Occurrences: r.Place.Site.Facts.Occurrences, UTC: r.Place.Site.UTCDates(), Order: wpstore.EventOrder{UTC: r.Place.Site.SiteMode()},
		Limit: l.perPage, Offset: (l.page - 1) * l.perPage, Language: r.Place.In(language),
	}
	q := &l.query
	dates := readDates(r)
	bounds(r.Place.Site, q, dates)
	args := []phpform.Arg{{Name: "page", Value: l.page}, {Name: "per_page", Value: l.perPage}, dates["start_date"], dates["end_date"]}

	if search := r.Get("search"); search != nil {
		args = append(args, phpform.Arg{Name: "search", Value: search})
		q.Search = SearchTerms(php.ToString(search))
		q.UnprotectedOnly = q.Search != nil && r.Viewer.User.ID == 0
	}
	args = append(args, geoArgs(&r.Params)...)

	vis := r.Viewer.Visibility(api.Events, r.Get("status"))
	q.Statuses, q.Own, q.Passwords, q.UnlockedFor = vis.Statuses, vis.Own, vis.Passwords, vis.UnlockedFor
	args = append(args, phpform.Arg{Name: "status", Value: vis.Shown})

	filters, shown := r.EventFilters()
	q.Filters = filters
	isParent := func(a phpform.Arg) bool { return a.Name == wpstore.FilterParent }
	if at := slices.IndexFunc(shown, isParent); at >= 0 {
		args = append(args, shown[at])
	}
	if include, ok := r.Get("include").(*php.Array); ok {
		q.Order.ByPublication = true
		for _, v := range include.All() {
			q.Include = append(q.Include, php.ToInt(v))
		}
		var err error
		q.Include, err = r.Lookups.InLanguage(ctx, q.Include, language, r.Viewer.Learns)
		if err != nil {
			return nil, err
		}
		args = append(args, phpform.Arg{Name: "include", Value: api.JoinValues(include)})
	}
	for _, name := range relativeDates {
		args = append(args, dates[name])
	}
	args = append(args, ticketArgs(r, q)...)
	l.self = phpform.AddQueryArg(r.Place.LinksFor(language).List(tribev1.Collection(api.Events)), args...)
	linkedFilters(r, l, slices.DeleteFunc(shown, isParent))
	return l, termFilters(ctx, r, l, language)
}

// ticketArgs adds what Event Tickets filters by.
func ticketArgs(r *wprest.Request, q *wpstore.EventQuery) []phpform.Arg {
	q.Hidden = r.Viewer.ManagesAttendees()
	tickets, ticketed := r.Place.Site.Tickets, r.Get("ticketed")
	if tickets == nil || ticketed == nil {
		return nil
	}
	q.Tickets = &wpstore.TicketFilter{Providers: tickets.Providers, Without: ticketed != true}
	if q.Tickets.Without {
		return nil
	}
	return []phpform.Arg{{Name: "ticketed", Value: true}}
}

// geoArgs copies arguments that only the list's URL has: distance search belongs to an add-on.
func geoArgs(params *api.Params) []phpform.Arg {
	if params.Get("geoloc") != true {
		return nil
	}
	args := []phpform.Arg{{Name: "geoloc", Value: true}}
	for _, name := range []string{"geoloc_lat", "geoloc_lng"} {
		args = append(args, phpform.Arg{Name: name, Value: cmp.Or(params.Get(name), php.Value(""))})
	}
	return args
}

// linkedFilters adds venue and organizer, and then shows others in the URL. Venues and organizers
// whose links the viewer doesn't see match nothing. Appending the filters to the URL last encodes
// everything before them.
func linkedFilters(r *wprest.Request, l *list, others []phpform.Arg) {
	var args []phpform.Arg
	for _, f := range []struct {
		kind *api.PostKind
		ids  *[]int64
	}{{api.Venues, &l.query.Venues}, {api.Organizers, &l.query.Organizers}} {
		v := r.Get(tribev1.Singular(f.kind))
		if v == nil {
			continue
		}
		*f.ids = slices.DeleteFunc(listIDs(v), func(id int64) bool { return !r.Viewer.SeesLink(r.Lookups.Head(id), f.kind) })
		if arr, ok := v.(*php.Array); ok {
			v = api.JoinValues(arr)
		}
		args = append(args, phpform.Arg{Name: tribev1.Singular(f.kind), Value: v})
	}
	if args = append(args, others...); len(args) > 0 {
		l.self = phpform.AddQueryArg(l.self, args...)
	}
}

// termFilters resolves categories and tags.
func termFilters(ctx context.Context, r *wprest.Request, l *list, language string) error {
	for _, f := range []struct {
		tax *api.TaxonomyKind
		ids *[]int64
	}{{api.Categories, &l.query.Categories}, {api.Tags, &l.query.Tags}} {
		v := r.Get(tribev1.TermCollection(f.tax))
		if v == nil {
			continue
		}
		ids, err := filterTerms(ctx, r, f.tax, api.SplitList(v), language)
		if err != nil {
			return err
		}
		*f.ids = ids
		l.nothing = l.nothing || len(ids) == 0
	}
	return nil
}
