package read

import (
	"cmp"
	"context"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// eventList answers GET /events.
func (h *handlers) eventList(ctx context.Context, r *wprest.Request) (*api.Result, error) {
	l, err := eventQuery(ctx, r, r.Place.Lang.Items(), eventDates)
	if err != nil {
		return nil, err
	}
	page, err := eventPage(ctx, r, l)
	if err != nil {
		return nil, err
	}
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

// eventQuery turns the arguments into the query, for the events of one language or "" for all, and
// the list's own URL. readDates reads the arguments that are dates.
func eventQuery(ctx context.Context, r *wprest.Request, language string, readDates func(*wprest.Request) map[string]phpform.Arg) (*list, error) {
	l := newList(&r.Params)
	dates := readDates(r)
	f, conditions := eventFilter(r, l, dates)
	l.self = eventListURL(r, l, language, dates, conditions)
	var err error
	l.query, l.nothing, err = f.Query(ctx, r.Asker(), language)
	return l, err
}

// eventFilter reads the arguments that select events. conditions are the arguments that become
// conditions of the filter, as the list's own URL shows them.
func eventFilter(r *wprest.Request, l *list, dates map[string]phpform.Arg) (f calendar.Filter, conditions []phpform.Arg) {
	f = calendar.Filter{
		Limit: l.perPage, Offset: (l.page - 1) * l.perPage, Bounds: bounds(dates), Status: r.Get("status"), SlugLanguage: r.Get("lang"),
		Venues: linkedIDs(r, api.Venues), Organizers: linkedIDs(r, api.Organizers), Categories: termNames(r, api.Categories), Tags: termNames(r, api.Tags),
	}
	f.Conditions, conditions = r.EventFilters()
	if v := r.Get("search"); v != nil {
		text := php.ToString(v)
		f.Search = &text
	}
	if include, ok := r.Get("include").(*php.Array); ok {
		f.Include = listIDs(include)
	}
	if v := r.Get("ticketed"); v != nil {
		with := v == true
		f.Ticketed = &with
	}
	return f, conditions
}

// linkedIDs returns the ids in the argument that names venues or organizers, nil without one.
func linkedIDs(r *wprest.Request, kind *api.PostKind) []int64 {
	if v := r.Get(tribev1.Singular(kind)); v != nil {
		return listIDs(v)
	}
	return nil
}

// termNames returns the entries of the argument that names terms, nil without one.
func termNames(r *wprest.Request, tax *api.TaxonomyKind) []php.Value {
	if v := r.Get(tribev1.TermCollection(tax)); v != nil {
		return append([]php.Value{}, api.SplitList(v)...)
	}
	return nil
}

// eventListURL returns the list's own URL, whose parameters have a fixed order. It repeats what a
// request says, not all that applies.
func eventListURL(r *wprest.Request, l *list, language string, dates map[string]phpform.Arg, conditions []phpform.Arg) string {
	args := []phpform.Arg{{Name: "page", Value: l.page}, {Name: "per_page", Value: l.perPage}, dates["start_date"], dates["end_date"]}
	if search := r.Get("search"); search != nil {
		args = append(args, phpform.Arg{Name: "search", Value: search})
	}
	args = append(args, geoArgs(&r.Params)...)
	args = append(args, phpform.Arg{Name: "status", Value: r.Viewer.ShownStatus(api.Events, r.Get("status"))})
	isParent := func(a phpform.Arg) bool { return a.Name == wpstore.FilterParent }
	if at := slices.IndexFunc(conditions, isParent); at >= 0 {
		args = append(args, conditions[at])
	}
	if include, ok := r.Get("include").(*php.Array); ok {
		args = append(args, phpform.Arg{Name: "include", Value: api.JoinValues(include)})
	}
	for _, name := range relativeDates {
		args = append(args, dates[name])
	}
	if r.Place.Site.Tickets != nil && r.Get("ticketed") == true {
		args = append(args, phpform.Arg{Name: "ticketed", Value: true})
	}
	links := tribev1.LinksOf(r, r.Place.LinksFor(language))
	self := phpform.AddQueryArg(links.List(tribev1.Collection(api.Events)), args...)
	var last []phpform.Arg
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		v := r.Get(tribev1.Singular(kind))
		if arr, ok := v.(*php.Array); ok {
			v = api.JoinValues(arr)
		}
		if v != nil {
			last = append(last, phpform.Arg{Name: tribev1.Singular(kind), Value: v})
		}
	}
	if last = append(last, slices.DeleteFunc(conditions, isParent)...); len(last) > 0 {
		self = phpform.AddQueryArg(self, last...) // a second time, which encodes everything before
	}
	return self
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
