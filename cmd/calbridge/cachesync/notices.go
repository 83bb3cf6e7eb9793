package cachesync

import (
	"calbridge/rest/notice"
	"calbridge/wpstore/invalidation"
)

// Invalidate invalidates what a notice of the companion plugin names. It invalidates
// everything if the notice's number reveals that another notice is missing.
func (s *Sync) Invalidate(n notice.Notice) {
	if s == nil {
		return
	}
	if s.notices != nil && s.notices.arrived(n.Mark) || n.All {
		s.tracker.InvalidateAll()
		return
	}
	var tags []invalidation.Tag
	add := func(kind invalidation.Kind, ids []int64, sets ...invalidation.Kind) {
		if len(ids) == 0 {
			return
		}
		for _, id := range ids {
			tags = append(tags, invalidation.Tag{Kind: kind, ID: id})
		}
		for _, set := range sets {
			tags = append(tags, invalidation.Tag{Kind: set})
		}
	}
	add(invalidation.Post, n.Posts, invalidation.Posts, invalidation.Events, invalidation.Tickets, invalidation.Translations)
	add(invalidation.Term, n.Terms, invalidation.Terms, invalidation.Translations)
	add(invalidation.User, n.Users, invalidation.Users)
	if len(n.Taxonomies) > 0 {
		tags = append(tags, invalidation.Tag{Kind: invalidation.Terms})
	}
	if s.store.ShowsOptions(n.Options) {
		tags = append(tags, invalidation.Tag{Kind: invalidation.Site})
	}
	s.tracker.Invalidate(tags...)
}
