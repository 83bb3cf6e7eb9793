package wpml

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// translationGroups writes icl_translations, the table of languages and translations.
type translationGroups struct {
	rows *rowedit.Rows
	// filed are the elements of new groups without a number.
	filed []filed
}

// filed is a post or a term by its id.
type filed struct {
	kind string
	id   int64
}

// element is a row of icl_translations: a post or a term in its language.
type element struct {
	translation, id, trid int64
	code, source          string
}

// group reads an element and its translations in the order of their rows. An id without a
// language has none.
func (f *translationGroups) group(ctx context.Context, kind string, id int64) ([]element, error) {
	return f.elements(ctx, kind, id, "")
}

// lockedGroup returns what group does and locks it until the transaction ends.
func (f *translationGroups) lockedGroup(ctx context.Context, kind string, id int64) ([]element, error) {
	return f.elements(ctx, kind, id, f.rows.Dialect().ForUpdate())
}

func (f *translationGroups) elements(ctx context.Context, kind string, id int64, suffix string) ([]element, error) {
	var found []element
	var e element
	var source sql.NullString
	err := f.rows.Query(ctx, "wpml.group", sq.Select("b.translation_id", "b.element_id", "b.trid", "b.language_code", "b.source_language_code").
		From(f.rows.Table(translations)+" a").
		Join(f.rows.Table(translations)+" b ON b.trid = a.trid AND b.element_type = a.element_type").
		Where(sq.Eq{"a.element_type": kind, "a.element_id": id}).
		Where("b.element_id IS NOT NULL").
		OrderBy("b.translation_id").Suffix(suffix), sqlconn.EachRow(func() {
		e.source = source.String
		found = append(found, e)
	}, &e.translation, &e.id, &e.trid, &e.code, &source))
	return found, err
}

// find returns the first element of a group for which is holds, nil for none.
func find(group []element, is func(element) bool) *element {
	if i := slices.IndexFunc(group, is); i >= 0 {
		return &group[i]
	}
	return nil
}

// member returns the element of an id, nil if the group has none.
func member(group []element, id int64) *element {
	return find(group, func(e element) bool { return e.id == id })
}

// originalOf returns the element that the others of a group were translated from.
func originalOf(group []element) *element {
	return find(group, func(e element) bool { return e.source == "" })
}

// file adds the row of a new post or term, in a new group. Until number numbers the group,
// its number is negative and that of no other. A row that another post or term of the same id
// has left becomes the new one's.
func (f *translationGroups) file(ctx context.Context, kind string, id int64, code string) error {
	own := -2 * id
	if strings.HasPrefix(kind, termElement("")) {
		own--
	}
	f.filed = append(f.filed, filed{kind, id})
	return f.rows.Change(ctx, "wpml.file", translations, sq.Insert(f.rows.Table(translations)).
		Columns("element_type", "element_id", "trid", "language_code", "source_language_code").Values(kind, id, own, code, nil).
		Suffix(f.rows.Dialect().Upsert("element_type, element_id", []string{"trid", "language_code", "source_language_code"})))
}

// number gives new groups their numbers, which follow the last one. It comes last, because
// all transactions that make groups wait for each other from here on.
func (f *translationGroups) number(ctx context.Context) error {
	rows := f.filed
	f.filed = nil
	if len(rows) == 0 {
		return nil
	}
	if err := f.rows.Locks.Groups(ctx); err != nil {
		return err
	}
	last, err := f.rows.Number(ctx, "wpml.last_group", sq.Select("COALESCE(MAX(trid), 0)").From(f.rows.Table(translations)))
	if err != nil {
		return err
	}
	for i, row := range rows {
		trid := max(last, 0) + 1 + int64(i)
		if err := f.rows.Set(ctx, "wpml.number", translations, rowedit.Columns("trid", trid), sq.Eq{"element_type": row.kind, "element_id": row.id}); err != nil {
			return err
		}
	}
	return nil
}

// unfile takes an element out of its group. If it was the original, the next element
// becomes the original.
func (f *translationGroups) unfile(ctx context.Context, group []element, own *element) error {
	if err := f.rows.Change(ctx, "wpml.unfile", translations, sq.Delete(f.rows.Table(translations)).Where(sq.Eq{"translation_id": own.translation})); err != nil {
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
		if err := f.rows.Change(ctx, "wpml.new_original", translations, sq.Update(f.rows.Table(translations)).
			Set("source_language_code", source).Where(sq.Eq{"translation_id": e.translation})); err != nil {
			return err
		}
	}
	return nil
}
