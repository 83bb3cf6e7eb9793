package export

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/exporturl"
)

// redirect is an answer that leads to another address.
type redirect struct {
	target string
	// by is the software that redirects.
	by string
	// temporary: status 302, without the headers of other answers.
	temporary bool
	// missing: WordPress has decided on 404 before.
	missing bool
}

// byWordPress returns a redirect of WordPress's own, nil without a target.
func byWordPress(target string, page page) *redirect {
	if target == "" {
		return nil
	}
	return &redirect{target: target, by: "WordPress", missing: page.missing}
}

// canonical returns where WordPress redirects to, nil where it answers.
func canonical(ctx context.Context, r *request, terms filters, page page) (*redirect, error) {
	target, err := canonicalAddress(ctx, r, terms, page)
	page.missing = page.missing || r.feed.Overrun
	return byWordPress(target, page), err
}

// canonicalAddress returns the target of canonical, "" for none.
func canonicalAddress(ctx context.Context, r *request, terms filters, page page) (string, error) {
	f, links := r.feed, r.Place.Links
	if f.Canonical != "" && (f.Always || !page.missing) {
		return links.Home + f.Canonical, nil
	}
	if page.post != nil && f.Redirect == exporturl.ToPost && (!page.missing || !f.TypeGiven) && r.exports(page.post) {
		names := []string{"name"}
		if f.Kind == exporturl.ByID {
			names = []string{"p", "post_type"}
		}
		return exporturl.Join(r.Place.PostURL(page.post, true), f.Without(names...)), nil
	}
	switch {
	case f.Redirect == exporturl.ToCategory && terms.categories.only != nil:
		return termAddress(ctx, r, api.Categories, terms.categories.only, f.Without("tribe_events_cat"))
	case f.Redirect == exporturl.ToTag && terms.tags.only != nil:
		return termAddress(ctx, r, api.Tags, terms.tags.only, f.Without("tag"))
	case f.Kind == exporturl.Event && page.missing && links.Pretty && f.Redirect == exporturl.NoRedirect:
		return guessed(ctx, r)
	}
	return "", nil
}

// guessed returns the address of an event whose slug begins with the one asked for.
func guessed(ctx context.Context, r *request) (string, error) {
	slug := r.Place.Site.Slug(r.feed.Slug)
	id, err := r.Store.Posts.PostIDByPrefix(ctx, api.Events.PostType, slug)
	if err != nil || id == 0 {
		return "", err
	}
	p, err := r.post(ctx, id)
	if err != nil || p == nil || p.Name == slug { // which has no dates
		return "", err
	}
	return exporturl.Join(r.Place.PostURL(p, true), r.feed.Query), nil
}
