package edit

import (
	"context"
	"database/sql"
	"strconv"
	"unicode/utf8"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/terms"
)

// Insert makes a term as WordPress's wp_insert_term does. The error is a
// [wpstore.TermExistsError] for a duplicate, [wpstore.ErrTooLong] for a name that does not fit.
func (t *Terms) Insert(ctx context.Context, n wpstore.NewTerm) (wpstore.Term, error) {
	if utf8.RuneCountInString(n.Name) > nameSize {
		return wpstore.Term{}, wpstore.ErrTooLong
	}
	scope := t.languages.NewTerm(n.Language)
	if err := t.refuseDuplicate(ctx, n, scope.Names); err != nil {
		return wpstore.Term{}, err
	}
	if known, err := t.languages.KnownTerm(ctx, n.Taxonomy, n.Name, n.Hierarchical); err != nil || known.ID != 0 {
		return known, err
	}
	slug, err := t.slugs.unique(ctx, n.Slug, n.Taxonomy, 0, n.Parent, scope.Slugs)
	if err != nil {
		return wpstore.Term{}, err
	}
	id, err := t.rows.Add(ctx, "terms.insert", "terms", rowedit.Columns("name", n.Name, "slug", slug, "term_group", 0))
	if err != nil {
		return wpstore.Term{}, err
	}
	if slug == "" {
		if slug, err = t.slugs.unique(ctx, strconv.FormatInt(id, 10), n.Taxonomy, id, n.Parent, scope.Slugs); err != nil {
			return wpstore.Term{}, err
		}
		if err := t.rows.Change(ctx, "terms.update", sq.Update(t.rows.Table("terms")).Set("slug", slug).Where(sq.Eq{"term_id": id})); err != nil {
			return wpstore.Term{}, err
		}
	}
	t.rows.Changed.Taxonomy(n.Taxonomy)
	taxonomyID, err := t.rows.Add(ctx, "terms.insert_taxonomy", "term_taxonomy", rowedit.Columns(
		"term_id", id, "taxonomy", n.Taxonomy, "description", n.Description, "parent", n.Parent, "count", 0,
	))
	if err != nil {
		return wpstore.Term{}, err
	}
	made := wpstore.Term{ID: id, TaxonomyID: taxonomyID, Parent: n.Parent, Taxonomy: n.Taxonomy, Name: n.Name, Slug: slug, Description: n.Description}
	if err := t.languages.TermCreated(ctx, made, n.Language); err != nil {
		return wpstore.Term{}, err
	}
	return made, t.languages.ChildrenChanged(ctx, langplugin.ChildChange{Made: true, Term: made, Hierarchical: n.Hierarchical, Code: n.Language})
}

// refuseDuplicate finds a term of the same name. It is a duplicate unless a slug
// was given that is neither its own nor anybody else's; in a hierarchical taxonomy
// only siblings count.
func (t *Terms) refuseDuplicate(ctx context.Context, n wpstore.NewTerm, in wpstore.InLanguage) error {
	same := t.plugins.Of(in.Plugin).JoinTerms(terms.Select(t.rows.Tables, n.Taxonomy, terms.Columns()...), in, n.Taxonomy).Where(sq.Eq{"t.name": n.Name}).OrderBy("t.term_id")
	if n.Hierarchical {
		same = same.Where(sq.Eq{"tt.parent": n.Parent})
	}
	var match *wpstore.Term
	err := t.rows.Query(ctx, "terms.same_name", same, func(rows *sql.Rows) error {
		var found wpstore.Term
		if err := rows.Scan(terms.Targets(&found)...); err != nil {
			return err
		}
		// The collation ignores accents as well, WordPress does not.
		if match == nil && rowedit.SameName(found.Name, n.Name) {
			match = &found
		}
		return nil
	})
	if err != nil || match == nil {
		return err
	}
	if n.SlugGiven && match.Slug != n.Slug {
		taken := t.plugins.Of(in.Plugin).JoinTerms(terms.Select(t.rows.Tables, n.Taxonomy, "COUNT(*)"), in, n.Taxonomy).Where(sq.Eq{"t.slug": n.Slug})
		if n.Hierarchical {
			taken = taken.Where(sq.Eq{"tt.parent": n.Parent})
		}
		rivals, err := t.rows.Number(ctx, "terms.same_slug", taken)
		if err != nil || rivals == 0 {
			return err
		}
	}
	return &wpstore.TermExistsError{ID: match.ID}
}
