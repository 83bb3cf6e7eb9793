package sitedb

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// DeleteTerm removes a term for good: its children move up to its parent, posts
// lose it, and its row of the terms table goes unless another taxonomy shares it.
func (tx *Tx) DeleteTerm(ctx context.Context, t wpstore.Term, hierarchical bool) error {
	tx.touched.terms[t.ID], tx.touched.taxonomies[t.Taxonomy] = true, true
	tx.touched.more = true
	if hierarchical {
		if err := tx.moveChildren(ctx, t); err != nil {
			return err
		}
		if err := tx.languages.childrenChanged(ctx, childChange{term: t, gone: true, hierarchical: true}); err != nil {
			return err
		}
	}
	if err := tx.languages.termDeleting(ctx, t); err != nil {
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
		if err := tx.change(ctx, step.name, sq.Delete(tx.table(step.table)).Where(step.where)); err != nil {
			return err
		}
	}
	n, err := tx.number(ctx, "terms.shared", sq.Select("COUNT(*)").From(tx.table("term_taxonomy")).Where(sq.Eq{"term_id": t.ID}))
	if err != nil {
		return err
	}
	if n == 0 {
		if err := tx.change(ctx, "terms.delete", sq.Delete(tx.table("terms")).Where(sq.Eq{"term_id": t.ID})); err != nil {
			return err
		}
	}
	return tx.languages.childrenChanged(ctx, childChange{term: t, gone: true, hierarchical: hierarchical})
}

// moveChildren hangs the children of a term on its parent, which is what they show
// of it.
func (tx *Tx) moveChildren(ctx context.Context, t wpstore.Term) error {
	below := sq.Eq{"parent": t.ID, "taxonomy": t.Taxonomy}
	children, err := tx.ids(ctx, "terms.children", sq.Select("term_id").From(tx.table("term_taxonomy")).Where(below))
	if err != nil || len(children) == 0 {
		return err
	}
	for _, id := range children {
		tx.touched.terms[id] = true
	}
	return tx.change(ctx, "terms.move_children", sq.Update(tx.table("term_taxonomy")).Set("parent", t.Parent).Where(below))
}

// rebuildChildren writes WordPress's option of the children of each term of a
// hierarchical taxonomy, in the order of the terms' ids.
func (tx *Tx) rebuildChildren(ctx context.Context, taxonomy string, hierarchical bool) error {
	if !hierarchical {
		return nil
	}
	parents := map[int64]int64{}
	err := tx.query(ctx, "terms.parents", sq.Select("term_id", "parent").From(tx.table("term_taxonomy")).
		Where(sq.Eq{"taxonomy": taxonomy}), func(rows *sql.Rows) error {
		var id, parent int64
		if err := rows.Scan(&id, &parent); err != nil {
			return err
		}
		parents[id] = parent
		return nil
	})
	if err != nil {
		return err
	}
	children := &php.Array{}
	for _, id := range slices.Sorted(maps.Keys(parents)) {
		parent := parents[id]
		if parent <= 0 {
			continue
		}
		list, _ := children.At(formatID(parent)).(*php.Array)
		if list == nil {
			list = &php.Array{}
			children.Set(php.IntKey(parent), list)
		}
		list.Append(id)
	}
	return tx.replaceOption(ctx, taxonomy+"_children", serialized(children))
}
