package polylang

import (
	"context"
	"maps"
	"slices"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
)

// postWriter files posts under their languages.
type postWriter struct {
	langplugin.PlainPosts
	filing     filing
	rows       rowedit.Terms
	posts      langplugin.Posts
	terms      langplugin.Terms
	translator translator
	languages  *i18n.Languages
	code       string // of new posts
}

// PostCreated files a post under the term of its language. Groups are made only
// when posts are translated.
func (w *postWriter) PostCreated(ctx context.Context, p *wpstore.Post) error {
	lang := w.languages.Find(w.code)
	if lang == nil || lang.PostTerm == 0 {
		return nil
	}
	if err := w.rows.Relate(ctx, p.ID, []int64{lang.PostTerm}); err != nil || p.Status != "publish" {
		return err
	}
	return w.filing.countPosts(ctx, lang.PostTerm)
}

// PostUpdated counts the posts of its language anew where its status has changed.
func (w *postWriter) PostUpdated(ctx context.Context, old, p *wpstore.Post, _ bool) error {
	if old.Status == p.Status {
		return nil
	}
	lang, err := w.languageOfPost(ctx, p.ID)
	if err != nil || lang == nil {
		return err
	}
	return w.filing.countPosts(ctx, lang.PostTerm)
}

// PostDeleting takes the post out of its language and its group.
func (w *postWriter) PostDeleting(ctx context.Context, p *wpstore.Post) error {
	filed, err := w.filing.filed(ctx, p.ID, PostLanguages, PostGroups)
	if err != nil {
		return err
	}
	group, members, err := w.filing.groupOf(ctx, p.ID, PostGroups)
	if err != nil {
		return err
	}
	if err := w.rows.Unrelate(ctx, p.ID, slices.Collect(maps.Values(filed))); err != nil {
		return err
	}
	if language := filed[PostLanguages]; language != 0 {
		if err := w.filing.countPosts(ctx, language); err != nil {
			return err
		}
	}
	if group == 0 {
		return nil
	}
	return w.filing.writeGroup(ctx, group, withoutMember(members, p.ID))
}

// languageOfPost is the language of a post, nil for none.
func (w *postWriter) languageOfPost(ctx context.Context, id int64) (*i18n.Language, error) {
	groups, err := w.posts.PostTranslations(ctx, w.languages, []int64{id})
	return w.languages.Find(groups[id].Of(id)), err
}

// TermsOfPost puts the translation into the post's language in the place of each
// term of another language, whenever a post that has a language is saved again. A
// term without such a translation is translated there and then.
func (w *postWriter) TermsOfPost(ctx context.Context, id int64, taxonomy string, wanted []int64) ([]int64, error) {
	if id == 0 || len(wanted) == 0 {
		return wanted, nil
	}
	lang, err := w.languageOfPost(ctx, id)
	if err != nil || lang == nil {
		return wanted, err
	}
	groups, err := w.terms.TermTranslations(ctx, w.languages, taxonomy, wanted)
	if err != nil {
		return nil, err
	}
	terms, err := w.terms.Terms(ctx, taxonomy, wanted)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(wanted))
	for i, term := range wanted {
		ids[i] = term
		own := groups[term].Of(term)
		t, exists := terms[term]
		if !exists || own == "" || own == lang.Code {
			continue
		}
		translated, ok := groups[term].Into(term, lang.Code)
		if !ok {
			if translated, err = w.translator.translate(ctx, t, own, lang); err != nil {
				return nil, err
			}
		}
		ids[i] = translated
	}
	return ids, nil
}

// ResortsTags: Polylang sorts the tags by their names on the way.
func (w *postWriter) ResortsTags() bool { return true }
