// Package termjson turns categories and tags into JSON.
//
// It turns terms that have been read already, the place and the viewer into the members of a term,
// or into a response with one term.
//
//   - renderer.go: Renderer, the response with one term; parents and languages of terms
//   - term.go: the members of a term, by itself and within events
//   - links.go: the links of WordPress's own term controller, and what they embed
//   - options.go: the parameters _fields and _embed
//
// It does not choose terms, and imports neither render nor loader.
package render
