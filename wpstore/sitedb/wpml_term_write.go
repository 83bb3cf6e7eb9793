package sitedb

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// newTerm: names are unique in each language, slugs in the whole taxonomy.
func (w *wpmlWriter) newTerm(t NewTerm) termScope {
	return termScope{names: wpstore.In(w.rules.Languages, t.Language), code: t.Language}
}

// storedTerm: a term that is not in the language it is edited in collides with
// itself. Known difference F8.
func (w *wpmlWriter) storedTerm(ctx context.Context, t wpstore.Term) (termScope, error) {
	group, err := w.group(ctx, termElement(t.Taxonomy), t.TaxonomyID)
	own := member(group, t.TaxonomyID)
	if err != nil || own == nil {
		return termScope{code: w.rules.Terms}, err
	}
	return termScope{code: own.code, collides: w.rules.Faithful && own.code != w.rules.Terms}, nil
}

func (w *wpmlWriter) termCreated(ctx context.Context, t wpstore.Term, code string) error {
	return w.file(ctx, termElement(t.Taxonomy), t.TaxonomyID, code)
}

// termDeleting takes the term out of its group, of which another becomes the
// original, and translations of the posts that had it lose its translations.
func (w *wpmlWriter) termDeleting(ctx context.Context, t wpstore.Term) error {
	kind := termElement(t.Taxonomy)
	group, err := w.group(ctx, kind, t.TaxonomyID)
	own := member(group, t.TaxonomyID)
	if err != nil || own == nil {
		return err
	}
	if err := w.loseTranslations(ctx, group, own); err != nil {
		return err
	}
	return w.unfile(ctx, group, own)
}

// loseTranslations removes the translations of a term from the translations of
// the posts that are originals and have it. Counts stay, as WPML leaves them.
func (w *wpmlWriter) loseTranslations(ctx context.Context, group []element, own *element) error {
	for _, e := range group {
		if e.id == own.id {
			continue
		}
		posts, err := w.tx.ids(ctx, "wpml.losing_posts", sq.Select("x.element_id").
			From(w.tx.table("term_relationships")+" tr").
			Join(w.tx.table("icl_translations")+" o ON o.element_id = tr.object_id AND o.source_language_code IS NULL").
			Join(w.tx.table("icl_translations")+" x ON x.trid = o.trid AND x.element_type = o.element_type AND x.language_code = ?", e.code).
			Join(w.tx.table("posts")+" p ON p.ID = x.element_id AND p.post_status <> 'trash'").
			Where(sq.Eq{"tr.term_taxonomy_id": own.id}).
			Where(sq.Like{"o.element_type": "post%"}).
			Where("o.element_id <> x.element_id"))
		if err != nil {
			return err
		}
		if len(posts) == 0 {
			continue
		}
		for _, post := range posts {
			w.tx.touched.posts[post] = true
		}
		if err := w.tx.change(ctx, "wpml.lose_translations", sq.Delete(w.tx.table("term_relationships")).
			Where(sq.Eq{"term_taxonomy_id": e.id}).Where(idList("object_id", distinctIDs(posts)))); err != nil {
			return err
		}
	}
	return nil
}

// childrenChanged edits the options of WPML in place: one of the term's language
// and one of all. Deleting leaves them as they are.
func (w *wpmlWriter) childrenChanged(ctx context.Context, c childChange) error {
	if !c.hierarchical || c.gone || c.term.Parent == c.oldParent {
		return nil
	}
	for _, suffix := range []string{c.code, "all"} {
		name := c.term.Taxonomy + "_children_" + suffix
		stored, err := w.tx.lockedOption(ctx, name)
		if err != nil {
			return err
		}
		if err := w.tx.setOption(ctx, name, serialized(withChild(storedArray(stored), c))); err != nil {
			return err
		}
	}
	return nil
}

// withChild moves a term from its old parent to its new one. Ids are texts.
func withChild(children *php.Array, c childChange) *php.Array {
	if children == nil {
		children = &php.Array{}
	}
	id := formatID(c.term.ID)
	out := &php.Array{}
	for parent, v := range children.All() {
		list, ok := v.(*php.Array)
		if !ok || parent.Int != c.oldParent || c.oldParent == 0 {
			out.Set(parent, v)
			continue
		}
		kept := &php.Array{}
		for _, child := range list.All() {
			if php.ToString(child) != id {
				kept.Append(child)
			}
		}
		if kept.Len() > 0 {
			out.Set(parent, kept)
		}
	}
	if c.term.Parent > 0 {
		list, _ := out.At(formatID(c.term.Parent)).(*php.Array)
		if list == nil {
			list = &php.Array{}
			out.Set(php.IntKey(c.term.Parent), list)
		}
		list.Append(id)
	}
	return out
}
