package edit

import (
	"context"
	"strconv"
	"unicode/utf8"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/charset"
	"calbridge/wpstore/terms"
)

// Insert adds a term like WordPress's wp_insert_term. The error is a
// [wpstore.TermExistsError] for a duplicate, [wpstore.ErrTooLong] for a name that doesn't
// fit, [wpstore.UnstorableError] for characters that a column lacks.
func (t *Terms) Insert(ctx context.Context, n wpstore.NewTerm) (wpstore.Term, error) {
	if err := t.refuseUnstorable(n.Name, n.Description); err != nil {
		return wpstore.Term{}, err
	}
	if err := t.Lock(ctx); err != nil {
		return wpstore.Term{}, err
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
		if err := t.rows.Change(ctx, "terms.update", "terms", sq.Update(t.rows.Table("terms")).Set("slug", slug).Where(sq.Eq{"term_id": id})); err != nil {
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
	t.rows.Changed.Save(rowedit.Save{Function: rowedit.InsertTerm, ID: id, Taxonomy: n.Taxonomy, TaxonomyID: taxonomyID})
	if err := t.languages.TermCreated(ctx, made, n.Language); err != nil {
		return wpstore.Term{}, err
	}
	return made, t.languages.ChildrenChanged(ctx, langplugin.ChildChange{Made: true, Term: made, Hierarchical: n.Hierarchical, Code: n.Language})
}

// refuseUnstorable fails if the tables can't hold a name or a description.
func (t *Terms) refuseUnstorable(name, description string) error {
	size := utf8.RuneCountInString(name)
	if charset.SingleBytes(t.rows.Charsets["terms.name"]) {
		size = len(name)
	}
	if size > nameSize {
		return wpstore.ErrTooLong
	}
	for _, field := range []struct{ table, column, text string }{{"terms", "name", name}, {"term_taxonomy", "description", description}} {
		if t.rows.Fit(field.table, field.column, field.text) == charset.Narrow {
			return &wpstore.UnstorableError{Field: field.column}
		}
	}
	return nil
}

// refuseDuplicate fails if a term has the same name, unless the request gives a slug that
// no term has. In a hierarchical taxonomy only siblings count.
func (t *Terms) refuseDuplicate(ctx context.Context, n wpstore.NewTerm, in wpstore.InLanguage) error {
	among := func(text sq.Eq, columns ...string) sq.SelectBuilder {
		query := t.plugins.Of(in.Plugin).JoinTerms(terms.Select(t.rows.Tables, n.Taxonomy, columns...), in, n.Taxonomy).Where(text)
		if n.Hierarchical {
			query = query.Where(sq.Eq{"tt.parent": n.Parent})
		}
		return query
	}
	var match *wpstore.Term
	var found wpstore.Term
	err := t.rows.Query(ctx, "terms.same_name", among(sq.Eq{"t.name": n.Name}, terms.Columns()...).OrderBy("t.term_id"), sqlconn.EachRow(func() {
		// The collation ignores accents, WordPress doesn't.
		if match == nil && rowedit.SameName(found.Name, n.Name) {
			match = new(found)
		}
	}, terms.Targets(&found)...))
	if err != nil || match == nil {
		return err
	}
	if n.SlugGiven && match.Slug != n.Slug {
		rivals, err := t.rows.Number(ctx, "terms.same_slug", among(sq.Eq{"t.slug": n.Slug}, "COUNT(*)"))
		if err != nil || rivals == 0 {
			return err
		}
	}
	return &wpstore.TermExistsError{ID: match.ID}
}
