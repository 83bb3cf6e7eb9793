// Package rest answers the calendar REST namespace of a WordPress site as The
// Events Calendar does, byte for byte: the REST server's manners (parameters,
// errors, headers, links), the resources, and their JSON. It knows no SQL.
//
// A request goes straight through: resolve (which REST path) → parseRequest →
// authenticate → router → checkArgs → permission → handler → one writer. The
// tables that decide what the interface is stand in params.go, routes.go, kinds.go
// and errors.go; the index, OPTIONS, the Allow header and the OpenAPI document
// derive from them.
//
// # Known differences
//
// Where this server answers otherwise than the reference on purpose, or cannot
// answer the same. Each has a number, a reason, and a test that names it.
//
//	D1  Order among equal sort keys of term lists (orderby=term_group, equal
//	    counts) is the database's whim, in the reference and here. The embedded
//	    engine orders them by term id.
//	D2  The e-mail address in an organizer's structured data is written by the
//	    reference with character references chosen at random on each request. Here
//	    it is one of those forms, the same each time.
//	D3  A path outside the REST API gets a plain 404, where the site's theme would
//	    answer with its own page: the web server sends only this namespace here.
//	D4  Contents with blocks or shortcodes of other plugins are rendered as
//	    WordPress would without those plugins; they are counted.
//	D5  Embedded URLs are shown from WordPress's own cache only. The reference
//	    would ask the provider over the network.
//	D6  On the embedded engine text is compared by Unicode's default collation,
//	    which differs from utf8mb4_unicode_520_ci on rare characters.
package rest
