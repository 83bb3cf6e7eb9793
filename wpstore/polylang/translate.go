package polylang

import (
	"context"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/terms"
)

// translator adds the translations of terms that a post needs in its language.
type translator struct {
	filing   filing
	rows     *rowedit.Rows
	terms    *termWriter
	faithful bool
}

// translate adds a term of the same name in another language. Polylang first files it under
// the request's language, and leaves that language's group behind.
func (t translator) translate(ctx context.Context, original wpstore.Term, from string, into *i18n.Language) (int64, error) {
	if err := t.rows.Locks.Terms(ctx); err != nil {
		return 0, err
	}
	groupID, members, err := t.filing.groupOf(ctx, original.ID, TermGroups)
	if err != nil {
		return 0, err
	}
	if id := php.ToInt(members.At(into.Code)); id != 0 { // another transaction has just added it
		return id, nil
	}
	slug, err := t.uniqueSlug(ctx, original.Taxonomy, original.Slug+"-"+into.Code)
	if err != nil {
		return 0, err
	}
	id, err := t.rows.Add(ctx, "terms.insert", "terms", rowedit.Columns("name", original.Name, "slug", slug, "term_group", 0))
	if err != nil {
		return 0, err
	}
	taxonomyID, err := t.rows.Add(ctx, "terms.insert_taxonomy", "term_taxonomy", rowedit.Columns(
		"term_id", id, "taxonomy", original.Taxonomy, "description", "", "parent", 0, "count", 0,
	))
	if err != nil {
		return 0, err
	}
	made := wpstore.Term{ID: id, TaxonomyID: taxonomyID, Taxonomy: original.Taxonomy, Name: original.Name, Slug: slug}
	if t.faithful {
		if _, err := t.filing.newGroup(ctx, from, id, 0); err != nil {
			return 0, err
		}
	}
	terms := []int64{into.TermTerm}
	if groupID != 0 {
		terms = append(terms, groupID)
	}
	if err := t.terms.Terms.Relate(ctx, "languages.relate", id, terms); err != nil {
		return 0, err
	}
	t.filing.countObjects(into.TermTerm)
	if groupID != 0 {
		members.SetString(into.Code, id)
		if err := t.filing.writeGroup(ctx, groupID, members); err != nil {
			return 0, err
		}
	}
	return id, t.terms.ChildrenChanged(ctx, langplugin.ChildChange{Term: made, Made: true, Hierarchical: original.Taxonomy == wpstore.CategoryTaxonomy, Code: into.Code})
}

// uniqueSlug returns a slug that no other term of the taxonomy has.
func (t translator) uniqueSlug(ctx context.Context, taxonomy, slug string) (string, error) {
	taken := func(ctx context.Context, slug string) (bool, error) {
		return t.terms.Terms.SlugTaken(ctx, terms.Select(t.rows.Tables, taxonomy, "COUNT(*)"), slug, 0)
	}
	if isTaken, err := taken(ctx, slug); err != nil || !isTaken {
		return slug, err
	}
	return rowedit.NumberedSlug(ctx, slug, taken)
}
