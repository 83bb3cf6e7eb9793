package edit

import (
	"calbridge/wpstore"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/sitedb"
)

// writtenRows are the rows of a post that a transaction has written.
type writtenRows struct {
	tx *sitedb.Tx
	// post is nil where none was written.
	post *wpedit.PostEdit
	// terms are those that a new event may have got; nil if they must be read.
	terms []wpstore.Term
}

// committed returns the rows for the response, after the commit; nil if the response must read
// them.
func (w writtenRows) committed() *wpstore.PostSet {
	if w.post == nil {
		return nil
	}
	rows, ok := w.tx.Written(w.post, w.terms)
	if !ok && w.terms != nil { // perhaps only the terms aren't known
		rows, ok = w.tx.Written(w.post, nil)
	}
	if !ok {
		return nil
	}
	return &rows
}
