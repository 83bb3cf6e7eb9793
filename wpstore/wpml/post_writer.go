package wpml

import (
	"context"
	"slices"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// priorityTaxonomy holds WPML's translation priorities. Every post gets the first one of
// its language.
const priorityTaxonomy = "translation_priority"

// postWriter files posts and, at the end of the request, updates the translations of
// posts that were saved.
type postWriter struct {
	langplugin.PlainPosts
	groups *translationGroups
	rows   *rowedit.Rows
	posts  rowedit.Posts
	terms  rowedit.Terms
	follow follower
	rules  langplugin.Rules

	created []int64
	updated []wpstore.Post // their rows afterwards
	// pictured are the posts whose picture was changed or removed.
	pictured []*wpstore.Post
}

// codeOf returns the language of new posts of a type.
func (w *postWriter) codeOf(postType string) string {
	if postType == wpstore.EventType {
		return w.rules.Events
	}
	return w.rules.Posts
}

// PostDeleting takes the post out of its group.
func (w *postWriter) PostDeleting(ctx context.Context, p *wpstore.Post) error {
	w.updated = slices.DeleteFunc(w.updated, func(u wpstore.Post) bool { return u.ID == p.ID })
	group, err := w.groups.lockedGroup(ctx, postElement(p.Type), p.ID)
	own := member(group, p.ID)
	if err != nil || own == nil {
		return err
	}
	return w.groups.unfile(ctx, group, own)
}

// Rivals: posts of different languages may share a slug.
func (w *postWriter) Rivals(ctx context.Context, query sq.SelectBuilder, id int64, postType string) (sq.SelectBuilder, error) {
	code := w.codeOf(postType)
	if id != 0 {
		group, err := w.groups.group(ctx, postElement(postType), id)
		if err != nil {
			return query, err
		}
		if own := member(group, id); own != nil {
			code = own.code
		}
	}
	return query.Where(sq.Expr("ID IN (?)", sq.Select("il.element_id").From(w.rows.Table(translations)+" il").
		Where(sq.Eq{"il.element_type": postElement(postType), "il.language_code": code}))), nil
}

// PostCreated files a post under the language of new ones.
func (w *postWriter) PostCreated(ctx context.Context, p *wpstore.Post, bare bool) error {
	w.created = append(w.created, p.ID)
	code := w.codeOf(p.Type)
	if err := w.groups.file(ctx, postElement(p.Type), p.ID, code); err != nil {
		return err
	}
	// The priority that was translated first is the default.
	priority, err := w.rows.Number(ctx, "wpml.default_priority", sq.Select("tt.term_taxonomy_id").
		From(w.rows.Table("term_taxonomy")+" tt").
		Join(w.rows.Table(translations)+" il ON il.element_type = ? AND il.element_id = tt.term_taxonomy_id", termElement(priorityTaxonomy)).
		Where(sq.Eq{"tt.taxonomy": priorityTaxonomy, "il.language_code": code}).
		OrderBy("il.trid").Limit(1))
	if err != nil || priority == 0 {
		return err
	}
	w.rows.Changed.Posts(p.ID)
	return w.terms.File(ctx, p.ID, priorityTaxonomy, priority, bare)
}

// PostUpdated notes the post for the end of the request.
func (w *postWriter) PostUpdated(_ context.Context, _, saved *wpstore.Post, trashing bool) error {
	at := slices.IndexFunc(w.updated, func(u wpstore.Post) bool { return u.ID == saved.ID })
	switch {
	case trashing || slices.Contains(w.created, saved.ID):
	case at >= 0:
		w.updated[at] = *saved
	default:
		w.updated = append(w.updated, *saved)
	}
	return nil
}

// MetaChanged notes a post with another picture for the end of the request.
func (w *postWriter) MetaChanged(p *wpstore.Post, meta *rowedit.MetaEdit) {
	if meta.Touched(pictureKey) && !slices.Contains(w.created, p.ID) {
		w.pictured = append(w.pictured, p)
	}
}

// Finish counts words, updates translations, and numbers new groups.
func (w *postWriter) Finish(ctx context.Context) error {
	ids := slices.Clone(w.created)
	for i := range w.updated {
		ids = append(ids, w.updated[i].ID)
	}
	if err := w.countWords(ctx, ids); err != nil {
		return err
	}
	for _, p := range w.pictured {
		if err := w.follow.picture(ctx, p); err != nil {
			return err
		}
	}
	for i := range w.updated {
		if err := w.follow.post(ctx, &w.updated[i]); err != nil {
			return err
		}
	}
	if err := w.rows.Finish(ctx); err != nil {
		return err
	}
	return w.groups.number(ctx)
}

// countWords stores the word count of posts, after all other metadata.
func (w *postWriter) countWords(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	edits, err := w.posts.Lock(ctx, ids...)
	if err != nil {
		return err
	}
	var metas []*rowedit.MetaEdit
	for _, id := range ids {
		if e, ok := edits[id]; ok {
			e.Meta.Update("_wpml_word_count", strconv.FormatInt(wordCount(e.Title, e.Content, e.Excerpt), 10))
			metas = append(metas, e.Meta)
		}
	}
	return w.posts.Metas.Write(ctx, metas...)
}
