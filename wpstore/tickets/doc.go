// Package tickets reads the tickets of events and how many people attend them, as Event
// Tickets stores them: posts of their own types, whose metadata has the id of the event.
//
//   - store.go: Store; tickets and attendance of events, one query each, none for no ids
//   - select.go: which posts are tickets; the condition that lists of events filter by
//
// In come ids of events, out go rows by event. Nothing is cached by rows: results depend on
// the set [invalidation.Tickets].
//
// Only tickets that are published count, and only those of the providers asked for. Which
// are on is the site's matter (package rest/wpsite).
package tickets
