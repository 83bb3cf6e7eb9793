package export

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/exporturl"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// page is what WordPress's main query finds for a request.
type page struct {
	// post is the one whose page it is, nil if it is none's.
	post *wpstore.Post
	// missing: WordPress has decided on 404. personal: the answer must not be stored.
	missing, personal bool
}

// shown returns the post of a page that exists.
func (p page) shown() *wpstore.Post {
	if p.missing {
		return nil
	}
	return p.post
}

// findPage finds out whether WordPress's main query finds anything, and whose page that is.
// s has the main query.
func findPage(ctx context.Context, r *request, s *selection) (page, error) {
	switch r.feed.Kind {
	case exporturl.Missing:
		return page{missing: true}, nil
	case exporturl.Venue, exporturl.Organizer:
		return page{}, linkedPage(ctx, r)
	case exporturl.Event:
		return eventPage(ctx, r, s)
	case exporturl.ByID:
		return postPage(ctx, r, s)
	}
	missing, err := archiveMissing(ctx, r, s)
	return page{missing: missing}, err
}

// linkedPage asks for the page of a venue or an organizer. WordPress alone knows what it makes
// of an unknown one.
func linkedPage(ctx context.Context, r *request) error {
	kind := api.Venues
	if r.feed.Kind == exporturl.Organizer {
		kind = api.Organizers
	}
	id, err := r.Lookups.PostBySlug(ctx, kind, r.feed.Slug)
	if err != nil {
		return err
	}
	p, err := r.post(ctx, id)
	if err == nil && (p == nil || p.Status != "publish" || p.Password != "") {
		err = ErrDeclined
	}
	return err
}

// eventPage returns the page of an event by its slug.
func eventPage(ctx context.Context, r *request, s *selection) (page, error) {
	ids, err := r.Lookups.PostsBySlug(ctx, api.Events, r.feed.Slug)
	if err != nil || len(ids) == 0 {
		return page{missing: true}, err
	}
	id, err := s.latest(ctx, ids)
	if err != nil {
		return page{}, err
	}
	p, err := r.post(ctx, id)
	if err != nil {
		return page{}, err
	}
	return pageOf(ctx, r, s, p)
}

// postPage returns the page of a post by its id.
func postPage(ctx context.Context, r *request, s *selection) (page, error) {
	p, err := r.post(ctx, r.feed.ID)
	if err != nil {
		return page{}, err
	}
	if p != nil && p.Type != api.Events.PostType {
		return page{}, ErrDeclined
	}
	found, err := pageOf(ctx, r, s, p)
	found.missing = found.missing || !r.feed.TypeGiven
	return found, err
}

// pageOf finds out whether the page of an event exists for the viewer: it needs dates,
// unless it is a draft's.
func pageOf(ctx context.Context, r *request, s *selection, p *wpstore.Post) (page, error) {
	if p == nil {
		return page{missing: true}, nil
	}
	found := page{post: p, personal: p.Password != ""}
	if !r.exports(p) {
		found.missing = p.Status == "trash" || !r.Viewer.Known() || !r.Viewer.MayEdit(p)
		return found, nil
	}
	q := s.mainQuery()
	q.Statuses, q.Include, q.Limit, q.Language = []string{p.Status}, []int64{p.ID}, 1, wpstore.InLanguage{}
	dated, err := r.Store.Events.Events(ctx, q, nil)
	found.missing = len(dated.IDs) == 0
	return found, err
}

// archiveMissing reports whether the page of a list does not exist.
func archiveMissing(ctx context.Context, r *request, s *selection) (bool, error) {
	f := r.feed
	if f.Display == "list" && f.Paged > 1 {
		return false, nil
	}
	if s.terms.categories.unknown() || s.terms.tags.unknown() {
		return true, nil
	}
	if f.Paged <= 1 {
		return false, nil
	}
	var total int64
	switch {
	case f.Kind == exporturl.Archive:
		found, err := r.Store.Events.Events(ctx, s.mainQuery(), nil)
		if err != nil {
			return false, err
		}
		total = found.Total
	case f.Kind == exporturl.TagPage || r.language != "" || r.Place.Site.Facts.PageOnFront > 0:
		return false, ErrDeclined
	default:
		var err error
		if total, err = r.Store.Posts.CountPublished(ctx, "post"); err != nil {
			return false, err
		}
	}
	perPage := max(1, php.ToInt(r.Place.Site.Facts.PostsPerPage))
	return (f.Paged-1) > total/perPage || (f.Paged-1)*perPage >= total, nil
}
