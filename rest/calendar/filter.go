// Package calendar holds what every API over the calendar shares: which events a client selects, and
// the look-ups of a request.
//
//   - filter.go: Filter, a selection of events without the names of any API's parameters, and its
//     way to a query of the store
//   - terms.go: categories and tags of a filter; search.go: search texts
//   - lookups.go: Lookups, which makes each look-up of a request once: a post by its slug, the rights
//     to a post, terms by the entries of a list, the tree of a taxonomy, translations
//   - stores.go: Stores, the interfaces of the stores that requests read from
//
// It turns a Filter, the user, the language and the look-ups of a request into a
// wpstore.EventQuery. It contains neither parameters nor URLs of any API.
package calendar

import (
	"context"
	"slices"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Asker holds what a selection depends on besides the filter: the user, the place of the site, and
// the look-ups of the request.
type Asker struct {
	Place   *wpsite.Place
	Viewer  *authz.Viewer
	Lookups *Lookups
}

// Filter selects events. The zero value selects those that the user sees in lists, in the order of
// their start.
type Filter struct {
	// Limit is the largest number of events, and Offset the number of those that are left out before
	// them.
	Limit, Offset int64
	// Bounds compare starts and ends with times in the site's zone, as WordPress stores them.
	Bounds []wpstore.Bound
	// Search is a search text; nil means none.
	Search *string
	// Status lists statuses, as WordPress reads lists; nil means those that the user sees.
	Status php.Value
	// Conditions are those of package events.
	Conditions []wpstore.EventFilter
	// Include, if not nil, selects events by id, in the order of their publication.
	Include []int64
	// Venues and Organizers, if not nil, select events that link to one of them. Lookups.Exist must
	// have been called with them.
	Venues, Organizers []int64
	// Categories and Tags, if not nil, select events that have one of them: slugs, or ids.
	Categories, Tags []php.Value
	// SlugLanguage is the language of slugs of categories and tags under Polylang, nil for none.
	SlugLanguage php.Value
	// Ticketed, if not nil, selects events with tickets, or those without. Sites without Event
	// Tickets ignore it.
	Ticketed *bool
}

// Query turns the filter into the query of the events of a language, or "" for all. nothing reports
// that no event can match.
func (f *Filter) Query(ctx context.Context, a Asker, language string) (q wpstore.EventQuery, nothing bool, err error) {
	site := a.Place.Site
	q = wpstore.EventQuery{
		Occurrences: site.Facts.Occurrences, UTC: site.UTCDates(), Order: wpstore.EventOrder{UTC: site.SiteMode()},
		Limit: f.Limit, Offset: f.Offset, Language: a.Place.In(language), Filters: f.Conditions,
	}
	for _, b := range f.Bounds {
		if t, err := time.ParseInLocation(api.MySQLTime, b.Value, site.Zone); err == nil && site.SiteMode() {
			b.Value = t.UTC().Format(api.MySQLTime)
		}
		q.Bounds = append(q.Bounds, b)
	}
	if f.Search != nil {
		q.Search = SearchTerms(*f.Search)
		q.UnprotectedOnly = q.Search != nil && !a.Viewer.Known()
	}
	vis := a.Viewer.Visibility(api.Events, f.Status)
	q.Statuses, q.Own, q.Passwords, q.UnlockedFor = vis.Statuses, vis.Own, vis.Passwords, vis.UnlockedFor
	if f.Include != nil {
		q.Order.ByPublication = true
		if q.Include, err = a.Lookups.InLanguage(ctx, f.Include, language, a.Viewer.Learns); err != nil {
			return q, false, err
		}
	}
	q.Hidden = a.Viewer.ManagesAttendees()
	if site.Tickets != nil && f.Ticketed != nil {
		q.Tickets = &wpstore.TicketFilter{Providers: site.Tickets.Providers, Without: !*f.Ticketed}
	}
	q.Venues, q.Organizers = a.visibleLinks(f.Venues, api.Venues), a.visibleLinks(f.Organizers, api.Organizers)
	for _, terms := range []struct {
		tax   *api.TaxonomyKind
		named []php.Value
		ids   *[]int64
	}{{api.Categories, f.Categories, &q.Categories}, {api.Tags, f.Tags, &q.Tags}} {
		if terms.named == nil {
			continue
		}
		ids, err := a.Terms(ctx, terms.tax, terms.named, f.SlugLanguage, language)
		if err != nil {
			return q, false, err
		}
		*terms.ids = ids
		nothing = nothing || len(ids) == 0
	}
	return q, nothing, nil
}

// visibleLinks leaves out venues and organizers whose links the viewer doesn't see: they match
// nothing.
func (a Asker) visibleLinks(ids []int64, kind *api.PostKind) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return !a.Viewer.SeesLink(a.Lookups.Head(id), kind) })
}
