package edit

import (
	"context"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wpsite"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sitedb"
)

// showsOldRows reports whether the response shows some of the rows as they were before the write,
// as WPML's caches do (known difference F7).
func showsOldRows(place *wpsite.Place) bool {
	return place.Site.Languages.Plugin == i18n.WPML && !place.Site.Compat.Fixed()
}

// linkRows returns the stored links of an event, to its venue and to its organizers.
func linkRows(m *rowedit.MetaEdit) [2][]string {
	return [2][]string{m.All(api.Venues.LinkKey), m.All(api.Organizers.LinkKey)}
}

// termCounts returns the counts of an event's terms before they are assigned, which the response
// shows if a venue or an organizer was made with the event.
func termCounts(ctx context.Context, tx *sitedb.Tx, sets []wpedit.PostTermSet) (map[int64]int64, error) {
	counts := map[int64]int64{}
	for _, set := range sets {
		found, err := tx.Terms.Terms(ctx, set.Taxonomy, set.IDs)
		if err != nil {
			return nil, err
		}
		for id, t := range found {
			counts[id] = t.Count
		}
	}
	return counts, nil
}

// oldRows returns what the response shows instead of the rows of a saved event: the old links, or
// the first of the new ones, and the date before it followed that of the original.
func oldRows(e *wpedit.PostEdit, before [2][]string, counts map[int64]int64) *render.Override {
	o := &render.Override{ID: e.ID, Links: map[string][]string{}, Counts: counts, Date: e.Date, DateGMT: e.DateGMT}
	after := linkRows(e.Meta)
	for i, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		links := before[i]
		if len(links) == 0 {
			links = after[i][:min(1, len(after[i]))]
		}
		o.Links[kind.LinkKey] = links
	}
	return o
}
