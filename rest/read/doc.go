// Package read answers the requests that only read: lists and single resources.
//
// A handler turns the arguments of a request into a query of the store, takes the ids
// that it finds, and has package render show them. event_list.go is the list of events,
// whose dates event_dates.go and whose terms event_terms.go reads; linked.go lists venues
// and organizers, linked_filters.go finds those that its filters mean; term.go answers
// for categories and tags; list.go is what all lists share, search.go reads search texts.
//
// It writes nothing, and imports neither edit nor the root.
package read

import (
	"calbridge/rest/api"
	"calbridge/rest/render"
	"calbridge/rest/routes"
)

// handlers answer with what render shows.
type handlers struct{ render *render.Shared }

// Handlers are those of all operations that only read. shared renders their answers.
func Handlers(shared *render.Shared) routes.Handlers {
	h := &handlers{shared}
	out := routes.Handlers{
		routes.List.Of(api.Events.Collection):   h.eventList,
		routes.Single.Of(api.Events.Collection): h.eventSingle,
	}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		out[routes.List.Of(kind.Collection)] = h.linkedList(kind)
		out[routes.Single.Of(kind.Collection)] = h.linkedSingle(kind)
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		out[routes.List.Of(tax.Collection)] = h.termList(tax)
		out[routes.Single.Of(tax.Collection)] = h.termSingle(tax)
	}
	return out
}
