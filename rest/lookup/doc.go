// Package lookup makes each look-up of a request once: a post by its slug, the rights to a
// post, terms by the entries of a list, the tree of a taxonomy, translations (lookups.go).
//
// It turns parameters as sent into ids and rows. It imports api, wpsite, the store and leaf
// packages, and makes no decisions.
package lookup
