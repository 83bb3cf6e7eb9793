package sitedb

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// newTerm: names and slugs are unique in each language.
func (w *polylangWriter) newTerm(t NewTerm) termScope {
	in := wpstore.In(w.rules.Languages, t.Language)
	return termScope{names: in, slugs: in, code: t.Language}
}

func (w *polylangWriter) storedTerm(ctx context.Context, t wpstore.Term) (termScope, error) {
	groups, err := w.tx.TermTranslations(ctx, w.rules.Languages, t.Taxonomy, []int64{t.ID})
	code := groups[t.ID].Of(t.ID)
	return termScope{slugs: wpstore.In(w.rules.Languages, code), code: code}, err
}

// childrenChanged: when a term is edited, its translations move under the
// translations of its parent, and the option is made anew for each of them too.
func (w *polylangWriter) childrenChanged(ctx context.Context, c childChange) error {
	if c.hierarchical && !c.made && !c.gone {
		if err := w.moveTranslations(ctx, c); err != nil {
			return err
		}
	}
	return w.oneLanguage.childrenChanged(ctx, c)
}

func (w *polylangWriter) moveTranslations(ctx context.Context, c childChange) error {
	_, members, err := w.groupOf(ctx, c.term.ID, termGroupTaxonomy)
	if err != nil {
		return err
	}
	_, parents, err := w.groupOf(ctx, c.term.Parent, termGroupTaxonomy)
	if err != nil {
		return err
	}
	for code, member := range members.All() {
		id := php.ToInt(member)
		if id == c.term.ID {
			continue
		}
		if parent := php.ToInt(parents.At(code.String())); c.term.Parent != c.oldParent && (parent != 0 || c.term.Parent == 0) {
			w.tx.touched.terms[id] = true
			if err := w.tx.change(ctx, "polylang.move", sq.Update(w.tx.table("term_taxonomy")).
				Set("parent", parent).Where(sq.Eq{"term_id": id, "taxonomy": c.term.Taxonomy})); err != nil {
				return err
			}
			w.tx.touched.terms[id] = true
		}
		if err := w.oneLanguage.childrenChanged(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// resortsTags: Polylang sorts the tags by their names on the way.
func (w *polylangWriter) resortsTags() bool { return true }

// knownTerm: a tag of another language is taken for a new one of the same name.
// Known difference F8.
func (w *polylangWriter) knownTerm(ctx context.Context, t NewTerm) (wpstore.Term, error) {
	if t.Hierarchical || !w.rules.Faithful {
		return wpstore.Term{}, nil
	}
	var known wpstore.Term
	err := w.tx.query(ctx, "polylang.known_tag", w.tx.terms(t.Taxonomy, termColumns...).
		Where(sq.Eq{"t.name": t.Name}).OrderBy("t.term_id"), func(rows *sql.Rows) error {
		var found wpstore.Term
		if err := rows.Scan(termTargets(&found)...); err != nil {
			return err
		}
		if known.ID == 0 && asciiLower(found.Name) == asciiLower(t.Name) {
			known = found
		}
		return nil
	})
	return known, err
}

// termCreated files a term under its language and makes a group for it.
func (w *polylangWriter) termCreated(ctx context.Context, t wpstore.Term, code string) error {
	lang := w.rules.Languages.Find(code)
	if lang == nil || lang.TermTerm == 0 {
		return nil
	}
	group, err := w.newGroup(ctx, code, t.ID, 1)
	if err != nil {
		return err
	}
	if err := w.tx.relate(ctx, t.ID, []int64{lang.TermTerm, group}); err != nil {
		return err
	}
	return w.countObjects(ctx, lang.TermTerm)
}

// filed are the terms, by taxonomy, under which Polylang files an object.
func (w *polylangWriter) filed(ctx context.Context, object int64, taxonomies ...string) (map[string]int64, error) {
	found := map[string]int64{}
	query := sq.Select("tt.term_taxonomy_id", "tt.taxonomy").
		From(w.tx.table("term_relationships") + " tr").
		Join(w.tx.table("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": object, "tt.taxonomy": taxonomies})
	return found, w.tx.query(ctx, "polylang.filed", query, func(rows *sql.Rows) error {
		var id int64
		var taxonomy string
		if err := rows.Scan(&id, &taxonomy); err != nil {
			return err
		}
		found[taxonomy] = id
		return nil
	})
}

// termDeleting takes a term out of its language and its group.
func (w *polylangWriter) termDeleting(ctx context.Context, t wpstore.Term) error {
	filed, err := w.filed(ctx, t.ID, termLanguageTaxonomy, termGroupTaxonomy)
	if err != nil {
		return err
	}
	groupID, members, err := w.groupOf(ctx, t.ID, termGroupTaxonomy)
	if err != nil {
		return err
	}
	if err := w.tx.unrelate(ctx, t.ID, slices.Collect(maps.Values(filed))); err != nil {
		return err
	}
	if language := filed[termLanguageTaxonomy]; language != 0 {
		if err := w.countObjects(ctx, language); err != nil {
			return err
		}
	}
	if groupID == 0 {
		return nil
	}
	return w.writeGroup(ctx, groupID, withoutMember(members, t.ID))
}

func withoutMember(members *php.Array, id int64) *php.Array {
	out := &php.Array{}
	for code, member := range members.All() {
		if php.ToInt(member) != id {
			out.Set(code, member)
		}
	}
	return out
}

// groupOf returns the group of an object in a taxonomy, by its term_taxonomy id,
// with its members by language; 0 for none.
func (w *polylangWriter) groupOf(ctx context.Context, object int64, taxonomy string) (int64, *php.Array, error) {
	var id int64
	var description string
	err := w.tx.query(ctx, "polylang.group", sq.Select("tt.term_taxonomy_id", "tt.description").
		From(w.tx.table("term_relationships")+" tr").
		Join(w.tx.table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": object, "tt.taxonomy": taxonomy}).Limit(1),
		func(rows *sql.Rows) error { return rows.Scan(&id, &description) })
	members := storedArray(description)
	if members == nil {
		members = &php.Array{}
	}
	return id, members, err
}

// writeGroup stores the members of a group. One that nobody is left in goes.
func (w *polylangWriter) writeGroup(ctx context.Context, id int64, members *php.Array) error {
	if members.Len() == 0 {
		if err := w.tx.change(ctx, "polylang.delete_group", sq.Delete(w.tx.table("terms")).
			Where(sq.Expr("term_id IN (?)", sq.Select("term_id").From(w.tx.table("term_taxonomy")).Where(sq.Eq{"term_taxonomy_id": id})))); err != nil {
			return err
		}
		return w.tx.change(ctx, "polylang.delete_group_taxonomy", sq.Delete(w.tx.table("term_taxonomy")).Where(sq.Eq{"term_taxonomy_id": id}))
	}
	if err := w.tx.change(ctx, "polylang.group_members", sq.Update(w.tx.table("term_taxonomy")).
		Set("description", serialized(members)).Where(sq.Eq{"term_taxonomy_id": id})); err != nil {
		return err
	}
	return w.countObjects(ctx, id)
}
