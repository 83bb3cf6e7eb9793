// Package calfeed answers the complete feeds of our own: iCalendar and JSON Feed, with any
// number of events.
//
//   - calfeed.go: the handlers
//   - selection.go: which events, those that were cancelled, and the feed's name
//   - build.go: from ids to bytes, a batch of events at a time
//   - format.go: the two formats; json.go: the JSON of an event
//
// It turns a checked wprest.Request into an api.Result. A feed of up to 8 MiB is an ordinary
// response with an ETag, in the response cache. A longer one is streamed. Its memory doesn't grow
// with the number of events, except for their ids, 8 bytes each. It has no ETag, and every request
// builds it again. A feed queries the list of its ids twice (cancelled events are a list of their
// own), makes one query for each thousand events in the trash, and a constant number of queries for each batch
// of events.
//
// Feeds are the same for everyone: credentials are ignored, and protected events are left out.
// Feeds without dates don't depend on the time.
//
// The Events Calendar's own exports are another matter: package exporturl reads their requests, and
// package export answers them.
package calfeed
