// Package edit answers POST, PUT, PATCH and DELETE: it turns a request into rows, and renders the
// response from them.
//
//	handlers.go     Handlers, the table of all operations that write
//	event.go        handlers of events
//	event_save.go   saving one event, in the order of the reference
//	event_parts.go  what has to be found or made before: event_terms.go, event_links.go,
//	                event_dates.go and the picture
//	event_meta.go   its metadata; event_cost.go the cost and its currency
//	written.go      the rows of a response, as they were written
//	wpml_answer.go  what WPML shows in the response instead of the rows
//	linked.go       handlers of venues and organizers; linked_edit.go makes and changes
//	                one, linked_meta.go its metadata
//	term.go         handlers of categories and tags; their names
//	write.go        write, the transaction of a request; rules.go what it depends on
//	language.go     the languages of new terms
//	dates.go        dates of requests; metadata.go texts as they are stored
//
// It turns a checked wprest.Request into the api.Result that package render builds from the rows.
// The documentation of package rest walks through a POST of an event.
//
// # Invariants
//
//   - The function passed to write may run several times. It reads only the request and the
//     transaction, returns its result, and has no other effect.
//   - The order of rows is the reference's, since automatic ids follow from it.
//   - The right to write at all was checked before. This package checks only permissions that
//     depend on a value: authors, statuses, new terms and posts.
//
// It imports render, tribev1 and what they import, but neither the pipeline nor package read.
package edit
