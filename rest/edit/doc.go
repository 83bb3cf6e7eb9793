// Package edit answers POST, PUT, PATCH and DELETE: what a request asks for becomes rows,
// and the answer is rendered from them.
//
//	handlers.go     Handlers, the table of all operations that write
//	event.go        handlers of events
//	event_save.go   saving one event, in the order of the reference
//	event_parts.go  what has to be found or made before: event_terms.go, event_links.go,
//	                event_dates.go and the picture
//	event_meta.go   its metadata; event_cost.go the cost and its currency
//	remembered.go   what WPML shows in the answer instead of what is stored
//	linked.go       handlers of venues and organizers; linked_edit.go makes and changes
//	                one, linked_meta.go its metadata
//	term.go         handlers of categories and tags; term_name.go their names
//	write.go        write, the transaction of a request; rules.go what it depends on
//	language.go     the languages of new terms
//	dates.go        dates as clients write them; metadata.go texts as they are stored
//
// A handler gets a checked routes.Request and returns the api.Response that package render
// makes of the rows. The documentation of package rest walks through a POST of an event.
//
// # What always holds
//
//   - The function given to write may run several times. It reads the request, asks the
//     transaction alone, and returns its result; it changes neither the request nor
//     anything around it.
//   - The order of rows is the reference's, since automatic ids follow from it.
//   - Who may write at all is decided before; here only what depends on a value is:
//     authors, statuses, terms and posts that are made along.
//
// It imports render and what is below routes, and knows neither the pipeline nor package
// read.
package edit
