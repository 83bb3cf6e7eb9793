package rest

import (
	"fmt"
	"testing"
)

// TestChangesOfManyClients: clients that ask after another one are answered with what it got,
// as long as that is what they would get.
func TestChangesOfManyClients(t *testing.T) {
	s := newChangesSite(t)
	var clients []*syncer
	for _, as := range []string{"", "", "adela"} {
		for _, args := range []string{"per_page=50&start_date=2020-01-01", "per_page=3&start_date=2020-01-01", "categories=31&start_date=2020-01-01"} {
			clients = append(clients, newSyncer(as, args), newSyncer(as, args))
		}
	}
	for _, statement := range []string{
		"", // the first lists
		"UPDATE wp_posts SET post_title = 'Other' WHERE ID = 101",
		"UPDATE wp_posts SET post_title = 'Another' WHERE ID = 101",
		"UPDATE wp_posts SET post_title = 'Other place' WHERE ID = 201",
		"UPDATE wp_postmeta SET meta_value = 'Other street' WHERE post_id = 201 AND meta_key = '_VenueAddress'",
		"UPDATE wp_posts SET post_content = 'Now', post_password = 'x' WHERE ID = 103",
		"UPDATE wp_posts SET post_status = 'private' WHERE ID = 104",
	} {
		if statement != "" {
			s.exec(statement)
		}
		for n, r := range clients {
			r.finish(t, s)
			if d := r.differs(s); d != "" {
				t.Fatalf("client %d after %q: %s", n, statement, d)
			}
		}
	}
	if len(clients[0].copy) < 3 || fmt.Sprint(clients[0].copy) != fmt.Sprint(clients[1].copy) {
		t.Errorf("%d and %d events", len(clients[0].copy), len(clients[1].copy))
	}
}
