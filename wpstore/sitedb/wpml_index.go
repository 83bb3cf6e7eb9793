package sitedb

import (
	"strings"

	sq "github.com/Masterminds/squirrel"
)

// elementIndex names an index of WPML's translations that starts with the
// element's id: recent versions of WPML have one that holds type and language too.
func (db *DB) elementIndex() sq.Sqlizer {
	if db.Engine() == "sqlite" {
		return sq.Expr("NULL")
	}
	return sq.Expr("(?)", sq.Select("MIN(index_name)").
		From("information_schema.statistics").
		Where("table_schema = DATABASE()").
		Where(sq.Eq{"table_name": db.Table("icl_translations"), "seq_in_index": 1, "column_name": "element_id"}))
}

// translationRows is about how many rows WPML's translations have.
func (db *DB) translationRows() sq.Sqlizer {
	if db.Engine() == "sqlite" {
		return sq.Expr("NULL")
	}
	return sq.Expr("(?)", sq.Select("MIN(table_rows)").
		From("information_schema.tables").
		Where("table_schema = DATABASE()").
		Where(sq.Eq{"table_name": db.Table("icl_translations")}))
}

// elementHint asks for the index of WPML's translations that starts with the id.
func (db *DB) elementHint() string {
	index, _ := db.byElement.Load().(string)
	if index == "" {
		return ""
	}
	return " FORCE INDEX (`" + strings.ReplaceAll(index, "`", "``") + "`)"
}

// elementType is the column of an element's type, for a query by ids with several
// types. Where an index starts with the id, it is an expression, which is for no
// index: else each id would be looked up under each of the types, and planning that
// takes longer than all the rest.
func (db *DB) elementType(alias string) string {
	if db.elementHint() == "" {
		return alias + ".element_type"
	}
	return "CONCAT(" + alias + ".element_type)"
}
