// Package calfeed answers the complete feeds of our own: iCalendar and JSON Feed, with any
// number of events.
//
//   - calfeed.go: the handlers
//   - selection.go: which events, those that were cancelled, and the feed's name
//   - build.go: from ids to bytes, a batch of events at a time
//   - format.go: the two formats; json.go: the JSON of an event
//
// In goes a checked routes.Request; out comes an api.Response. A feed of up to 8 MiB is an
// answer like any other, with an ETag, in the response cache. A longer one is streamed: its
// memory doesn't grow with the number of events, but for their ids, 8 bytes each; it has no
// ETag, and every request makes it anew. The queries of a feed are those of the list of its
// ids, twice (cancelled events are a list of their own), and a constant number for each batch
// of events.
//
// Feeds are everybody's: credentials are ignored, protected events left out. Without dates
// they don't depend on the time.
//
// Package feed reads, and export answers, requests for The Events Calendar's own exports.
package calfeed
