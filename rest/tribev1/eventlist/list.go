package eventlist

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/phpform"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// List is a request for a list: a page of the events that a query finds.
type List struct {
	Page, PerPage int64
	// URL is that of the list itself (rest_url).
	URL   string
	Query wpstore.EventQuery
	// Nothing reports that no event can match.
	Nothing bool
}

// New turns the arguments of the list of events into a List, of the events of one language or ""
// for all.
func New(ctx context.Context, r *wprest.Request, language string) (*List, error) {
	return newList(ctx, r, language, eventDates)
}

// newList does what New does. readDates reads the arguments that are dates.
func newList(ctx context.Context, r *wprest.Request, language string, readDates func(*wprest.Request) map[string]phpform.Arg) (*List, error) {
	var l List
	l.Page, l.PerPage = tribev1.Page(&r.Params)
	dates := readDates(r)
	f, conditions := l.filter(r, dates)
	l.URL = l.url(r, language, dates, conditions)
	var err error
	l.Query, l.Nothing, err = f.Query(ctx, r.Asker(), language)
	return &l, err
}

// filter reads the arguments that select events. conditions are the arguments that become
// conditions of the filter, as the list's own URL shows them.
func (l *List) filter(r *wprest.Request, dates map[string]phpform.Arg) (f calendar.Filter, conditions []phpform.Arg) {
	f = calendar.Filter{
		Limit: l.PerPage, Offset: (l.Page - 1) * l.PerPage, Bounds: bounds(dates), Status: r.Get("status"), SlugLanguage: r.Get("lang"),
		Venues: linkedIDs(r, api.Venues), Organizers: linkedIDs(r, api.Organizers), Categories: termNames(r, api.Categories), Tags: termNames(r, api.Tags),
	}
	f.Conditions, conditions = r.EventFilters()
	if v := r.Get("search"); v != nil {
		text := php.ToString(v)
		f.Search = &text
	}
	if include, ok := r.Get("include").(*php.Array); ok {
		f.Include = api.SplitIDs(include)
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
		return api.SplitIDs(v)
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
