// Package read answers the requests that only read: lists and single resources.
//
//   - event.go: one event; event_list.go: lists of events
//   - linked.go: venues and organizers; linked_filters.go: the filters of their lists
//   - term.go: categories and tags
//   - list.go: what all lists share
//
// It turns a checked wprest.Request into a query of the store, that of events with package eventlist,
// and package render builds the api.Result from the ids. It writes nothing, and imports neither edit nor the root.
package read

import (
	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
)

type handlers struct{ render *render.Shared }

// Handlers returns the handlers of all operations that only read. shared renders their responses.
func Handlers(shared *render.Shared) wprest.Handlers {
	h := &handlers{shared}
	out := wprest.Handlers{
		tribev1.List.Of(tribev1.Collection(api.Events)):   h.eventList,
		tribev1.Single.Of(tribev1.Collection(api.Events)): h.eventSingle,
	}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		out[tribev1.List.Of(tribev1.Collection(kind))] = h.linkedList(kind)
		out[tribev1.Single.Of(tribev1.Collection(kind))] = h.linkedSingle(kind)
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		out[tribev1.List.Of(tribev1.TermCollection(tax))] = h.termList(tax)
		out[tribev1.Single.Of(tribev1.TermCollection(tax))] = h.termSingle(tax)
	}
	return out
}
