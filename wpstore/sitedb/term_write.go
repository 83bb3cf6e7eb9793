package sitedb

import (
	"context"
	"database/sql"
	"strings"
	"unicode/utf8"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// nameSize is the size of the columns name and slug, in characters.
const nameSize = 200

// NewTerm is a term to be made. Its texts are in stored form.
type NewTerm struct {
	Taxonomy          string
	Name, Description string
	// Slug is the wanted slug, or the name's where SlugGiven is false.
	Slug      string
	SlugGiven bool
	Parent    int64
	// Hierarchical taxonomies may have the same name under several parents.
	Hierarchical bool
	// Language is the code of the language it gets, "" without languages. What
	// counts as a duplicate depends on it.
	Language string
}

// InsertTerm makes a term as WordPress's wp_insert_term does. The error is a
// [TermExistsError] for a duplicate, [ErrTooLong] for a name that does not fit.
func (tx *Tx) InsertTerm(ctx context.Context, t NewTerm) (wpstore.Term, error) {
	if utf8.RuneCountInString(t.Name) > nameSize {
		return wpstore.Term{}, wpstore.ErrTooLong
	}
	scope := tx.languages.newTerm(t)
	if err := tx.refuseDuplicate(ctx, t, scope.names); err != nil {
		return wpstore.Term{}, err
	}
	if known, err := tx.languages.knownTerm(ctx, t); err != nil || known.ID != 0 {
		return known, err
	}
	slug, err := tx.uniqueTermSlug(ctx, t.Slug, t.Taxonomy, 0, t.Parent, scope.slugs)
	if err != nil {
		return wpstore.Term{}, err
	}
	id, err := tx.insertRow(ctx, "terms.insert", "terms", []column{{"name", t.Name}, {"slug", slug}, {"term_group", 0}})
	if err != nil {
		return wpstore.Term{}, err
	}
	if slug == "" {
		if slug, err = tx.uniqueTermSlug(ctx, formatID(id), t.Taxonomy, id, t.Parent, scope.slugs); err != nil {
			return wpstore.Term{}, err
		}
		if err := tx.change(ctx, "terms.update", sq.Update(tx.table("terms")).Set("slug", slug).Where(sq.Eq{"term_id": id})); err != nil {
			return wpstore.Term{}, err
		}
	}
	tx.touched.taxonomies[t.Taxonomy] = true
	taxonomyID, err := tx.insertRow(ctx, "terms.insert_taxonomy", "term_taxonomy", []column{
		{"term_id", id}, {"taxonomy", t.Taxonomy}, {"description", t.Description}, {"parent", t.Parent}, {"count", 0},
	})
	if err != nil {
		return wpstore.Term{}, err
	}
	made := wpstore.Term{ID: id, TaxonomyID: taxonomyID, Parent: t.Parent, Taxonomy: t.Taxonomy, Name: t.Name, Slug: slug, Description: t.Description}
	if err := tx.languages.termCreated(ctx, made, t.Language); err != nil {
		return wpstore.Term{}, err
	}
	return made, tx.languages.childrenChanged(ctx, childChange{made: true, term: made, hierarchical: t.Hierarchical, code: t.Language})
}

// refuseDuplicate finds a term of the same name. It is a duplicate unless a slug
// was given that is neither its own nor anybody else's; in a hierarchical taxonomy
// only siblings count.
func (tx *Tx) refuseDuplicate(ctx context.Context, t NewTerm, in wpstore.InLanguage) error {
	same := tx.joinTerms(tx.terms(t.Taxonomy, termColumns...), in, t.Taxonomy).Where(sq.Eq{"t.name": t.Name}).OrderBy("t.term_id")
	if t.Hierarchical {
		same = same.Where(sq.Eq{"tt.parent": t.Parent})
	}
	var match *wpstore.Term
	err := tx.query(ctx, "terms.same_name", same, func(rows *sql.Rows) error {
		var found wpstore.Term
		if err := rows.Scan(termTargets(&found)...); err != nil {
			return err
		}
		// The collation ignores accents as well, WordPress does not.
		if match == nil && asciiLower(found.Name) == asciiLower(t.Name) {
			match = &found
		}
		return nil
	})
	if err != nil || match == nil {
		return err
	}
	if t.SlugGiven && match.Slug != t.Slug {
		taken := tx.joinTerms(tx.terms(t.Taxonomy, "COUNT(*)"), in, t.Taxonomy).Where(sq.Eq{"t.slug": t.Slug})
		if t.Hierarchical {
			taken = taken.Where(sq.Eq{"tt.parent": t.Parent})
		}
		n, err := tx.number(ctx, "terms.same_slug", taken)
		if err != nil || n == 0 {
			return err
		}
	}
	return &wpstore.TermExistsError{ID: match.ID}
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// TermChange holds what an update replaces; nil fields stay.
type TermChange struct {
	Name, Description, Slug *string
	Parent                  *int64
	// NameSlug is the slug of the name, for a given slug that is none.
	NameSlug     string
	Hierarchical bool
}

// UpdateTerm changes a term as WordPress's wp_update_term does. A term that is to
// be its own ancestor moves to the top. The error is a [SlugTakenError] if another
// term has the slug, unless the parent changes as well: then the slug is made
// unique.
func (tx *Tx) UpdateTerm(ctx context.Context, t wpstore.Term, c TermChange) (wpstore.Term, error) {
	fresh := t
	tx.touched.terms[t.ID], tx.touched.taxonomies[t.Taxonomy] = true, true
	if c.Name != nil {
		fresh.Name = *c.Name
	}
	if c.Description != nil {
		fresh.Description = *c.Description
	}
	if utf8.RuneCountInString(fresh.Name) > nameSize {
		return t, wpstore.ErrTooLong
	}
	if c.Parent != nil {
		tree, err := tx.TermTree(ctx, t.Taxonomy)
		if err != nil {
			return t, err
		}
		fresh.Parent = *c.Parent
		if isAncestor(tree, t.ID, fresh.Parent) {
			fresh.Parent = 0
		}
	}
	scope, err := tx.languages.storedTerm(ctx, t)
	if err != nil {
		return t, err
	}
	if scope.collides {
		return t, &wpstore.SlugTakenError{Slug: fresh.Slug}
	}
	if err := tx.newTermSlug(ctx, t, &fresh, c, scope.slugs); err != nil {
		return t, err
	}
	if fresh.Name != t.Name || fresh.Slug != t.Slug {
		if err := tx.change(ctx, "terms.update", sq.Update(tx.table("terms")).
			Set("name", fresh.Name).Set("slug", fresh.Slug).Where(sq.Eq{"term_id": t.ID})); err != nil {
			return t, err
		}
	}
	if fresh.Description != t.Description || fresh.Parent != t.Parent {
		if err := tx.change(ctx, "terms.update_taxonomy", sq.Update(tx.table("term_taxonomy")).
			Set("description", fresh.Description).Set("parent", fresh.Parent).Where(sq.Eq{"term_taxonomy_id": t.TaxonomyID})); err != nil {
			return t, err
		}
	}
	return fresh, tx.languages.childrenChanged(ctx, childChange{term: fresh, oldParent: t.Parent, hierarchical: c.Hierarchical, code: scope.code})
}

func (tx *Tx) newTermSlug(ctx context.Context, t wpstore.Term, fresh *wpstore.Term, c TermChange, in wpstore.InLanguage) error {
	unique := fresh.Parent != t.Parent
	if c.Slug != nil {
		if fresh.Slug = *c.Slug; fresh.Slug == "" {
			fresh.Slug, unique = c.NameSlug, true
		}
	}
	if fresh.Slug == "" {
		fresh.Slug = formatID(t.ID)
	}
	taken, err := tx.termSlugTaken(ctx, fresh.Slug, t.Taxonomy, t.ID, in)
	if err != nil || !taken {
		return err
	}
	if !unique {
		return &wpstore.SlugTakenError{Slug: fresh.Slug}
	}
	fresh.Slug, err = tx.uniqueTermSlug(ctx, fresh.Slug, t.Taxonomy, t.ID, fresh.Parent, in)
	return err
}

// isAncestor says whether id is the term at or is above it.
func isAncestor(tree map[int64]wpstore.Term, id, at int64) bool {
	for range len(tree) + 1 { // loops in old data end here
		if at == id {
			return true
		}
		if at == 0 {
			return false
		}
		at = tree[at].Parent
	}
	return true
}
