// Package render turns rows into the JSON of the interface.
//
// A handler takes a [Renderer] for its answer from the server's [Shared], loads the posts
// of the answer as a [Set], writes them one after the other, and gets the response:
//
//	r := shared.For(place, viewer, clock, store)
//	set, err := r.LoadEvents(ctx, ids)
//	w := r.NewWriter()
//	r.Event(w, set, set.Post(id), false)
//	return r.Response(w), nil
//
// In go ids, the place where the answer is made, its viewer and its time; out comes JSON,
// and in [api.Learned] what only rendering can tell: the latest change, whether a password
// decided, and what could not be rendered. That the answer depends on the time is noted
// by the clock.
//
//   - shared.go: what all answers have in common: caches and memory
//   - renderer.go: Renderer: loading, the response, and the answers to writes
//   - override.go: what the answer to a write shows otherwise than the rows
//   - set.go: Set: what earlier posts of the answer mean for later ones
//   - texts.go: descriptions and excerpts, in WordPress's order
//   - event_cache.go: events, copied from the cache where their rows are the same
//   - event.go, linked.go: the fields of events, and of venues and organizers
//   - fields.go, dates.go: fields that several kinds have, or that take some steps
//   - locked.go: what a list shows of an event that a password protects
//
// Below it, package loader reads the rows, jsonld writes structured data, termjson writes
// categories and tags, and recent is the cache. The package does not choose what is shown
// and knows no request; it imports neither read nor edit nor the root.
package render
