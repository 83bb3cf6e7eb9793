package sitedb

import (
	"slices"

	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/posts"
)

// Written returns the rows of a post as the transaction leaves them, so that a response can
// show them without reading them again; false if they must be read. Call it after the
// commit.
//
// terms are those that a new post may have got, in the order of PostTerms; their counts are
// then the current ones. Without terms, the rows have no terms of the post.
func (tx *Tx) Written(e *edit.PostEdit, terms []wpstore.Term) (rows wpstore.PostSet, ok bool) {
	p, meta, ok := tx.PostEditor.Written(e)
	if !ok || tx.multilingual {
		return rows, false
	}
	rows.Posts = map[int64]*wpstore.Post{e.ID: p}
	rows.Meta = map[int64]wpstore.Meta{e.ID: posts.Shown(meta)}
	if terms == nil {
		return rows, true
	}
	ids, ok := edit.TermIDs(e)
	got := make([]wpstore.Term, 0, len(ids))
	for _, t := range terms {
		if slices.Contains(ids, t.TaxonomyID) {
			var counted bool
			t.Count, counted = tx.rows.Counts.Left(t.TaxonomyID)
			ok = ok && counted
			got = append(got, t)
		}
	}
	rows.Terms = map[int64][]wpstore.Term{e.ID: got}
	return rows, ok && len(got) == len(ids)
}
