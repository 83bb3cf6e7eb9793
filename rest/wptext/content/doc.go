// Package content renders whole texts, each by the chain of steps that WordPress takes.
//
//	content.go      the description
//	excerpt.go      the excerpt
//	tec_excerpt.go  the excerpt of The Events Calendar, for JSON-LD
//	home_url.go     the step for sites that moved to https
//	refs.go         what texts refer to in the database, to be read before rendering
//
// Stored text, the site's settings, the resources and the request's state come in, HTML
// comes out. It is the top of wptext's packages: it may import all of them, and none of
// them may import it.
package content
