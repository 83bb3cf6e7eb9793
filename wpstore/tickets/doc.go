// Package tickets reads the tickets and the attendance of events, as Event Tickets stores
// them: posts of their own types, whose metadata has the id of the event.
//
//   - store.go: Store; tickets and attendance of events, one query each, none for no ids
//   - select.go: which posts are tickets; the condition that lists of events filter by
//
// It turns ids of events into rows by event. No rows are cached: results depend on the set
// [invalidation.Tickets].
//
// Only published tickets of the given providers count. Package rest/wpsite determines which
// providers are active.
package tickets
