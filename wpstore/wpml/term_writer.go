package wpml

import (
	"context"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// termWriter files terms.
type termWriter struct {
	langplugin.PlainTerms
	groups *translationGroups
	rows   *rowedit.Rows
	rules  langplugin.Rules
}

// NewTerm: names are unique in each language, slugs in the whole taxonomy.
func (w *termWriter) NewTerm(code string) langplugin.TermScope {
	return langplugin.TermScope{Names: wpstore.In(w.rules.Languages, code), Code: code}
}

// StoredTerm: a term that is edited in another language than its own collides with
// itself. Known difference F8.
func (w *termWriter) StoredTerm(ctx context.Context, t wpstore.Term) (langplugin.TermScope, error) {
	group, err := w.groups.group(ctx, termElement(t.Taxonomy), t.TaxonomyID)
	own := member(group, t.TaxonomyID)
	if err != nil || own == nil {
		return langplugin.TermScope{Code: w.rules.Terms}, err
	}
	return langplugin.TermScope{Code: own.code, Collides: w.rules.Faithful && own.code != w.rules.Terms}, nil
}

// TermCreated files a term under a language, in a group of its own.
func (w *termWriter) TermCreated(ctx context.Context, t wpstore.Term, code string) error {
	return w.groups.file(ctx, termElement(t.Taxonomy), t.TaxonomyID, code)
}

// TermDeleting takes the term out of its group. Translations of the posts that had the
// term lose its translations.
func (w *termWriter) TermDeleting(ctx context.Context, t wpstore.Term) error {
	kind := termElement(t.Taxonomy)
	group, err := w.groups.group(ctx, kind, t.TaxonomyID)
	own := member(group, t.TaxonomyID)
	if err != nil || own == nil {
		return err
	}
	if err := w.loseTranslations(ctx, group, own); err != nil {
		return err
	}
	return w.groups.unfile(ctx, group, own)
}

// loseTranslations removes the translations of a term from the translations of originals
// that have the term. Like WPML, it doesn't recount them.
func (w *termWriter) loseTranslations(ctx context.Context, group []element, own *element) error {
	for _, e := range group {
		if e.id == own.id {
			continue
		}
		posts, err := w.rows.IDs(ctx, "wpml.losing_posts", sq.Select("x.element_id").
			From(w.rows.Table("term_relationships")+" tr").
			Join(w.rows.Table(translations)+" o ON o.element_id = tr.object_id AND o.source_language_code IS NULL").
			Join(w.rows.Table(translations)+" x ON x.trid = o.trid AND x.element_type = o.element_type AND x.language_code = ?", e.code).
			Join(w.rows.Table("posts")+" p ON p.ID = x.element_id AND p.post_status <> 'trash'").
			Where(sq.Eq{"tr.term_taxonomy_id": own.id}).
			Where(sq.Like{"o.element_type": "post%"}).
			Where("o.element_id <> x.element_id"))
		if err != nil {
			return err
		}
		if len(posts) == 0 {
			continue
		}
		w.rows.Changed.Posts(posts...)
		if err := w.rows.Change(ctx, "wpml.lose_translations", "term_relationships", sq.Delete(w.rows.Table("term_relationships")).
			Where(sq.Eq{"term_taxonomy_id": e.id}).Where(sqlconn.IDList("object_id", sqlconn.DistinctIDs(posts)))); err != nil {
			return err
		}
	}
	return nil
}

// ChildrenChanged edits WPML's two options in place, that of the term's language and that
// of all languages. A deletion leaves them as they are.
func (w *termWriter) ChildrenChanged(ctx context.Context, c langplugin.ChildChange) error {
	if !c.Hierarchical || c.Gone || c.Term.Parent == c.OldParent {
		return nil
	}
	for _, suffix := range []string{c.Code, "all"} {
		name := c.Term.Taxonomy + "_children_" + suffix
		stored, err := w.Terms.Rows.Options.Locked(ctx, name)
		if err != nil {
			return err
		}
		if err := w.Terms.Rows.Options.Set(ctx, name, phpserial.Serialize(withChild(phpserial.Array(stored), c))); err != nil {
			return err
		}
	}
	return nil
}

// withChild moves a term from its old parent to its new one. Ids are texts.
func withChild(children *php.Array, c langplugin.ChildChange) *php.Array {
	if children == nil {
		children = &php.Array{}
	}
	id := strconv.FormatInt(c.Term.ID, 10)
	if old := php.IntKey(c.OldParent); c.OldParent != 0 {
		if list := children.Array(old.String()); list != nil {
			others := &php.Array{}
			for _, child := range list.All() {
				if php.ToString(child) != id {
					others.Append(child)
				}
			}
			if others.Len() > 0 {
				children.Set(old, others)
			} else {
				children.Delete(old)
			}
		}
	}
	if c.Term.Parent > 0 {
		children.Sub(strconv.FormatInt(c.Term.Parent, 10)).Append(id)
	}
	return children
}
