package sitedb

import (
	"context"
	"database/sql"
	"slices"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// follow lets translations follow a post that was saved. Those of an original
// take its date and the translations of its terms; one that was itself saved
// takes the date of its original, as do its sisters.
func (w *wpmlWriter) follow(ctx context.Context, u *updatedPost) error {
	group, err := w.group(ctx, postElement(u.new.Type), u.new.ID)
	own, original := member(group, u.new.ID), originalOf(group)
	if err != nil || own == nil || original == nil || len(group) < 2 {
		return err
	}
	translations := slices.DeleteFunc(slices.Clone(group), func(e element) bool { return e.id == original.id })
	posts, err := w.tx.Posts(ctx, idsOf(group))
	if err != nil || posts[original.id] == nil {
		return err
	}
	first := posts[original.id]
	for _, e := range translations {
		if p := posts[e.id]; p != nil {
			dated := *p
			dated.Date, dated.DateGMT = first.Date, first.DateGMT
			if err := w.tx.updatePost(ctx, p.ID, changedColumns(p, &dated)); err != nil {
				return err
			}
		}
	}
	if own.id == original.id {
		for _, e := range translations {
			if err := w.followTerms(ctx, original.id, &e); err != nil {
				return err
			}
		}
		for _, e := range translations {
			if err := w.needsUpdate(ctx, first, &e); err != nil {
				return err
			}
		}
	} else if err := w.translated(ctx, first, original, posts[own.id], own); err != nil {
		return err
	}
	return w.publishLater(ctx, first, translations)
}

func idsOf(group []element) []int64 {
	ids := make([]int64, len(group))
	for i := range group {
		ids[i] = group[i].id
	}
	return ids
}

// publishLater leaves the cron events that WPML makes for the translations of
// every post that is saved, a second after it was published.
func (w *wpmlWriter) publishLater(ctx context.Context, original *wpstore.Post, translations []element) error {
	at, err := time.Parse(time.DateTime, original.DateGMT)
	if err != nil {
		return nil // a draft
	}
	for _, e := range translations {
		if err := w.tx.scheduleHook(ctx, publishHook, php.Strings(formatID(e.id)), at.Add(time.Second)); err != nil {
			return err
		}
	}
	return nil
}

// pictureKey is the meta key of the picture of a post.
const pictureKey = "_thumbnail_id"

// followPicture gives the translations of an original its picture, or none.
func (w *wpmlWriter) followPicture(ctx context.Context, p *wpstore.Post) error {
	group, err := w.group(ctx, postElement(p.Type), p.ID)
	if own := member(group, p.ID); err != nil || own == nil || own.source != "" || len(group) < 2 {
		return err
	}
	edits, err := w.tx.EditPosts(ctx, w.rules.Save, idsOf(group)...)
	if err != nil || edits[p.ID] == nil {
		return err
	}
	id, given := edits[p.ID].Meta.First(pictureKey)
	var metas []*MetaEdit
	for _, t := range group {
		e := edits[t.id]
		if e == nil || t.id == p.ID {
			continue
		}
		if given {
			e.Meta.Update(pictureKey, id)
		} else {
			e.Meta.Delete(pictureKey)
		}
		metas = append(metas, e.Meta)
	}
	return w.tx.writeMeta(ctx, metas...)
}

// filedTerm is a term of a post with its translation into some language.
type filedTerm struct {
	id, translation int64 // of term_taxonomy; 0: there is no translation
	code, taxonomy  string
}

// followedTaxonomies are those whose terms translations take over.
var followedTaxonomies = []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy, priorityTaxonomy}

func (w *wpmlWriter) termsInto(ctx context.Context, post int64, code string) ([]filedTerm, error) {
	var found []filedTerm
	var kinds []string
	for _, taxonomy := range followedTaxonomies {
		kinds = append(kinds, termElement(taxonomy))
	}
	query := sq.Select("tt.term_taxonomy_id", "COALESCE(b.element_id, 0)", "a.language_code", "tt.taxonomy").
		From(w.tx.table("term_relationships")+" tr").
		Join(w.tx.table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Join(w.tx.table("icl_translations")+" a ON a.element_id = tt.term_taxonomy_id").
		LeftJoin(w.tx.table("icl_translations")+" b ON b.trid = a.trid AND b.element_type = a.element_type AND b.language_code = ?", code).
		Where(sq.Eq{"tr.object_id": post, "tt.taxonomy": followedTaxonomies, "a.element_type": kinds}).
		OrderBy("tt.term_taxonomy_id")
	return found, w.tx.query(ctx, "wpml.terms_into", query, func(rows *sql.Rows) error {
		var t filedTerm
		if err := rows.Scan(&t.id, &t.translation, &t.code, &t.taxonomy); err != nil {
			return err
		}
		found = append(found, t)
		return nil
	})
}

// followTerms gives a translation the translations of its original's terms. What
// it loses was in its language; counts are made anew for what it gains only.
func (w *wpmlWriter) followTerms(ctx context.Context, original int64, e *element) error {
	terms, err := w.termsInto(ctx, original, e.code)
	if err != nil {
		return err
	}
	had, err := w.termsInto(ctx, e.id, e.code)
	if err != nil {
		return err
	}
	gained := map[string][]int64{}
	var wanted, added, lost []int64
	for _, t := range terms {
		if t.translation == 0 || slices.Contains(wanted, t.translation) {
			continue
		}
		wanted = append(wanted, t.translation)
		if !slices.ContainsFunc(had, func(h filedTerm) bool { return h.id == t.translation }) {
			added = append(added, t.translation)
			gained[t.taxonomy] = append(gained[t.taxonomy], t.translation)
		}
	}
	for _, h := range had {
		if h.code == e.code && !slices.Contains(wanted, h.id) {
			lost = append(lost, h.id)
		}
	}
	w.tx.touched.posts[e.id] = true
	if err := w.tx.unrelate(ctx, e.id, lost); err != nil {
		return err
	}
	if err := w.relate(ctx, e.id, added); err != nil {
		return err
	}
	if len(gained[wpstore.CategoryTaxonomy])+len(gained[wpstore.TagTaxonomy]) == 0 {
		return nil
	}
	edit, err := w.tx.EditPost(ctx, w.rules.Save, e.id)
	if err != nil || edit == nil {
		return err
	}
	for _, taxonomy := range []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy} {
		if len(gained[taxonomy]) > 0 {
			edit.Meta.TouchTaxonomy(taxonomy, w.tx.now.Unix())
		}
		if err := w.tx.recount(ctx, taxonomy, gained[taxonomy]); err != nil {
			return err
		}
	}
	return w.tx.writeMeta(ctx, edit.Meta)
}
