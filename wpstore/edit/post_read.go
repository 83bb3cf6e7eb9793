package edit

import (
	"context"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// updated is what an update depends on besides the row and its metadata.
type updated struct {
	tagsChanged bool
	// linked are ids of venues and organizers, heads those of them that exist.
	linked []int64
	heads  map[int64]wpstore.PostHead
	newest *wpstore.Post // revision; nil for none
	// terms are all terms of the post, nil where they need not be counted or are about to change.
	terms rowedit.TermsOfPost
}

// readRest reads what an update depends on besides the row and its metadata, in one round trip.
func (s *save) readRest(ctx context.Context) (u updated, err error) {
	p, b := s.posts, sqlconn.NewBatch(s.posts.rows.Runner)
	var quoted int64
	if s.post.Type == wpstore.EventType {
		p.terms.queueQuotedTags(b, s.post.ID, &quoted)
		u.linked, u.heads = p.linked(s.post), map[int64]wpstore.PostHead{}
		if err := p.heads.QueueHeads(b, u.linked, u.heads); err != nil {
			return u, err
		}
	}
	p.revisions.queueNewest(b, s.post.ID, &u.newest)
	if s.post.stored.Status != s.post.Status && len(s.post.Terms) == 0 {
		u.terms = rowedit.TermsOfPost{}
		p.terms.terms.QueueOfPost(b, s.post.ID, u.terms)
	}
	if s.trashing {
		s.comments = &php.Array{}
		s.queueComments(b)
	}
	if err := b.Send(ctx); err != nil {
		return u, err
	}
	if s.post.Type == wpstore.EventType {
		u.tagsChanged, err = p.terms.tagsChanged(ctx, s.post.ID, quoted > 0)
	}
	return u, err
}
