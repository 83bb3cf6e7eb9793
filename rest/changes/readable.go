package changes

import (
	"context"
	"fmt"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
)

// What an event shows besides its own rows, such as its venue, counts as changed for a client
// only if that client may read it before or after the change. Otherwise a message about the event
// would tell that something changed which the client must not know of.

// readablePosts returns the posts other than events that have changed for the client.
func (s *session) readablePosts(changed *journal.Changes) (ids []int64) {
	for i := range changed.Posts {
		var seen sights
		for _, e := range changed.Posts[i].Exposures {
			seen.add(s.sight(changed.Posts[i].ID, e))
		}
		if seen.differ() {
			ids = append(ids, changed.Posts[i].ID)
		}
	}
	return ids
}

// readableEvents returns the events that have changed for the client, where others show them.
func (s *session) readableEvents(changed *journal.Changes) (ids []int64) {
	for i := range changed.Events {
		e := &changed.Events[i]
		var seen sights
		for k := range e.States {
			x := wpstore.Exposure{Type: wpstore.EventType, Status: e.States[k].Status, Author: e.States[k].Author}
			if e.States[k].Protected {
				x.Behind = "protected"
			}
			seen.add(s.sight(e.ID, &x))
		}
		if !e.Existed || e.Gone {
			seen.add(unseen)
		}
		if seen.differ() {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// readableTags returns those of what has changed for the client, including events. Sets of
// posts change with each post; they count if one that the client may read has changed, or if it
// isn't known which have.
func (s *session) readableTags(changed *journal.Changes) []invalidation.Tag {
	ids := append(s.readablePosts(changed), s.readableEvents(changed)...)
	sets := len(ids) > 0 || len(changed.Posts)+len(changed.Events) == 0
	var tags []invalidation.Tag
	for _, tag := range changed.Tags {
		switch tag.Kind {
		case invalidation.Posts, invalidation.Events:
			if !sets {
				continue
			}
		case invalidation.Translations:
			if !sets && len(changed.Terms) == 0 {
				continue
			}
		}
		tags = append(tags, tag)
	}
	for _, id := range ids {
		tags = append(tags, invalidation.Tag{Kind: invalidation.Post, ID: id})
	}
	return tags
}

// notice is what a client may notice of changes: anything, and among it events themselves.
type notice struct{ any, events bool }

// noticed returns what the client may notice of what has changed between two positions. It may
// notice all where that isn't known.
func (s *session) noticed(ctx context.Context, from journal.Position, upTo int64) (notice, error) {
	if from.Seq == upTo {
		return notice{}, nil
	}
	changed, err := s.Journal.Since(ctx, from, upTo, maxCandidates)
	if _, unknown := unusable(err); unknown {
		return notice{true, true}, nil
	}
	if err != nil {
		return notice{}, err
	}
	return notice{any: len(s.readableTags(changed)) > 0, events: len(s.readableEvents(changed)) > 0}, nil
}

// sight is what a client sees of a post: nothing, all, or what is shown without its password.
type sight string

const (
	unseen sight = ""
	whole  sight = "whole"
)

// sight returns what the client sees of a post with an exposure, nil where there is none.
func (s *session) sight(id int64, e *wpstore.Exposure) sight {
	switch {
	case e == nil:
		return unseen
	case e.Type == wpstore.AttachmentType: // files are shown whatever they are attached to
		return whole
	case e.Type == "wp_block" && (e.Status != "publish" || e.Behind != ""): // texts include published ones only
		return unseen
	case !s.r.Viewer.Reads(&wpstore.Post{ID: id, Type: e.Type, Status: e.Status, Author: e.Author}):
		return unseen
	case e.Behind != "":
		return sight(fmt.Sprint("behind a password: ", e.Status, " ", e.Author, " ", e.Behind)) // status and author are shown
	}
	return whole
}

// sights are what a client has seen of a post, one after another.
type sights struct {
	first   sight
	any     bool
	changed bool
}

func (s *sights) add(x sight) {
	s.changed = s.changed || x == whole || s.any && x != s.first
	if !s.any {
		s.first, s.any = x, true
	}
}

// differ reports whether the client may see a difference.
func (s *sights) differ() bool { return s.changed }
