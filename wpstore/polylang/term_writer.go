package polylang

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/terms"
)

// termWriter files terms under their languages.
type termWriter struct {
	langplugin.PlainTerms
	filing    filing
	rows      *rowedit.Rows
	read      langplugin.Terms
	languages *i18n.Languages
	faithful  bool
}

// NewTerm: names and slugs are unique in each language.
func (w *termWriter) NewTerm(code string) langplugin.TermScope {
	in := wpstore.In(w.languages, code)
	return langplugin.TermScope{Names: in, Slugs: in, Code: code}
}

// StoredTerm: its slug is unique in its language.
func (w *termWriter) StoredTerm(ctx context.Context, t wpstore.Term) (langplugin.TermScope, error) {
	groups, err := w.read.TermTranslations(ctx, w.languages, t.Taxonomy, []int64{t.ID})
	code := groups[t.ID].Of(t.ID)
	return langplugin.TermScope{Slugs: wpstore.In(w.languages, code), Code: code}, err
}

// ChildrenChanged: the translations of an edited term move under the translations of its
// parent, and the option is rebuilt once for each of them.
func (w *termWriter) ChildrenChanged(ctx context.Context, c langplugin.ChildChange) error {
	if c.Hierarchical && !c.Made && !c.Gone {
		if err := w.moveTranslations(ctx, c); err != nil {
			return err
		}
	}
	return w.PlainTerms.ChildrenChanged(ctx, c)
}

func (w *termWriter) moveTranslations(ctx context.Context, c langplugin.ChildChange) error {
	_, members, err := w.filing.groupOf(ctx, c.Term.ID, TermGroups)
	if err != nil {
		return err
	}
	_, parents, err := w.filing.groupOf(ctx, c.Term.Parent, TermGroups)
	if err != nil {
		return err
	}
	for code, member := range members.All() {
		id := php.ToInt(member)
		if id == c.Term.ID {
			continue
		}
		if parent := php.ToInt(parents.At(code.String())); c.Term.Parent != c.OldParent && (parent != 0 || c.Term.Parent == 0) {
			w.rows.Changed.Terms(id)
			if err := w.rows.Change(ctx, "polylang.move", "term_taxonomy", sq.Update(w.rows.Table("term_taxonomy")).
				Set("parent", parent).Where(sq.Eq{"term_id": id, "taxonomy": c.Term.Taxonomy})); err != nil {
				return err
			}
		}
		if err := w.PlainTerms.ChildrenChanged(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// KnownTerm: a tag of another language is taken for a new one of the same name.
// Known difference F8.
func (w *termWriter) KnownTerm(ctx context.Context, taxonomy, name string, hierarchical bool) (wpstore.Term, error) {
	if hierarchical || !w.faithful {
		return wpstore.Term{}, nil
	}
	var known, found wpstore.Term
	err := w.rows.Query(ctx, "polylang.known_tag", terms.Select(w.rows.Tables, taxonomy, terms.Columns()...).
		Where(sq.Eq{"t.name": name}).OrderBy("t.term_id"), sqlconn.EachRow(func() {
		if known.ID == 0 && rowedit.SameName(found.Name, name) {
			known = found
		}
	}, terms.Targets(&found)...))
	return known, err
}

// TermCreated files a term under its language and makes a group for it.
func (w *termWriter) TermCreated(ctx context.Context, t wpstore.Term, code string) error {
	lang := w.languages.Find(code)
	if lang == nil || lang.TermTerm == 0 {
		return nil
	}
	group, err := w.filing.newGroup(ctx, code, t.ID, 1)
	if err != nil {
		return err
	}
	if err := w.Terms.Relate(ctx, "languages.relate", t.ID, []int64{lang.TermTerm, group}); err != nil {
		return err
	}
	w.filing.countObjects(lang.TermTerm)
	return nil
}

// TermDeleting takes a term out of its language and its group.
func (w *termWriter) TermDeleting(ctx context.Context, t wpstore.Term) error {
	return w.filing.remove(ctx, w.Terms, t.ID, TermLanguages, TermGroups, w.filing.countObjects)
}
