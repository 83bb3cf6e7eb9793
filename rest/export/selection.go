package export

import (
	"context"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/exporturl"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// selection asks for the events of a request.
type selection struct {
	*request
	terms filters
	dates dates
}

// statuses returns those of the events of lists.
func (s *selection) statuses() []string {
	if s.Viewer.User.Can("read_private_" + api.Events.Caps) {
		return []string{"publish", "private"}
	}
	return []string{"publish"}
}

// selected returns the posts to export, in order. post is the one whose page it is, nil for none.
func (s *selection) selected(ctx context.Context, post *wpstore.Post) ([]int64, error) {
	f := s.feed
	switch {
	case f.IDs != nil:
		return f.IDs, nil
	case f.View == "single-event" && post != nil:
		return []int64{post.ID}, nil
	case f.View == "single-event" && f.Kind == exporturl.Archive && f.Paged <= 1:
		return s.newest(ctx)
	}
	return s.listed(ctx)
}

// current returns the first post of WordPress's main query of a page that exists, if that is an
// event. Events without a venue show the region of its venue, unless that fault is mended.
func (s *selection) current(ctx context.Context, post *wpstore.Post) ([]int64, error) {
	switch {
	case s.Place.Site.Compat.Fixed():
		return nil, nil
	case post != nil:
		return []int64{post.ID}, nil
	case s.feed.Kind == exporturl.Archive && s.feed.Slug == "" || s.feed.Kind == exporturl.TagPage:
		return s.newest(ctx)
	}
	return nil, nil
}

// mainQuery reproduces WordPress's main query for lists of events.
func (s *selection) mainQuery() wpstore.EventQuery {
	site := s.Place.Site
	return wpstore.EventQuery{
		Occurrences: site.Facts.Occurrences, Statuses: s.statuses(), Language: s.Place.In(s.language), Hidden: true,
		Categories: s.terms.categories.ids, Tags: s.terms.tags.ids,
	}
}

// newest returns the first event of WordPress's main query.
func (s *selection) newest(ctx context.Context) ([]int64, error) {
	q := s.mainQuery()
	q.Order, q.Limit = wpstore.EventOrder{ByPublication: true, Descending: true}, 1
	size := max(1, php.ToInt(s.Place.Site.OptionText("postsPerPage", s.Place.Site.Facts.PostsPerPage)))
	q.Offset = min(max(s.feed.Paged, 1)-1, maxPage) * min(size, maxPage)
	found, err := s.Store.Events.Events(ctx, q, nil)
	return found.IDs, err
}

// latest returns which of the events with one slug WordPress's main query finds: the latest
// published one of the page's language with dates. Their statuses don't count.
func (s *selection) latest(ctx context.Context, ids []int64) (int64, error) {
	if len(ids) == 1 {
		return ids[0], nil
	}
	q := s.mainQuery()
	q.Statuses, q.Include, q.Limit = nil, ids, 1
	q.Order = wpstore.EventOrder{ByPublication: true, Descending: true}
	for _, language := range []wpstore.InLanguage{q.Language, {}} {
		q.Language = language
		found, err := s.Store.Events.Events(ctx, q, nil)
		if err != nil || len(found.IDs) > 0 {
			return append(found.IDs, 0)[0], err
		}
	}
	return ids[0], nil
}

// hidden returns the events that the language plugin takes for translations of hidden ones:
// WPML in all languages but the default one, Polylang in all. nil if there are none.
func (s *selection) hidden(ctx context.Context) (hidden []int64, err error) {
	languages := &s.Place.Site.Languages
	if languages.Plugin == i18n.NoPlugin || languages.Plugin == i18n.WPML && s.language == languages.Default {
		return nil, nil
	}
	ids, err := s.Store.Posts.WithMeta(ctx, "_EventHideFromUpcoming")
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	groups, err := s.Store.Posts.PostTranslations(ctx, &languages.Languages, ids)
	for _, id := range ids {
		if to, ok := groups[id].Into(id, s.language); ok && to != id {
			hidden = append(hidden, to)
		}
	}
	return hidden, err
}

// maxPage bounds numbers and sizes of pages.
const maxPage = 1 << 30

// listed returns the events of a list, a month or a day.
func (s *selection) listed(ctx context.Context) ([]int64, error) {
	f, site := s.feed, s.Place.Site
	q := wpstore.EventQuery{
		Occurrences: site.Facts.Occurrences, UTC: s.dates.utcDates(), Statuses: s.statuses(), Language: s.Place.In(s.language),
		Order:      wpstore.EventOrder{ByDuration: true, UTC: site.SiteMode(), Descending: f.Past},
		Categories: s.terms.categories.ids, Tags: s.terms.tags.ids, Limit: exporturl.Limit, Offset: f.Offset,
	}
	if f.Featured {
		q.Filters = append(q.Filters, wpstore.EventFilter{Name: wpstore.FilterFeatured})
	}
	if text := php.ToString(f.Search); text != "" {
		q.Search = calendar.SearchTerms(text)
		q.UnprotectedOnly = q.Search != nil && (!s.Viewer.Known() || !s.Place.Site.Compat.Exact()) // S9
	}
	var err error
	if q.Bounds, err = s.dates.bounds(ctx, s.Store.Events); err != nil {
		return nil, err
	}
	hidden, err := s.hidden(ctx)
	if err != nil {
		return nil, err
	}
	if len(hidden) > 0 {
		q.Filters = append(q.Filters, wpstore.EventFilter{Name: wpstore.FilterIDs, Lacks: true, IDs: hidden})
	}
	found, err := s.Store.Events.Events(ctx, q, nil)
	return found.IDs, err
}
