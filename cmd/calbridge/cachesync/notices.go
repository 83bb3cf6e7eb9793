package cachesync

import (
	"calbridge/rest/notice"
	"calbridge/wpstore/coherence"
)

// Invalidate notes in the ledger what a notice of the companion plugin says has
// changed.
func (s *Sync) Invalidate(n notice.Notice) {
	if s == nil || n.Empty() {
		return
	}
	if n.All {
		s.ledger.Everything()
		return
	}
	var tags []coherence.Tag
	add := func(kind coherence.Kind, ids []int64, sets ...coherence.Kind) {
		if len(ids) == 0 {
			return
		}
		for _, id := range ids {
			tags = append(tags, coherence.Tag{Kind: kind, ID: id})
		}
		for _, set := range sets {
			tags = append(tags, coherence.Tag{Kind: set})
		}
	}
	add(coherence.Post, n.Posts, coherence.Posts, coherence.Events, coherence.Translations)
	add(coherence.Term, n.Terms, coherence.Terms, coherence.Translations)
	add(coherence.User, n.Users)
	if len(n.Taxonomies) > 0 {
		tags = append(tags, coherence.Tag{Kind: coherence.Terms})
	}
	if len(n.Options) > 0 {
		tags = append(tags, coherence.Tag{Kind: coherence.Site})
	}
	s.ledger.Changed(tags...)
}
