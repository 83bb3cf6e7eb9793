package rest

import (
	"testing"

	"calbridge/wpstore/sqlconn"
)

// TestChangesAlone: the bytes of an event don't depend on which other events are sent with it:
// a copy that followed changes, or the stream, equals one that was fetched by pages of any size.
// Blocks, galleries and players change how later texts of one list are rendered.
func TestChangesAlone(t *testing.T) {
	s := embeddedChangesSite(t, sqlconn.Config{}, true)
	text := func(id int, content string) {
		t.Helper()
		s.exec("UPDATE wp_posts SET post_content = ?, post_status = 'publish', post_password = '' WHERE ID = ?", content, id)
	}
	const picture = "[caption id=\"attachment_401\" width=\"300\"]<img class=\"wp-image-401\" src=\"https://village.example/mill.jpg\" width=\"1200\" height=\"800\"> Mill[/caption]"
	text(101, "<!-- wp:paragraph --><p>Blocks</p><!-- /wp:paragraph -->\n\n<!-- wp:group {\"layout\":{\"type\":\"flex\"}} --><div class=\"wp-block-group\"></div><!-- /wp:group -->")
	text(102, "Classic\n\n"+picture+"\n\n[gallery ids=\"401\"]\n\n[gallery ids=\"401,402\"]")
	text(103, picture+"\n\n[gallery id=\"101\"]\n\n[audio src=\"https://village.example/a.mp3\"]")
	text(104, "First "+picture+"\n\n[video src=\"https://village.example/a.mp4\"]\n\n[gallery ids=\"402\"]")
	const args = "start_date=2020-01-01"
	clients := map[string]*syncer{"pages of one": newSyncer("", args+"&per_page=1"), "one page": newSyncer("", args+"&per_page=50"), "a user's": newSyncer("adela", args+"&status=publish&per_page=3")}
	followed := follow(t, s, serveStreams(t, s), args)
	check := func(what string) {
		t.Helper()
		for name, r := range clients {
			r.finish(t, s)
			if d := r.differs(s); d != "" {
				t.Errorf("%s: %s: %s", what, name, d)
			}
		}
		followed.until(s)
		fresh := newSyncer("", args+"&per_page=3")
		fresh.finish(t, s)
		for id, json := range fresh.copy {
			for _, name := range []string{"pages of one", "one page"} {
				if clients[name].copy[id] != json {
					t.Errorf("%s: %s: event %d differs from a fresh copy:\n%.3000s\n%.3000s", what, name, id, clients[name].copy[id], json)
				}
			}
			if followed.copy[id] != json {
				t.Errorf("%s: event %d of the stream differs from a fresh copy:\n%.3000s\n%.3000s", what, id, followed.copy[id], json)
			}
		}
	}
	check("at first")
	if clients["one page"].copy[104] == "" {
		t.Fatal("the list lacks an event")
	}
	for _, ids := range []string{"104", "102, 104", "101, 102, 103, 104", "103"} {
		s.exec("UPDATE wp_posts SET post_title = CONCAT(post_title, '.') WHERE ID IN (" + ids + ")")
		check("after a change of " + ids)
	}
}
