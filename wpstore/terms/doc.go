// Package terms reads categories and tags.
//
//	term.go     Store; terms by id, of posts, and all of a taxonomy
//	list.go     pages of terms, in WordPress's order
//	lookup.go   terms by id, slug and name at once, and their translations
//	columns.go  the columns of a term, which package edit selects too
//
// It takes ids, texts and a [wpstore.TermQuery] and returns terms. A [Store] is for one
// request or one transaction. Terms of posts may come from the row cache. Each method runs
// one query unless it says otherwise, and none for no ids.
//
// It imports sqlconn, rowcache and langplugin, and no other store.
package terms
