// Package rowcache caches rows that are loaded by id, until they are invalidated.
//
//   - cache.go: [Cache], shared by all requests; [View], a request's access to it; and
//     [Load], which returns cached values and loads the rest
//   - parts.go: how each kind of value is cached: posts, metadata, terms of posts,
//     groups of translations
//
// It takes ids and a function that loads them, and returns values. It makes no queries, and
// imports no store.
package rowcache
