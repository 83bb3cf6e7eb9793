// Package lookup holds the look-ups of one request, each of which is made once: a post by
// its slug, what decides the rights to a post, terms by the entries of a list, the tree of a
// taxonomy, translations.
//
// In go parameters as they were sent, out come ids and rows. It imports api, wpsite, the
// store and leafs, and decides nothing.
package lookup
