// Package eventlist turns the arguments of a list of events into the query that finds them.
//
//   - list.go: [List], a page of events and the list's own URL; url.go: that URL
//   - dates.go: the six arguments that are dates
//   - feed.go: the same filters for all events at once, for feeds and changes
//
// It reads the terms, venues and organizers that the arguments name, but no event.
package eventlist
