package polylang_test

import (
	"testing"

	"calbridge/wpstore"
)

func TestWritesPosts(t *testing.T) {
	s := newSite(t)
	w := s.writer(false)
	post := &wpstore.Post{ID: 54, Status: "publish"}
	s.exec("INSERT INTO wp_posts (ID, post_type, post_status) VALUES (54, 'tribe_events', 'publish')")
	s.holds("created in German", relationships, "50 11\n50 41\n51 12\n51 41\n52 12\n54 12", w.PostCreated(t.Context(), post, true))
	s.holds("counted", counts, "12 2", nil) // without the draft
	s.exec("UPDATE wp_posts SET post_status = 'publish' WHERE ID = 52")
	s.holds("published", counts, "12 3", w.PostUpdated(t.Context(), &wpstore.Post{ID: 52, Status: "draft"}, &wpstore.Post{ID: 52, Status: "publish"}, false))
	s.holds("without another status", counts, "12 3", w.PostUpdated(t.Context(), post, post, false))
	s.holds("deleted", relationships, "50 11\n50 41\n52 12\n54 12", w.PostDeleting(t.Context(), &wpstore.Post{ID: 51}))
	s.holds("out of the group", groups, "40 a:2:{s:2:\"cs\";i:20;s:2:\"de\";i:21;}\n41 a:2:{s:2:\"cs\";i:50;s:2:\"fr\";i:50;}", nil)
	s.holds("deleted without a group", relationships, "50 11\n50 41\n52 12", w.PostDeleting(t.Context(), post))
	s.holds("the last of a group", groups, "40 a:2:{s:2:\"cs\";i:20;s:2:\"de\";i:21;}", w.PostDeleting(t.Context(), &wpstore.Post{ID: 50}))
	if err := w.Finish(t.Context()); err != nil || !w.ResortsTags() {
		t.Error(err)
	}
}
