// Package api is the vocabulary of the interface: what requests, answers, errors and kinds
// of things are, without a site or a store.
//
//   - kinds.go: post types and taxonomies as the interface treats them; compat.go: how
//     faithful to the reference's faults it is
//   - http.go, request.go: an HTTP request, and the REST request that WordPress sees in it,
//     with its parameters by source; list.go, url.go: how TEC reads lists and PHP judges URLs
//   - response.go: Response, what handlers return and the pipeline finishes and sends
//   - errors.go: Error, and the table of all public codes; wording.go: what to call things, in
//     the words of the site's profile or of package i18n
//   - clock.go: the time of a request; observation.go: what metrics and the log are told
//
// It imports no other package of rest but the leafs phpform and phpjson, and of the store
// only its errors.
package api
