// Package calevent turns rows into events as calendar programs read them: those of The Events
// Calendar's iCalendar exports, and those of feeds.
//
//   - source.go: [Source], what both read events with, and what both show of venues
//   - export.go: [Export], events of exports
//   - feed.go: [Feed], events of feeds
//
// It turns ids, the response's place, its viewer and its time into events for packages ical and
// rfc5545, and reports what only rendering finds out. The package does not choose events.
package calevent
