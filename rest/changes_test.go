package rest

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sqlconn"
)

// TestChanges: the list, what has changed, and nothing.
func TestChanges(t *testing.T) {
	s := newChangesSite(t)
	r := newSyncer("", "per_page=2&start_date=2020-01-01")
	r.finish(t, s)
	if d := r.differs(s); d != "" {
		t.Fatal(d)
	}
	if len(r.copy) < 3 {
		t.Fatalf("%d events", len(r.copy))
	}
	t.Log(len(r.copy), r.reasons)
	for _, statement := range []string{
		"UPDATE wp_posts SET post_title = 'Other' WHERE ID = 101",
		"UPDATE wp_posts SET post_status = 'draft' WHERE ID = 102",
		"UPDATE wp_posts SET post_title = 'Other place' WHERE ID = 201",
		"UPDATE wp_terms SET name = 'Other music' WHERE term_id = 31",
		"UPDATE wp_posts SET post_password = 'x' WHERE ID = 103",
		"DELETE FROM wp_posts WHERE ID = 104",
	} {
		s.exec(statement)
		r.finish(t, s)
		if d := r.differs(s); d != "" {
			t.Fatalf("%s: %s", statement, d)
		}
	}
	t.Log(len(r.copy), r.reasons)
}

// TestChangesFromNow checks that a client that has the list, or needs none, gets a token without it, and with
// that what changes later.
func TestChangesFromNow(t *testing.T) {
	s := newChangesSite(t)
	listed, r := newSyncer("", "start_date=2020-01-01"), newSyncer("", "start_date=2020-01-01")
	listed.finish(t, s)
	r.sync = "now"
	if r.finish(t, s); len(r.copy) > 0 {
		t.Fatalf("%d events", len(r.copy))
	}
	r.copy = listed.copy
	s.exec("UPDATE wp_posts SET post_title = 'Other' WHERE ID = 101")
	s.exec("UPDATE wp_posts SET post_status = 'draft' WHERE ID = 102")
	r.finish(t, s)
	if d := r.differs(s); d != "" || r.restarts > 0 {
		t.Error(d, r.restarts)
	}
}

// TestLeftByTimeAndHidden: an event that has left the list by time, and is hidden while a client
// fetches the pages of a sync, leaves the client's copy.
func TestLeftByTimeAndHidden(t *testing.T) {
	for _, statement := range []string{"UPDATE wp_posts SET post_password = 'x' WHERE ID = 103", "UPDATE wp_posts SET post_status = 'draft' WHERE ID = 103", "DELETE FROM wp_posts WHERE ID = 103"} {
		s := embeddedChangesSite(t, sqlconn.Config{}, true)
		tomorrow := testNow.AddDate(0, 0, 1).Format(time.DateTime)
		s.exec("UPDATE wp_tec_occurrences SET start_date = ?, start_date_utc = ? WHERE post_id = 103", tomorrow, tomorrow)
		r := newSyncer("", "per_page=1")
		r.finish(t, s)
		if r.copy[103] == "" || len(r.copy) < 3 {
			t.Fatalf("the copy has %d events", len(r.copy))
		}
		s.late.Add(3 * 24 * 3600)
		s.exec("UPDATE wp_posts SET post_title = 'Other' WHERE ID IN (101, 102)")
		if done, status := r.step(t, s); done || status != 200 {
			t.Fatalf("status %d, done %t", status, done)
		}
		s.exec(statement)
		r.finish(t, s)
		if d := r.differs(s); d != "" {
			t.Errorf("%s: %s", statement, d)
		}
	}
}

// TestChangesOverRestarts: tokens outlive a restart, with what has changed meanwhile. Where
// something may have been missed, they are refused with the reason.
func TestChangesOverRestarts(t *testing.T) {
	s := newChangesSite(t)
	clients := []*syncer{newSyncer("", "per_page=2&start_date=2020-01-01"), newSyncer("adela", "start_date=2020-01-01&status=draft,publish&per_page=50"), newSyncer("", "categories=31&start_date=2020-01-01")}
	check := func(what string) {
		t.Helper()
		for _, r := range clients {
			r.finish(t, s)
			if d := r.differs(s); d != "" {
				t.Fatalf("%s: %s", what, d)
			}
		}
	}
	check("at first")
	restart := func(meanwhile ...string) {
		s.stop()
		for _, statement := range meanwhile {
			s.exec(statement)
		}
		s.start()
	}
	for _, test := range []struct {
		what   string
		do     func()
		reason string // of the first client, "" if its token goes on
	}{
		{"a write before", func() { s.exec("UPDATE wp_posts SET post_title = 'One' WHERE ID = 101"); check("a write"); restart() }, ""},
		{"nothing", func() { restart() }, ""},
		{"a title", func() { restart("UPDATE wp_posts SET post_title = 'Two' WHERE ID = 101") }, ""},
		{"a status", func() { restart("UPDATE wp_posts SET post_status = 'draft' WHERE ID = 102") }, ""},
		{"a venue", func() { restart("UPDATE wp_posts SET post_title = 'Elsewhere' WHERE ID = 201") }, ""},
		{"a category", func() {
			restart("UPDATE wp_terms SET name = 'Renamed' WHERE term_id = 31", "INSERT INTO wp_terms (term_id, name, slug) VALUES (990, 'New', 'new')",
				"INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (1990, 990, 'tribe_events_cat', '')",
				"INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (103, 1990)")
		}, ""},
		{"came and went", func() {
			restart("UPDATE wp_posts SET post_status = 'publish' WHERE ID = 102", "UPDATE wp_posts SET post_status = 'draft' WHERE ID = 102")
		}, ""},
		{"deleted", func() { restart("DELETE FROM wp_posts WHERE ID = 103", "DELETE FROM wp_postmeta WHERE post_id = 103") }, ""},
		{"written and not asked", func() { s.exec("UPDATE wp_posts SET post_title = 'Three' WHERE ID = 101"); restart() }, ""},
		{"an option", func() {
			restart("UPDATE wp_options SET option_value = 'Another village' WHERE option_name = 'blogname'")
		}, "site"},
		{"a table", func() { restart("ALTER TABLE wp_posts ADD COLUMN extra int") }, "site"},
		{"the log", func() { restart("RESET MASTER") }, "gap or site"}, // by what is noticed first: its rows or its end
		{"another write", func() { s.exec("UPDATE wp_posts SET post_title = 'Four' WHERE ID = 101"); check("a write") }, ""},
		{"the file", func() {
			s.stop()
			if err := os.RemoveAll(s.dir); err != nil {
				t.Fatal(err)
			}
			s.start()
		}, "foreign"},
	} {
		test.do()
		before := maps.Clone(clients[0].reasons)
		check(test.what)
		refused, want := 0, 0
		if test.reason != "" {
			want = 1
		}
		for reason, n := range clients[0].reasons {
			if n -= before[reason]; n > 0 && slices.Contains(strings.Split(test.reason, " or "), reason) {
				refused += n
			} else if n > 0 {
				want = -1
			}
		}
		if refused != want {
			t.Errorf("%s: %v", test.what, clients[0].reasons)
		}
	}
}
