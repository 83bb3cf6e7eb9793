// Package content puts whole texts together, each as the chain of steps that
// WordPress takes: content.go the description, excerpt.go the excerpt,
// tec_excerpt.go the one of The Events Calendar for JSON-LD, home_url.go the step
// for sites that moved to https. refs.go collects what texts refer to in the
// database, so that all of it is read before anything is rendered.
//
// It is the top of wptext's packages: it may import all of them, and none of them
// may import it.
package content
