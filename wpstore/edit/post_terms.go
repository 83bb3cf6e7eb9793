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

// PostTermSet is the new set of a post's terms in one taxonomy, by term id.
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
	// objects are the taxonomies under which language plugins file terms.
	objects []string
}

// tagsChanged says whether an update of the post counts as a change of its tags.
// WordPress reassigns the tags by name: a name that it escapes with backslashes on the way
// counts as changed.
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

// assign gives a post the terms of a set and says whether that changed anything. It
// ignores ids that are no terms of the taxonomy.
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
	without := func(ids, others []int64) []int64 {
		return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(others, id) })
	}
	added, removed := without(wanted, had), without(had, wanted)
	if len(added)+len(removed) == 0 {
		return false, nil
	}
	if err := t.terms.Relate(ctx, "terms.assign", post, added); err != nil {
		return false, err
	}
	if err := t.terms.Unrelate(ctx, "terms.unassign", post, removed); err != nil {
		return false, err
	}
	return true, t.terms.Recount(ctx, set.Taxonomy, append(added, removed...))
}

// removeAll removes all terms from a post, whatever their taxonomies.
func (t postTerms) removeAll(ctx context.Context, post int64) error {
	for _, taxonomy := range []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy} {
		if _, err := t.assign(ctx, post, PostTermSet{Taxonomy: taxonomy}); err != nil {
			return err
		}
	}
	// Language plugins file terms in the same table: one may have the post's id.
	ofTerms := sq.Select("term_taxonomy_id").From(t.rows.Table("term_taxonomy")).
		Where(sq.Eq{"taxonomy": t.objects})
	return t.rows.Change(ctx, "terms.unassign_all", sq.Delete(t.rows.Table("term_relationships")).
		Where(sq.Eq{"object_id": post}).Where(sq.Expr("term_taxonomy_id NOT IN (?)", ofTerms)))
}
