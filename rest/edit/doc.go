// Package edit answers the requests that write: it makes, changes and trashes events,
// venues, organizers, categories and tags.
//
// A handler takes a checked request, does all of it in one transaction, and answers with
// what package render shows of the result.
//
//   - handlers.go: the handlers by operation; write.go: the transaction, which may run again
//     and then leaves nothing of the first attempt; rules.go, language.go: what saving
//     depends on for this request
//   - event.go: the three operations on events; event_save.go: the steps of saving one;
//     event_dates.go, event_links.go, event_terms.go: what the request means by its parts;
//     event_meta.go, event_cost.go: its metadata; remembered.go: what WPML shows instead
//   - linked.go, linked_edit.go, linked_meta.go: venues and organizers
//   - term.go, term_name.go: categories and tags
//   - dates.go, metadata.go: what they share
//
// It knows no routes and no reading handlers: it imports neither read nor the root.
package edit
