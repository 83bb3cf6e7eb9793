package sitedb

import (
	"context"
	"database/sql"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// priorityTaxonomy holds WPML's marks of how urgently posts want translating.
// Every post gets the first one of its language.
const priorityTaxonomy = "translation_priority"

// wpmlWriter keeps the rows of WPML.
type wpmlWriter struct {
	oneLanguage
	rules LanguageRules

	created []int64
	updated []updatedPost
	// pictured are the posts that got another picture, or lost theirs.
	pictured []*wpstore.Post
}

// updatedPost is a post that the request saved, with its row before and after.
type updatedPost struct{ old, new wpstore.Post }

// element is a row of icl_translations: a post or a term in its language.
type element struct {
	translation, id, trid int64
	code, source          string
}

func postElement(postType string) string { return "post_" + postType }

func termElement(taxonomy string) string { return "tax_" + taxonomy }

// group reads the elements that translate each other, the one of an id included,
// in the order of their rows. It is empty for an id without a language.
func (w *wpmlWriter) group(ctx context.Context, kind string, id int64) ([]element, error) {
	var found []element
	err := w.tx.query(ctx, "wpml.group", sq.Select("b.translation_id", "b.element_id", "b.trid", "b.language_code", "b.source_language_code").
		From(w.tx.table("icl_translations")+" a").
		Join(w.tx.table("icl_translations")+" b ON b.trid = a.trid AND b.element_type = a.element_type").
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
func (w *wpmlWriter) file(ctx context.Context, kind string, id int64, code string) error {
	trid, err := w.tx.number(ctx, "wpml.last_group", sq.Select("COALESCE(MAX(trid), 0)").From(w.tx.table("icl_translations")))
	if err != nil {
		return err
	}
	_, err = w.tx.insertRow(ctx, "wpml.file", "icl_translations", []column{
		{"element_type", kind}, {"element_id", id}, {"trid", trid + 1}, {"language_code", code}, {"source_language_code", nil},
	})
	return err
}

// unfile takes an element out of its group. If it was the original, another
// becomes it.
func (w *wpmlWriter) unfile(ctx context.Context, group []element, own *element) error {
	translations := w.tx.table("icl_translations")
	if err := w.tx.change(ctx, "wpml.unfile", sq.Delete(translations).Where(sq.Eq{"translation_id": own.translation})); err != nil {
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
		if err := w.tx.change(ctx, "wpml.new_original", sq.Update(translations).
			Set("source_language_code", source).Where(sq.Eq{"translation_id": e.translation})); err != nil {
			return err
		}
	}
	return nil
}

// postDeleting takes the post out of its group.
func (w *wpmlWriter) postDeleting(ctx context.Context, e *PostEdit) error {
	w.updated = slices.DeleteFunc(w.updated, func(u updatedPost) bool { return u.new.ID == e.ID })
	group, err := w.group(ctx, postElement(e.Type), e.ID)
	own := member(group, e.ID)
	if err != nil || own == nil {
		return err
	}
	return w.unfile(ctx, group, own)
}

// rivals: posts of different languages may share a slug.
func (w *wpmlWriter) rivals(ctx context.Context, query sq.SelectBuilder, id int64, postType string) (sq.SelectBuilder, error) {
	code := w.rules.Posts
	if id != 0 {
		group, err := w.group(ctx, postElement(postType), id)
		if err != nil {
			return query, err
		}
		if own := member(group, id); own != nil {
			code = own.code
		}
	}
	return query.Where(sq.Expr("ID IN (?)", sq.Select("il.element_id").From(w.tx.table("icl_translations")+" il").
		Where(sq.Eq{"il.element_type": postElement(postType), "il.language_code": code}))), nil
}

func (w *wpmlWriter) postCreated(ctx context.Context, e *PostEdit) error {
	w.created = append(w.created, e.ID)
	if err := w.file(ctx, postElement(e.Type), e.ID, w.rules.Posts); err != nil {
		return err
	}
	// The first mark that was translated is the default one.
	mark, err := w.tx.number(ctx, "wpml.default_priority", sq.Select("tt.term_taxonomy_id").
		From(w.tx.table("term_taxonomy")+" tt").
		Join(w.tx.table("icl_translations")+" il ON il.element_type = ? AND il.element_id = tt.term_taxonomy_id", termElement(priorityTaxonomy)).
		Where(sq.Eq{"tt.taxonomy": priorityTaxonomy, "il.language_code": w.rules.Posts}).
		OrderBy("il.trid").Limit(1))
	if err != nil || mark == 0 {
		return err
	}
	return w.relate(ctx, e.ID, []int64{mark})
}

// relate gives an object terms, by their term_taxonomy ids.
func (tx *Tx) relate(ctx context.Context, object int64, terms []int64) error {
	if len(terms) == 0 {
		return nil
	}
	insert := sq.Insert(tx.table("term_relationships")).Columns("object_id", "term_taxonomy_id", "term_order")
	for _, tt := range terms {
		insert = insert.Values(object, tt, 0)
	}
	return tx.change(ctx, "languages.relate", insert)
}

func (tx *Tx) unrelate(ctx context.Context, object int64, terms []int64) error {
	if len(terms) == 0 {
		return nil
	}
	return tx.change(ctx, "languages.unrelate", sq.Delete(tx.table("term_relationships")).
		Where(sq.Eq{"object_id": object}).Where(idList("term_taxonomy_id", distinctIDs(terms))))
}

func (w *wpmlWriter) relate(ctx context.Context, object int64, terms []int64) error {
	w.tx.touched.posts[object] = true
	return w.tx.relate(ctx, object, terms)
}

func (w *wpmlWriter) postUpdated(_ context.Context, e *PostEdit, old *wpstore.Post) error {
	at := slices.IndexFunc(w.updated, func(u updatedPost) bool { return u.new.ID == e.ID })
	switch {
	case e.trashing || slices.Contains(w.created, e.ID):
	case at >= 0:
		w.updated[at].new = e.Post
	default:
		w.updated = append(w.updated, updatedPost{old: *old, new: e.Post})
	}
	return nil
}

func (w *wpmlWriter) metaChanged(e *PostEdit) {
	if e.Meta.touched[pictureKey] && !slices.Contains(w.created, e.ID) {
		w.pictured = append(w.pictured, &e.Post)
	}
}

// finish counts words, and lets translations follow.
func (w *wpmlWriter) finish(ctx context.Context) error {
	ids := slices.Clone(w.created)
	for i := range w.updated {
		ids = append(ids, w.updated[i].new.ID)
	}
	if err := w.countWords(ctx, ids); err != nil {
		return err
	}
	for _, p := range w.pictured {
		if err := w.followPicture(ctx, p); err != nil {
			return err
		}
	}
	for i := range w.updated {
		if err := w.follow(ctx, &w.updated[i]); err != nil {
			return err
		}
	}
	return nil
}

// countWords notes the length of the texts of posts, behind all other metadata.
func (w *wpmlWriter) countWords(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	edits, err := w.tx.EditPosts(ctx, w.rules.Save, ids...)
	if err != nil {
		return err
	}
	var metas []*MetaEdit
	for _, id := range ids {
		if e := edits[id]; e != nil {
			e.Meta.Update("_wpml_word_count", formatID(wordCount(e.Title, e.Content, e.Excerpt)))
			metas = append(metas, e.Meta)
		}
	}
	return w.tx.writeMeta(ctx, metas...)
}
