package rest

import (
	"encoding/json"
	"strings"
	"testing"
)

// send writes as a user and returns the response; a body that is not empty is JSON.
func (s *testSite) send(as, method, target, body string) answer {
	s.t.Helper()
	return s.do(ask{method: method, target: target, as: as, contentType: "application/json", body: body})
}

// TestNoTrash: where the site has no trash an event is gone with all that belongs
// to it, and the response reports that it is missing.
func TestNoTrash(t *testing.T) {
	s := newTestSite(t, func(c *Config) { c.NoTrash = true })
	s.addUser(90, "boss", "administrator")
	s.insert("comments", row{"comment_ID": 1, "comment_post_ID": 101, "comment_content": "x", "comment_author": "x"})
	s.insert("posts", row{"ID": 5001, "post_parent": 101, "post_type": "revision", "post_status": "inherit", "post_author": 1})
	if n := s.column("SELECT COUNT(*) FROM wp_term_relationships WHERE object_id = 101"); n == "0" {
		t.Fatal("the event has no terms")
	}
	a := s.send("boss", "DELETE", "events/101", "")
	if a.outcome() != "500 event-not-found" {
		t.Errorf("%s: %s", a.outcome(), a.body)
	}
	for _, where := range []string{
		"posts WHERE ID = 101 OR post_parent = 101", "postmeta WHERE post_id = 101", "comments WHERE comment_post_ID = 101",
		"term_relationships WHERE object_id = 101", "tec_events WHERE post_id = 101", "tec_occurrences WHERE post_id = 101",
	} {
		if n := s.column("SELECT COUNT(*) FROM wp_" + where); n != "0" {
			t.Errorf("%s: %s rows left", where, n)
		}
	}
	if a := s.send("boss", "DELETE", "events/101", ""); a.outcome() != "404 rest-event-not-found" {
		t.Errorf("again: %s", a.outcome())
	}
}

// TestRevisionsKept checks that the newest revisions stay, as many as wp-config.php allows.
func TestRevisionsKept(t *testing.T) {
	for _, c := range []struct {
		revisions int
		want      string
	}{{0, "3"}, {2, "2"}, {-1, "0"}} {
		s := newTestSite(t, func(cfg *Config) { cfg.Revisions = c.revisions })
		s.addUser(90, "boss", "administrator")
		for _, title := range []string{"One", "Two", "Three"} {
			if a := s.send("boss", "PUT", "events/101", `{"title":"`+title+`"}`); a.status != 200 {
				t.Fatalf("%s: %s", a.outcome(), a.body)
			}
		}
		const where = " FROM wp_posts WHERE post_parent = 101 AND post_type = 'revision'"
		if n := s.column("SELECT COUNT(*)" + where); n != c.want {
			t.Errorf("keeping %d: %s revisions, want %s", c.revisions, n, c.want)
		}
		if c.want != "0" {
			if newest := s.column("SELECT post_title" + where + " ORDER BY ID DESC LIMIT 1"); newest != "Three" {
				t.Errorf("keeping %d: the newest is %q", c.revisions, newest)
			}
		}
	}
}

// TestWriteWithoutCalendarTables: a site that has not moved to the calendar's own
// tables keeps its dates in the metadata alone.
func TestWriteWithoutCalendarTables(t *testing.T) {
	s := newTestSite(t)
	s.addUser(90, "boss", "administrator")
	s.exec("DROP TABLE wp_tec_occurrences")
	s.exec("DROP TABLE wp_tec_events")
	a := s.send("boss", "POST", "events", `{"title":"New","start_date":"2027-03-01 10:00","end_date":"2027-03-01 11:00"}`)
	if a.status != 201 {
		t.Fatalf("%s: %s", a.outcome(), a.body)
	}
	id := a.json("id")
	for _, step := range [][2]string{{"PUT", `{"title":"Newer"}`}, {"DELETE", ""}} {
		if a := s.send("boss", step[0], "events/"+id, step[1]); a.status != 200 {
			t.Errorf("%s: %s: %s", step[0], a.outcome(), a.body)
		}
	}
}

// TestAllowAfterWrite: the methods that a response allows are those that are left
// once the event has changed.
func TestAllowAfterWrite(t *testing.T) {
	s := newTestSite(t)
	s.addUser(90, "boss", "administrator")
	s.addUser(91, "helper", "contributor")
	a := s.send("helper", "POST", "events", `{"title":"Mine","start_date":"2027-03-01 10:00","end_date":"2027-03-01 11:00"}`)
	if a.status != 201 || a.json("status") != "draft" {
		t.Fatalf("%s: %s", a.outcome(), a.body)
	}
	id := a.json("id")
	a = s.send("helper", "PUT", "events/"+id, `{"title":"Given away","author":90}`)
	if a.status != 200 || a.header.Get("Allow") != "GET" {
		t.Errorf("%s, Allow: %s", a.outcome(), a.header.Get("Allow"))
	}
}

// TestEventRowIsKept: an update keeps the ids of the rows in the calendar's own tables,
// and a zone whose name is too long for its column is cut, as the reference's
// sessions do.
func TestEventRowIsKept(t *testing.T) {
	s := newTestSite(t)
	s.addUser(90, "boss", "administrator")
	a := s.send("boss", "POST", "events", `{"title":"New","start_date":"2027-03-01 10:00","end_date":"2027-03-01 11:00"}`)
	var made struct{ ID int64 }
	if err := json.Unmarshal([]byte(a.body), &made); err != nil || a.status != 201 {
		t.Fatalf("%s: %s", a.outcome(), a.body)
	}
	ids := func() [2]string {
		return [2]string{
			s.column("SELECT event_id FROM wp_tec_events WHERE post_id = ?", made.ID),
			s.column("SELECT occurrence_id FROM wp_tec_occurrences WHERE post_id = ?", made.ID),
		}
	}
	before := ids()
	a = s.send("boss", "PUT", "events/"+a.json("id"), `{"start_date":"2027-04-01 10:00","end_date":"2027-04-01 12:30","timezone":"America/Argentina/ComodRivadavia"}`)
	if a.status != 200 || ids() != before {
		t.Errorf("%s, ids %v, want %v", a.outcome(), ids(), before)
	}
	if got := s.column("SELECT start_date || ' ' || duration || ' ' || timezone FROM wp_tec_events WHERE post_id = ?", made.ID); got != "2027-04-01 10:00:00 9000 America/Argentina/ComodRivadav" {
		t.Errorf("row %s", got)
	}
}

// TestVenueOfBlocks checks that a change of an event that names no venue keeps the venue's row, unless
// the content is one of the block editor: then the same venue gets a new row.
func TestVenueOfBlocks(t *testing.T) {
	const venueRows = "SELECT COALESCE(GROUP_CONCAT(meta_id || ':' || meta_value), '') FROM wp_postmeta WHERE meta_key = '_EventVenueID' AND post_id = "
	for _, c := range []struct {
		name, body string
		renewed    bool
	}{
		{"no description", `{"title":"New"}`, false},
		{"plain description", `{"description":"<p>Text</p>"}`, false},
		{"blocks", `{"description":"<!-- wp:paragraph --><p>Text</p><!-- /wp:paragraph -->"}`, true},
		{"another comment", `{"description":"<!-- wp --><p>Text</p>"}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTestSite(t)
			s.addUser(90, "boss", "administrator")
			event := s.column("SELECT MIN(post_id) FROM wp_postmeta WHERE meta_key = '_EventVenueID' AND post_id IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish')")
			before := s.column(venueRows + event)
			if a := s.send("boss", "PUT", "events/"+event, c.body); a.status != 200 {
				t.Fatalf("%s: %s", a.outcome(), a.body)
			}
			after := s.column(venueRows + event)
			_, venue, _ := strings.Cut(before, ":")
			_, same, _ := strings.Cut(after, ":")
			if venue == "" || venue != same || (after != before) != c.renewed {
				t.Errorf("before %s, after %s", before, after)
			}
		})
	}
}
