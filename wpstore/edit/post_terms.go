package edit

import (
	"cmp"
	"context"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// PostTermSet are the terms that a post shall have in one taxonomy, by term id.
type PostTermSet struct {
	Taxonomy string
	IDs      []int64
}

// postTerms are the terms of posts.
type postTerms struct {
	rows      *rowedit.Rows
	terms     rowedit.Terms
	read      TermReader
	languages langplugin.PostWriter
	// objects are taxonomies of the language plugins under which terms are filed.
	objects []string
}

// tagsChanged tells what is left to see of WordPress assigning a post its own tags
// anew, by name, whenever it updates the post: names that it writes with
// backslashes on the way count as a change.
func (t postTerms) tagsChanged(ctx context.Context, post int64) (bool, error) {
	n, err := t.rows.Number(ctx, "terms.quoted_tags", sq.Select("COUNT(*)").
		From(t.rows.Table("term_relationships")+" tr").
		Join(t.rows.Table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Join(t.rows.Table("terms")+" t ON t.term_id = tt.term_id").
		Where(sq.Eq{"tr.object_id": post, "tt.taxonomy": wpstore.TagTaxonomy}).
		Where(sq.Or{sq.Like{"t.name": sqlconn.Contains("'")}, sq.Like{"t.name": sqlconn.Contains(`"`)}, sq.Like{"t.name": sqlconn.Contains(`\`)}}))
	if err != nil || n > 0 || !t.languages.ResortsTags() {
		return n > 0, err
	}
	tags, err := t.read.PostTerms(ctx, []int64{post}, []string{wpstore.TagTaxonomy})
	return !slices.IsSortedFunc(tags[post], func(a, b wpstore.Term) int { return cmp.Compare(a.TaxonomyID, b.TaxonomyID) }), err
}

// assign gives a post the terms of a set, and says whether that changed anything. Ids
// that are no terms of the taxonomy are passed over.
func (t postTerms) assign(ctx context.Context, post int64, set PostTermSet) (bool, error) {
	terms, err := t.read.Terms(ctx, set.Taxonomy, set.IDs)
	if err != nil {
		return false, err
	}
	var wanted []int64
	for _, id := range set.IDs {
		if term, ok := terms[id]; ok && !slices.Contains(wanted, term.TaxonomyID) {
			wanted = append(wanted, term.TaxonomyID)
		}
	}
	had, err := t.rows.IDs(ctx, "terms.of_post", sq.Select("tr.term_taxonomy_id").
		From(t.rows.Table("term_relationships")+" tr").
		Join(t.rows.Table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": post, "tt.taxonomy": set.Taxonomy}))
	if err != nil {
		return false, err
	}
	var changed, removed []int64
	for _, id := range had {
		if !slices.Contains(wanted, id) {
			removed = append(removed, id)
		}
	}
	insert := sq.Insert(t.rows.Table("term_relationships")).Columns("object_id", "term_taxonomy_id", "term_order")
	for _, id := range wanted {
		if !slices.Contains(had, id) {
			insert = insert.Values(post, id, 0)
			changed = append(changed, id)
		}
	}
	if len(changed) > 0 {
		if err := t.rows.Change(ctx, "terms.assign", insert); err != nil {
			return false, err
		}
	}
	if len(removed) > 0 {
		if err := t.rows.Change(ctx, "terms.unassign", sq.Delete(t.rows.Table("term_relationships")).
			Where(sq.Eq{"object_id": post}).Where(sqlconn.IDList("term_taxonomy_id", removed))); err != nil {
			return false, err
		}
	}
	changed = append(changed, removed...)
	if len(changed) == 0 {
		return false, nil
	}
	return true, t.terms.Recount(ctx, set.Taxonomy, changed)
}

// removeAll takes all terms off a post, whatever their taxonomies.
func (t postTerms) removeAll(ctx context.Context, post int64) error {
	for _, taxonomy := range []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy} {
		if _, err := t.assign(ctx, post, PostTermSet{Taxonomy: taxonomy}); err != nil {
			return err
		}
	}
	// Language plugins file terms in the same table: one may have the number of the post.
	ofTerms := sq.Select("term_taxonomy_id").From(t.rows.Table("term_taxonomy")).
		Where(sq.Eq{"taxonomy": t.objects})
	return t.rows.Change(ctx, "terms.unassign_all", sq.Delete(t.rows.Table("term_relationships")).
		Where(sq.Eq{"object_id": post}).Where(sq.Expr("term_taxonomy_id NOT IN (?)", ofTerms)))
}
