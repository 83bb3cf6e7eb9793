package edit

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// Delete deletes a term: its children move up to its parent, posts lose it, and its row of
// the terms table is deleted unless another taxonomy shares it.
func (e *Terms) Delete(ctx context.Context, t wpstore.Term, hierarchical bool) error {
	e.rows.Changed.Terms(t.ID)
	e.rows.Changed.Taxonomy(t.Taxonomy)
	e.rows.Changed.Beyond()
	if err := e.Lock(ctx); err != nil {
		return err
	}
	// Events that get the term meanwhile wait for its row, and find that it has gone.
	if err := sqlconn.Lock(ctx, e.rows.Runner, "terms.lock_count", sq.Select("term_id").From(e.rows.Table("term_taxonomy")).
		Where(sq.Eq{"term_taxonomy_id": t.TaxonomyID}).Suffix(e.rows.Dialect().ForUpdate())); err != nil {
		return err
	}
	if err := e.saveDeleted(ctx, t); err != nil {
		return err
	}
	if hierarchical {
		if err := e.moveChildren(ctx, t); err != nil {
			return err
		}
		if err := e.languages.ChildrenChanged(ctx, langplugin.ChildChange{Term: t, Gone: true, Hierarchical: true}); err != nil {
			return err
		}
	}
	if err := e.languages.TermDeleting(ctx, t); err != nil {
		return err
	}
	for _, step := range []struct {
		name, table string
		where       sq.Eq
	}{
		{"terms.delete_relationships", "term_relationships", sq.Eq{"term_taxonomy_id": t.TaxonomyID}},
		{"terms.delete_meta", "termmeta", sq.Eq{"term_id": t.ID}},
		{"terms.delete_taxonomy", "term_taxonomy", sq.Eq{"term_taxonomy_id": t.TaxonomyID}},
	} {
		if err := e.rows.Change(ctx, step.name, step.table, sq.Delete(e.rows.Table(step.table)).Where(step.where)); err != nil {
			return err
		}
	}
	n, err := e.rows.Number(ctx, "terms.shared", sq.Select("COUNT(*)").From(e.rows.Table("term_taxonomy")).Where(sq.Eq{"term_id": t.ID}))
	if err != nil {
		return err
	}
	if n == 0 {
		if err := e.rows.Change(ctx, "terms.delete", "terms", sq.Delete(e.rows.Table("terms")).Where(sq.Eq{"term_id": t.ID})); err != nil {
			return err
		}
	}
	return e.languages.ChildrenChanged(ctx, langplugin.ChildChange{Term: t, Gone: true, Hierarchical: hierarchical})
}

// saveDeleted notes the deletion of a term, with the posts that have it, for listeners.
func (e *Terms) saveDeleted(ctx context.Context, t wpstore.Term) (err error) {
	save := rowedit.Save{Function: rowedit.DeleteTerm, ID: t.ID, Taxonomy: t.Taxonomy, TaxonomyID: t.TaxonomyID, Before: rowedit.TermFields(t)}
	if e.rows.Reported {
		save.Objects, err = e.rows.IDs(ctx, "terms.objects", sq.Select("object_id").From(e.rows.Table("term_relationships")).
			Where(sq.Eq{"term_taxonomy_id": t.TaxonomyID}).OrderBy("object_id"))
	}
	e.rows.Changed.Save(save)
	return err
}

// moveChildren moves the children of a term to its parent.
func (e *Terms) moveChildren(ctx context.Context, t wpstore.Term) error {
	below := sq.Eq{"parent": t.ID, "taxonomy": t.Taxonomy}
	children, err := e.rows.IDs(ctx, "terms.children", sq.Select("term_id").From(e.rows.Table("term_taxonomy")).Where(below))
	if err != nil || len(children) == 0 {
		return err
	}
	e.rows.Changed.Terms(children...)
	return e.rows.Change(ctx, "terms.move_children", "term_taxonomy", sq.Update(e.rows.Table("term_taxonomy")).Set("parent", t.Parent).Where(below))
}
