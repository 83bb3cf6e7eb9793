// Package termjson turns categories and tags into JSON.
//
// In go terms that were read already, the place and the viewer; out come the members of a
// term, or the whole answer that shows one.
//
//   - renderer.go: Renderer, the answer with one term, and what terms need besides their
//     rows: the terms above them and their languages
//   - term.go: the members of a term, in answers of its own and within events
//   - links.go: the links of WordPress's own term controller, and what they embed
//   - options.go: what a request says about how terms are shown
//
// It does not choose which terms are shown, and imports neither render nor loader.
package termjson
