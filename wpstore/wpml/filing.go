package wpml

import (
	"context"
	"database/sql"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/rowedit"
)

// filing is the table that says which post or term is in which language, and what
// translates what.
type filing struct{ rows *rowedit.Rows }

// element is a row of icl_translations: a post or a term in its language.
type element struct {
	translation, id, trid int64
	code, source          string
}

// group reads the elements that translate each other, the one of an id included,
// in the order of their rows. It is empty for an id without a language.
func (f filing) group(ctx context.Context, kind string, id int64) ([]element, error) {
	var found []element
	err := f.rows.Query(ctx, "wpml.group", sq.Select("b.translation_id", "b.element_id", "b.trid", "b.language_code", "b.source_language_code").
		From(f.rows.Table(translations)+" a").
		Join(f.rows.Table(translations)+" b ON b.trid = a.trid AND b.element_type = a.element_type").
		Where(sq.Eq{"a.element_type": kind, "a.element_id": id}).
		Where("b.element_id IS NOT NULL").
		OrderBy("b.translation_id"), func(rows *sql.Rows) error {
		var e element
		var source sql.NullString
		if err := rows.Scan(&e.translation, &e.id, &e.trid, &e.code, &source); err != nil {
			return err
		}
		e.source = source.String
		found = append(found, e)
		return nil
	})
	return found, err
}

// member is the element of an id, nil if the group has none.
func member(group []element, id int64) *element {
	for i := range group {
		if group[i].id == id {
			return &group[i]
		}
	}
	return nil
}

// originalOf is the element that the others of a group were translated from.
func originalOf(group []element) *element {
	for i := range group {
		if group[i].source == "" {
			return &group[i]
		}
	}
	return nil
}

// file makes the row that gives a new post or term its language, in a group of
// its own.
func (f filing) file(ctx context.Context, kind string, id int64, code string) error {
	trid, err := f.rows.Number(ctx, "wpml.last_group", sq.Select("COALESCE(MAX(trid), 0)").From(f.rows.Table(translations)))
	if err != nil {
		return err
	}
	_, err = f.rows.Add(ctx, "wpml.file", translations, rowedit.Columns(
		"element_type", kind, "element_id", id, "trid", trid+1, "language_code", code, "source_language_code", nil,
	))
	return err
}

// unfile takes an element out of its group. If it was the original, another
// becomes it.
func (f filing) unfile(ctx context.Context, group []element, own *element) error {
	if err := f.rows.Change(ctx, "wpml.unfile", sq.Delete(f.rows.Table(translations)).Where(sq.Eq{"translation_id": own.translation})); err != nil {
		return err
	}
	if own.source != "" {
		return nil
	}
	others := slices.DeleteFunc(slices.Clone(group), func(e element) bool { return e.id == own.id })
	for i, e := range others {
		var source any
		if i > 0 {
			source = others[0].code
		}
		if err := f.rows.Change(ctx, "wpml.new_original", sq.Update(f.rows.Table(translations)).
			Set("source_language_code", source).Where(sq.Eq{"translation_id": e.translation})); err != nil {
			return err
		}
	}
	return nil
}
