package terms

import (
	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/table"
)

// Columns returns the columns of a Term in the tables t (terms) and tt (term_taxonomy), in the
// order of Targets.
func Columns() []string {
	return []string{"t.term_id", "tt.term_taxonomy_id", "t.term_group", "tt.parent", "tt.count",
		"tt.taxonomy", "t.name", "t.slug", "tt.description"}
}

// Targets returns the scan targets of Columns.
func Targets(t *wpstore.Term) []any {
	return []any{&t.ID, &t.TaxonomyID, &t.Group, &t.Parent, &t.Count, &t.Taxonomy, &t.Name, &t.Slug, &t.Description}
}

// Select selects from the terms of one taxonomy.
func Select(tables table.Names, taxonomy string, columns ...string) sq.SelectBuilder {
	return selectFrom(sq.Select(columns...), tables, taxonomy)
}

func selectFrom(query sq.SelectBuilder, tables table.Names, taxonomy string) sq.SelectBuilder {
	return selectOf(query, tables, taxonomy)
}

// selectOf selects from the terms of one taxonomy or several.
func selectOf(query sq.SelectBuilder, tables table.Names, taxonomies any) sq.SelectBuilder {
	return query.From(tables.Quoted("terms") + " t").
		Join(tables.Quoted("term_taxonomy") + " tt ON tt.term_id = t.term_id").
		Where(sq.Eq{"tt.taxonomy": taxonomies})
}
