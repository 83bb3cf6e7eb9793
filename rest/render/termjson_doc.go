// # Terms
//
// These files turn categories and tags into JSON. They take terms that have been read already, the place and the viewer, and write the
// members of a term, or a response with one term.
//
//   - termjson_renderer.go: TermRenderer, the response with one term; parents and languages of terms
//   - term.go: the members of a term, by itself and within events
//   - links.go: the links of WordPress's own term controller, and what they embed
//   - options.go: the parameters _fields and _embed
package render
