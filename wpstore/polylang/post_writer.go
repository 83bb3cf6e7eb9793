package polylang

import (
	"context"

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

// PostCreated files a post under the term of its language. Its group is made when it
// is translated.
func (w *postWriter) PostCreated(ctx context.Context, p *wpstore.Post, bare bool) error {
	lang := w.languages.Find(w.code)
	if lang == nil || lang.PostTerm == 0 {
		return nil
	}
	if err := w.rows.File(ctx, p.ID, PostLanguages, lang.PostTerm, bare); err != nil || p.Status != "publish" {
		return err
	}
	w.filing.countPosts(lang.PostTerm, 1)
	return nil
}

// published returns 1 for published posts, else 0.
func published(p *wpstore.Post) int64 {
	if p.Status == "publish" {
		return 1
	}
	return 0
}

// PostUpdated recounts the posts of the language after a change of status.
func (w *postWriter) PostUpdated(ctx context.Context, old, p *wpstore.Post, _ bool) error {
	if old.Status == p.Status {
		return nil
	}
	lang, err := w.languageOfPost(ctx, p.ID)
	if err != nil || lang == nil {
		return err
	}
	w.filing.countPosts(lang.PostTerm, published(p)-published(old))
	return nil
}

// PostDeleting takes the post out of its language and its group.
func (w *postWriter) PostDeleting(ctx context.Context, p *wpstore.Post) error {
	return w.filing.remove(ctx, w.rows, p.ID, PostLanguages, PostGroups, func(term int64) { w.filing.countPosts(term, -published(p)) })
}

// languageOfPost returns the language of a post, nil for none.
func (w *postWriter) languageOfPost(ctx context.Context, id int64) (*i18n.Language, error) {
	groups, err := w.posts.PostTranslations(ctx, w.languages, []int64{id})
	return w.languages.Find(groups[id].Of(id)), err
}

// TermsOfPost replaces terms of other languages by their translations into the post's,
// when a post that has a language is saved again. Missing translations are made.
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

// ResortsTags: Polylang sorts the tags of a post by name whenever it is saved.
func (w *postWriter) ResortsTags() bool { return true }
