package sitedb

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Taxonomies of Polylang's groups: of terms, and of posts, that translate each
// other.
const (
	termGroupTaxonomy = "term_translations"
	postGroupTaxonomy = "post_translations"
)

// polylangWriter keeps the rows of Polylang.
type polylangWriter struct {
	oneLanguage
	rules LanguageRules
}

// postCreated files a post under the term of its language. Groups are made only
// when posts are translated.
func (w *polylangWriter) postCreated(ctx context.Context, e *PostEdit) error {
	lang := w.rules.Languages.Find(w.rules.Posts)
	if lang == nil || lang.PostTerm == 0 {
		return nil
	}
	if err := w.tx.relate(ctx, e.ID, []int64{lang.PostTerm}); err != nil || e.Status != "publish" {
		return err
	}
	return w.countPosts(ctx, lang.PostTerm)
}

func (w *polylangWriter) postUpdated(ctx context.Context, e *PostEdit, old *wpstore.Post) error {
	if old.Status == e.Status {
		return nil
	}
	lang, err := w.languageOfPost(ctx, e.ID)
	if err != nil || lang == nil {
		return err
	}
	return w.countPosts(ctx, lang.PostTerm)
}

// postDeleting takes the post out of its language and its group.
func (w *polylangWriter) postDeleting(ctx context.Context, e *PostEdit) error {
	filed, err := w.filed(ctx, e.ID, postLanguageTaxonomy, postGroupTaxonomy)
	if err != nil {
		return err
	}
	group, members, err := w.groupOf(ctx, e.ID, postGroupTaxonomy)
	if err != nil {
		return err
	}
	if err := w.tx.unrelate(ctx, e.ID, slices.Collect(maps.Values(filed))); err != nil {
		return err
	}
	if language := filed[postLanguageTaxonomy]; language != 0 {
		if err := w.countPosts(ctx, language); err != nil {
			return err
		}
	}
	if group == 0 {
		return nil
	}
	return w.writeGroup(ctx, group, withoutMember(members, e.ID))
}

// countPosts counts the published posts of a language.
func (w *polylangWriter) countPosts(ctx context.Context, term int64) error {
	inner, args, err := sq.Select("COUNT(*)").From(w.tx.table("term_relationships") + " tr").
		Join(w.tx.table("posts") + " p ON p.ID = tr.object_id").
		Where(sq.Eq{"tr.term_taxonomy_id": term, "p.post_status": "publish"}).ToSql()
	if err != nil {
		return err
	}
	return w.setCount(ctx, term, sq.Expr("("+inner+")", args...))
}

// countObjects counts whatever has a term.
func (w *polylangWriter) countObjects(ctx context.Context, term int64) error {
	inner, args, err := sq.Select("COUNT(*)").From(w.tx.table("term_relationships")).
		Where(sq.Eq{"term_taxonomy_id": term}).ToSql()
	if err != nil {
		return err
	}
	return w.setCount(ctx, term, sq.Expr("("+inner+")", args...))
}

func (w *polylangWriter) setCount(ctx context.Context, term int64, count sq.Sqlizer) error {
	w.tx.touched.termTaxonomies[term] = true
	return w.tx.change(ctx, "polylang.count", sq.Update(w.tx.table("term_taxonomy")).
		Set("count", count).Where(sq.Eq{"term_taxonomy_id": term}))
}

// languageOfPost is the language of a post, nil for none.
func (w *polylangWriter) languageOfPost(ctx context.Context, id int64) (*i18n.Language, error) {
	groups, err := w.tx.PostTranslations(ctx, w.rules.Languages, []int64{id})
	return w.rules.Languages.Find(groups[id].Of(id)), err
}

// termsOfPost puts the translation into the post's language in the place of each
// term of another language, whenever a post that has a language is saved again. A
// term without such a translation is translated there and then.
func (w *polylangWriter) termsOfPost(ctx context.Context, e *PostEdit, wanted PostTermSet) ([]int64, error) {
	if e.stored == nil || len(wanted.IDs) == 0 {
		return wanted.IDs, nil
	}
	lang, err := w.languageOfPost(ctx, e.ID)
	if err != nil || lang == nil {
		return wanted.IDs, err
	}
	groups, err := w.tx.TermTranslations(ctx, w.rules.Languages, wanted.Taxonomy, wanted.IDs)
	if err != nil {
		return nil, err
	}
	terms, err := w.tx.Terms(ctx, wanted.Taxonomy, wanted.IDs)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(wanted.IDs))
	for i, id := range wanted.IDs {
		ids[i] = id
		own := groups[id].Of(id)
		t, exists := terms[id]
		if !exists || own == "" || own == lang.Code {
			continue
		}
		translated, ok := groups[id].Into(id, lang.Code)
		if !ok {
			if translated, err = w.translateTerm(ctx, t, own, lang); err != nil {
				return nil, err
			}
		}
		ids[i] = translated
	}
	return ids, nil
}

// translateTerm makes a term of the same name in another language. Polylang files
// it under the request's language first, and the group made for that stays behind.
func (w *polylangWriter) translateTerm(ctx context.Context, t wpstore.Term, from string, into *i18n.Language) (int64, error) {
	groupID, members, err := w.groupOf(ctx, t.ID, termGroupTaxonomy)
	if err != nil {
		return 0, err
	}
	slug, err := w.tx.uniqueTermSlug(ctx, t.Slug+"-"+into.Code, t.Taxonomy, 0, 0, wpstore.InLanguage{})
	if err != nil {
		return 0, err
	}
	id, err := w.tx.insertRow(ctx, "terms.insert", "terms", []column{{"name", t.Name}, {"slug", slug}, {"term_group", 0}})
	if err != nil {
		return 0, err
	}
	taxonomyID, err := w.tx.insertRow(ctx, "terms.insert_taxonomy", "term_taxonomy", []column{
		{"term_id", id}, {"taxonomy", t.Taxonomy}, {"description", ""}, {"parent", 0}, {"count", 0},
	})
	if err != nil {
		return 0, err
	}
	made := wpstore.Term{ID: id, TaxonomyID: taxonomyID, Taxonomy: t.Taxonomy, Name: t.Name, Slug: slug}
	if w.rules.Faithful {
		if _, err := w.newGroup(ctx, from, id, 0); err != nil {
			return 0, err
		}
	}
	terms := []int64{into.TermTerm}
	if groupID != 0 {
		terms = append(terms, groupID)
	}
	if err := w.tx.relate(ctx, id, terms); err != nil {
		return 0, err
	}
	if err := w.countObjects(ctx, into.TermTerm); err != nil {
		return 0, err
	}
	if groupID != 0 {
		members.SetString(into.Code, id)
		if err := w.writeGroup(ctx, groupID, members); err != nil {
			return 0, err
		}
	}
	return id, w.childrenChanged(ctx, childChange{term: made, made: true, hierarchical: t.Taxonomy == wpstore.CategoryTaxonomy, code: into.Code})
}

// newGroup makes a group of one term.
func (w *polylangWriter) newGroup(ctx context.Context, code string, term, count int64) (int64, error) {
	now := w.tx.now
	// The name is unique by the clock, which stands still within a request.
	name := fmt.Sprintf("pll_%08x%05x", now.Unix(), rand.N[int64](1_000_000))
	id, err := w.tx.insertRow(ctx, "polylang.new_group", "terms", []column{{"name", name}, {"slug", name}, {"term_group", 0}})
	if err != nil {
		return 0, err
	}
	members := &php.Array{}
	members.SetString(code, term)
	return w.tx.insertRow(ctx, "polylang.new_group_taxonomy", "term_taxonomy", []column{
		{"term_id", id}, {"taxonomy", termGroupTaxonomy}, {"description", serialized(members)}, {"parent", 0}, {"count", count},
	})
}
