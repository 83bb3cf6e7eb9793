package rest

import "testing"

// TestChangedGallery: an event with a gallery of what is attached to it changes with any post,
// since nobody knows which will be attached next. That is a change of this event, and no reason
// to fetch the whole list again.
func TestChangedGallery(t *testing.T) {
	s := newChangesSite(t)
	s.exec("UPDATE wp_posts SET post_content = 'Pictures [gallery id=\"101\"]', post_status = 'publish', post_password = '' WHERE ID = 101")
	clients := []*syncer{newSyncer("", "start_date=2020-01-01"), newSyncer("adela", "start_date=2020-01-01&per_page=3"), newSyncer("", "start_date=2020-01-01&featured=true")}
	for _, r := range clients {
		r.finish(t, s)
	}
	if clients[0].copy[101] == "" {
		t.Fatal("the list lacks the event with a gallery")
	}
	const attached = "INSERT INTO wp_posts (post_type, post_status, post_author, post_title, post_name, post_parent, post_mime_type, guid, post_content, post_excerpt, to_ping, pinged, post_content_filtered, post_date, post_date_gmt, post_modified, post_modified_gmt)" +
		" SELECT 'attachment', 'inherit', post_author, 'Picture', 'picture', 101, 'image/jpeg', 'https://village.example/picture.jpg', '', '', '', '', '', post_date, post_date_gmt, post_modified, post_modified_gmt FROM wp_posts WHERE ID = 401"
	const pictured = "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT (SELECT MAX(ID) FROM wp_posts), meta_key, meta_value FROM wp_postmeta WHERE post_id = 401"
	for _, statement := range []string{
		attached,
		pictured,
		"UPDATE wp_posts SET post_title = 'Another' WHERE ID = 102",
		"UPDATE wp_posts SET post_content = '' WHERE ID = 101",
		"UPDATE wp_posts SET post_content = '[gallery id=\"103\"]' WHERE ID = 103",
		"UPDATE wp_posts SET post_title = 'One more' WHERE ID = 104",
		"UPDATE wp_posts SET post_status = 'draft' WHERE ID = 103",
	} {
		before := clients[0].copy[101]
		s.exec(statement)
		for _, r := range clients {
			r.finish(t, s)
			if d := r.differs(s); d != "" {
				t.Errorf("after %s: %s", statement, d)
			}
			if r.restarts > 0 {
				t.Fatalf("after %s: the whole list again: %v", statement, r.reasons)
			}
		}
		if statement == pictured && clients[0].copy[101] == before {
			t.Errorf("the gallery shows no new picture: %s", clients[0].copy[101])
		}
	}
}
