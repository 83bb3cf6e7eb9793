package edit

import (
	"context"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// TermChange holds what an update replaces; nil fields stay.
type TermChange struct {
	Name, Description, Slug *string
	Parent                  *int64
	// NameSlug is the slug of the name, used if the given slug is empty.
	NameSlug     string
	Hierarchical bool
}

// Update changes a term like WordPress's wp_update_term. A term whose new parent is below
// it moves to the top. The error is a [wpstore.SlugTakenError] if another term has the
// slug, unless the parent changes too: then the slug is made unique.
func (e *Terms) Update(ctx context.Context, t wpstore.Term, c TermChange) (wpstore.Term, error) {
	fresh := t
	e.rows.Changed.Terms(t.ID)
	e.rows.Changed.Taxonomy(t.Taxonomy)
	if c.Name != nil {
		fresh.Name = *c.Name
	}
	if c.Description != nil {
		fresh.Description = *c.Description
	}
	if err := e.Lock(ctx); err != nil {
		return t, err
	}
	if c.Parent != nil {
		tree, err := e.tree.TermTree(ctx, t.Taxonomy)
		if err != nil {
			return t, err
		}
		fresh.Parent = *c.Parent
		if isAncestor(tree, t.ID, fresh.Parent) {
			fresh.Parent = 0
		}
	}
	scope, err := e.languages.StoredTerm(ctx, t)
	if err != nil {
		return t, err
	}
	if scope.Collides {
		return t, &wpstore.SlugTakenError{Slug: fresh.Slug}
	}
	if err := e.newSlug(ctx, t, &fresh, c, scope.Slugs); err != nil {
		return t, err
	}
	// As in WordPress, which looks for the slug before it writes.
	if err := e.refuseUnstorable(fresh.Name, fresh.Description); err != nil {
		return t, err
	}
	if fresh.Name != t.Name || fresh.Slug != t.Slug {
		if err := e.rows.Set(ctx, "terms.update", "terms", rowedit.Columns("name", fresh.Name, "slug", fresh.Slug), sq.Eq{"term_id": t.ID}); err != nil {
			return t, err
		}
	}
	if fresh.Description != t.Description || fresh.Parent != t.Parent {
		columns := rowedit.Columns("description", fresh.Description, "parent", fresh.Parent)
		if err := e.rows.Set(ctx, "terms.update_taxonomy", "term_taxonomy", columns, sq.Eq{"term_taxonomy_id": t.TaxonomyID}); err != nil {
			return t, err
		}
	}
	e.rows.Changed.Save(rowedit.Save{Function: rowedit.UpdateTerm, ID: t.ID, Taxonomy: t.Taxonomy, TaxonomyID: t.TaxonomyID})
	return fresh, e.languages.ChildrenChanged(ctx, langplugin.ChildChange{Term: fresh, OldParent: t.Parent, Hierarchical: c.Hierarchical, Code: scope.Code})
}

func (e *Terms) newSlug(ctx context.Context, t wpstore.Term, fresh *wpstore.Term, c TermChange, in wpstore.InLanguage) error {
	unique := fresh.Parent != t.Parent
	if c.Slug != nil {
		fresh.Slug = *c.Slug
		if fresh.Slug == "" {
			fresh.Slug, unique = c.NameSlug, true
		}
	}
	if fresh.Slug == "" {
		fresh.Slug = strconv.FormatInt(t.ID, 10)
	}
	taken, err := e.slugs.taken(ctx, fresh.Slug, t.Taxonomy, t.ID, in)
	if err != nil || !taken {
		return err
	}
	if !unique {
		return &wpstore.SlugTakenError{Slug: fresh.Slug}
	}
	fresh.Slug, err = e.slugs.unique(ctx, fresh.Slug, t.Taxonomy, t.ID, fresh.Parent, in)
	return err
}

// isAncestor reports whether id is the term at or is above it.
func isAncestor(tree map[int64]wpstore.Term, id, at int64) bool {
	for range len(tree) + 1 { // a loop in the data counts as an ancestor
		if at == id || at == 0 {
			return at == id
		}
		at = tree[at].Parent
	}
	return true
}
