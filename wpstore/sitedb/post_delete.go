package sitedb

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// Delete removes a post for good: its metadata, revisions, comments and terms, its
// cron event and, if occurrences is set, its rows in the calendar's own tables.
// Pending changes of its metadata are dropped.
func (e *PostEdit) Delete(ctx context.Context, occurrences bool) error {
	tx := e.tx
	posts, err := tx.ids(ctx, "posts.revisions", sq.Select("ID").From(tx.table("posts")).
		Where(sq.Eq{"post_parent": e.ID, "post_type": "revision"}).OrderBy("ID"))
	if err != nil {
		return err
	}
	posts = append(posts, e.ID)
	for _, id := range posts {
		tx.touched.posts[id] = true
	}
	comments, err := tx.ids(ctx, "comments.ids_of_post", sq.Select("comment_ID").From(tx.table("comments")).
		Where(sq.Eq{"comment_post_ID": e.ID}))
	if err != nil {
		return err
	}
	if err := tx.languages.postDeleting(ctx, e); err != nil {
		return err
	}
	if err := e.assignNoTerms(ctx); err != nil {
		return err
	}
	if e.Status == "future" {
		if err := tx.unschedulePublication(ctx, e.ID); err != nil {
			return err
		}
	}
	type rows struct {
		table, column string
		ids           []int64
	}
	gone := []rows{
		{"commentmeta", "comment_id", comments}, {"comments", "comment_ID", comments},
		{"postmeta", "post_id", posts}, {"posts", "ID", posts},
	}
	if occurrences {
		gone = append(gone, rows{"tec_occurrences", "post_id", posts}, rows{"tec_events", "post_id", posts})
	}
	for _, r := range gone {
		if len(r.ids) == 0 {
			continue
		}
		if err := tx.change(ctx, "posts.delete_"+r.table, sq.Delete(tx.table(r.table)).Where(idList(r.column, distinctIDs(r.ids)))); err != nil {
			return err
		}
	}
	return nil
}

// assignNoTerms takes all terms off the post, whatever their taxonomies.
func (e *PostEdit) assignNoTerms(ctx context.Context) error {
	for _, taxonomy := range []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy} {
		if err := e.assignTaxonomy(ctx, PostTermSet{Taxonomy: taxonomy}); err != nil {
			return err
		}
	}
	// Polylang files terms in the same table: one may have the number of the post.
	ofTerms := sq.Select("term_taxonomy_id").From(e.tx.table("term_taxonomy")).
		Where(sq.Eq{"taxonomy": []string{termLanguageTaxonomy, termGroupTaxonomy}})
	return e.tx.change(ctx, "terms.unassign_all", sq.Delete(e.tx.table("term_relationships")).
		Where(sq.Eq{"object_id": e.ID}).Where(sq.Expr("term_taxonomy_id NOT IN (?)", ofTerms)))
}
