package export

import (
	"context"
	"time"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/exporturl"
	"calbridge/rest/ical"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/wpstore"
)

// elsewhere returns the redirect to another language's address, nil where the page is in the
// language of its address.
func elsewhere(ctx context.Context, r *request, terms filters, page page) (*redirect, error) {
	switch r.Place.Site.Languages.Plugin {
	case i18n.WPML:
		to, err := elsewhereByTerm(ctx, r, terms.categories.only)
		if to == nil && err == nil && page.post != nil {
			to, err = elsewhereByPost(ctx, r, page.post)
		}
		return to, err
	case i18n.Polylang:
		return elsewhereByPolylang(r, terms, page), nil
	}
	return nil, nil
}

// elsewhereByTerm redirects to the translation of a category into the language of the
// address, as WPML does. t may be nil.
func elsewhereByTerm(ctx context.Context, r *request, t *wpstore.Term) (*redirect, error) {
	if t == nil {
		return nil, nil
	}
	groups, err := r.Store.Terms.TermTranslations(ctx, &r.Place.Site.Languages.Languages, api.Categories.Name, []int64{t.ID})
	if err != nil {
		return nil, err
	}
	to, ok := groups[t.ID].Into(t.ID, r.language)
	if !ok || to == t.ID {
		return nil, nil
	}
	tree, err := r.Lookups.TermTree(ctx, api.Categories)
	if err != nil {
		return nil, err
	}
	translated := tree[to]
	target, err := termAddress(ctx, r, api.Categories, &translated, "")
	if err != nil {
		return nil, err
	}
	return &redirect{target: target, by: "WPML", temporary: true}, nil
}

// elsewhereByPost redirects to the translation of a post into the language of the address,
// as WPML does.
func elsewhereByPost(ctx context.Context, r *request, p *wpstore.Post) (*redirect, error) {
	if p.Language == "" || p.Language == r.language {
		return nil, nil
	}
	groups, err := r.Store.Posts.PostTranslations(ctx, &r.Place.Site.Languages.Languages, []int64{p.ID})
	if err != nil {
		return nil, err
	}
	to, ok := groups[p.ID].Into(p.ID, r.language)
	if !ok || to == p.ID {
		return nil, nil
	}
	translated, err := r.post(ctx, to)
	if err != nil || translated == nil || !r.exports(translated) {
		return nil, err
	}
	target := exporturl.Join(r.Place.PostURL(translated, true), r.feed.Without("p", "post_type"))
	return &redirect{target: target, by: "WordPress", missing: true}, nil // the post of the address is
}

// elsewhereByPolylang redirects to the language of what was asked for.
func elsewhereByPolylang(r *request, terms filters, page page) *redirect {
	if code, _ := r.Query.At("lang").(string); r.atHome() && r.Place.Site.Languages.Find(code) != nil && code != r.language {
		return byWordPress(r.Place.LinksFor(code).Home+exporturl.Join("/", r.feed.Without("lang")), page)
	}
	if p := page.post; p != nil && r.exports(p) && p.Language != "" {
		if r.feed.Redirect == exporturl.ToPost || r.feed.Canonical != "" || p.Language != r.language {
			return &redirect{target: exporturl.Join(r.Place.PostURL(p, true), r.feed.Without("p", "post_type")), by: "Polylang"}
		}
	}
	for _, f := range []filter{terms.categories, terms.tags} {
		if f.only == nil || f.language == "" || f.language == r.language {
			continue
		}
		return &redirect{target: r.Place.LinksFor(f.language).Home + exporturl.Join(r.feed.Path, r.feed.Query), by: "Polylang", missing: true}
	}
	return nil
}

// translate replaces addresses and categories of events that the request names by those of
// their translations, as WPML does. The order of categories stays.
func translate(ctx context.Context, r *request, set *loader.Set, events []ical.Event) error {
	if r.Place.Site.Languages.Plugin != i18n.WPML || r.feed.IDs == nil {
		return nil
	}
	languages := &r.Place.Site.Languages.Languages
	var ids, terms []int64
	for i := range events {
		ids = append(ids, events[i].ID)
		for _, t := range set.Terms[events[i].ID] {
			terms = append(terms, t.ID)
		}
	}
	groups, err := r.Store.Posts.PostTranslations(ctx, languages, ids)
	if err != nil {
		return err
	}
	posts, err := r.Store.Posts.PostsWithLanguage(ctx, languages, i18n.Translate(ids, groups, r.language))
	if err != nil {
		return err
	}
	termGroups, err := r.Store.Terms.TermTranslations(ctx, languages, api.Categories.Name, terms)
	if err != nil {
		return err
	}
	tree, err := r.Lookups.TermTree(ctx, api.Categories)
	if err != nil {
		return err
	}
	for i := range events {
		e := &events[i]
		if to, _ := groups[e.ID].Into(e.ID, r.language); posts[to] != nil {
			e.URL = r.Place.PostURL(posts[to], r.Viewer.Viewable(posts[to]))
		}
		e.Categories = nil
		for _, t := range set.Terms[e.ID] {
			if t.Taxonomy != api.Categories.Name {
				continue
			}
			name := t.Name
			if to, _ := termGroups[t.ID].Into(t.ID, r.language); tree[to].Name != "" {
				name = tree[to].Name
			}
			e.Categories = append(e.Categories, name)
		}
	}
	return nil
}

// userCookie returns the cookie that WPML gives to users, "" for none.
func userCookie(r *request) string {
	if r.Place.Site.Languages.Plugin != i18n.WPML || !r.Viewer.Known() {
		return ""
	}
	secure := ""
	if r.HTTPS {
		secure = "; Secure"
	}
	expires := r.Clock.At.UTC().Add(24 * time.Hour).Format("Mon, 02-Jan-2006 15:04:05 GMT")
	return "wp-wpml_current_language=" + r.language + "; expires=" + expires + "; Path=" + r.Place.LinksFor("").HomePath() + "/" + secure + "; SameSite=Lax"
}

// languageCookie returns that of Polylang, nil without one.
func languageCookie(r *request, page page) *api.Cookie {
	if r.Place.Site.Languages.Plugin != i18n.Polylang || page.missing {
		return nil
	}
	const year = 365 * 24 * time.Hour
	return &api.Cookie{Name: "pll_language", Value: r.language, Path: r.Place.LinksFor("").HomePath() + "/", Secure: r.HTTPS, Life: year}
}
