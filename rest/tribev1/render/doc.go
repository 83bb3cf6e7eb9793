// Package render turns rows into the JSON of the interface.
//
// A handler takes a [Renderer] for its response from the server's [Shared], loads the posts of the
// response as a [Set], writes them one after the other, and gets the response:
//
//	r := shared.For(place, viewer, clock, store)
//	set, err := r.LoadEvents(ctx, ids)
//	w := r.NewWriter()
//	r.Event(w, set, set.Post(id), false)
//	return r.Result(w), nil
//
// It turns ids, the response's place, its viewer and its time into JSON. In [api.Rendering] it
// reports what only rendering finds out: the latest change, whether a password mattered, and what
// could not be rendered.
//
//   - shared.go: Shared, the caches and buffers of all responses
//   - renderer.go: Renderer: loading, the response, and the responses to writes
//   - writer.go: what writing a post depends on
//   - override.go: what the response to a write shows instead of the rows
//   - set.go: Set, the posts of a response and the state between them
//   - texts.go: descriptions and excerpts, in WordPress's order
//   - event_cache.go: the cache of rendered events
//   - event.go: events, locked ones too; linked.go: venues and organizers
//   - tickets.go: fields of Event Tickets
//   - fields.go: fields that several kinds have, dates, cost
//
// Below it, package loader reads the rows, jsonld writes structured data, and calevent renders
// events for exports and feeds. The package does not choose posts and receives no requests. It imports neither read nor edit nor the root.
//
// # Terms
//
// These files turn categories and tags into JSON. They take terms that have been read already, the
// place and the viewer, and write the members of a term, or a response with one term.
//
//   - termjson_renderer.go: TermRenderer, the response with one term; parents and languages of terms
//   - term.go: the members of a term, by itself and within events
//   - links.go: the links of WordPress's own term controller, and what they embed
//   - options.go: the parameters _fields and _embed
package render
