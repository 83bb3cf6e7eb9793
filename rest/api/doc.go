// Package api is the vocabulary of the interface: requests, responses, errors and kinds of
// things, without a site or a store.
//
//   - kinds.go: post types and taxonomies; compat_level.go: the levels exact, safe, fixed
//   - request.go: the REST request that WordPress sees in an HTTP request, with its
//     parameters by source; client_ip.go: the client's address behind proxies
//   - values.go: lists as TEC reads them; url.go: URLs as PHP judges them
//   - response.go: Response, which handlers return and the pipeline finishes and sends
//   - errors.go: Error, and ErrorTable with the public codes of the engine or of a dialect
//   - wording.go: texts of the site's profile or of package i18n
//   - clock.go: the time of a request; observation.go: what metrics and the log record; answered.go:
//     what a caller may decide by before a response is sent
//
// It turns an *http.Request into a Request. Of rest it imports only the leaf packages phpform and
// phpjson, and of the store only its errors and the tags of what responses depend on.
//
// # Fields
//
// fields.go reduces a response to the fields that the client requested with _fields, as
// WordPress's REST server does: ParseFields reads the parameter into a Set, and ApplyFields
// returns the requested part of a response as a PHP value.
package api
