package rest

import (
	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/render"
)

// remembers says whether the answer is to be as forgetful as WPML makes it.
func (c *call) remembers() bool {
	return c.req.Place.Site.Languages.Plugin == i18n.WPML && c.req.Place.Site.Compat.Faithful()
}

// answerOf notes what the answer shows of an event that was saved: the links of
// before, or the first of the new ones, and the date before it followed that of
// the original.
func (w *eventWrite) answerOf(before map[string][]string) {
	if !w.remembers() {
		return
	}
	a := &render.Override{ID: w.edit.ID, Links: map[string][]string{}, Counts: w.counts, Date: w.edit.Date, DateGMT: w.edit.DateGMT}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		links := before[kind.LinkKey]
		if len(links) == 0 {
			if links = w.edit.Meta.All(kind.LinkKey); len(links) > 1 {
				links = links[:1]
			}
		}
		a.Links[kind.LinkKey] = links
	}
	w.answer = a
}

// linksNow are the links of the event as they are.
func (w *eventWrite) linksNow() map[string][]string {
	links := map[string][]string{}
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		links[kind.LinkKey] = w.edit.Meta.All(kind.LinkKey)
	}
	return links
}

// countTerms notes the counts of the event's terms before they are assigned, which
// the answer then shows: WPML makes it so where a venue or an organizer is made
// along with the event.
func (w *eventWrite) countTerms() error {
	if !w.remembers() || !w.madeLinked {
		return nil
	}
	w.counts = map[int64]int64{}
	for _, set := range w.edit.Terms {
		found, err := w.tx.Terms(w.ctx, set.Taxonomy, set.IDs)
		if err != nil {
			return err
		}
		for id, t := range found {
			w.counts[id] = t.Count
		}
	}
	return nil
}

// translatedLinks replaces posts that the event links to by what WPML shows of
// them at this root, which is what the reference then looks for in the rows.
func (w *eventWrite) translatedLinks(ids []int64) ([]int64, error) {
	if !w.remembers() || len(ids) == 0 {
		return ids, nil
	}
	groups, err := w.tx.PostTranslations(w.ctx, &w.req.Place.Site.Languages.Languages, ids)
	return i18n.Translate(ids, groups, w.req.Place.Lang.Root), err
}
