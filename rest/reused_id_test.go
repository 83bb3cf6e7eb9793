package rest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// TestReusedID deletes a post by SQL, which leaves all rows that hang on it, and sets the table
// back to its id. A POST that gets the id is answered with what every later read shows; each
// meta key has one row, and terms are counted with it.
func TestReusedID(t *testing.T) {
	for _, engine := range wptest.Engines() {
		for _, plugin := range []string{"none", "wpml", "polylang"} {
			t.Run(engine+"/"+plugin, func(t *testing.T) {
				s := reusedSite(t, engine)
				switch plugin {
				case "wpml":
					s.useWPML()
					if engine == "mariadb" {
						s.exec("ALTER TABLE wp_icl_translations MODIFY translation_id bigint AUTO_INCREMENT")
					}
					s.fileTermsUnderWPML()
				case "polylang":
					s.fileTermsUnderPolylang(s.usePolylang())
				}
				s.reuseIDs(engine, func() {})
			})
		}
	}
}

// TestReusedIDWhereKnown does the same where the binary log is followed, and posts of greater ids
// are known to have no rows.
func TestReusedIDWhereKnown(t *testing.T) {
	if !slices.Contains(wptest.Engines(), "mariadb") {
		t.Skip("no server")
	}
	s := newCountingSite(t, wptest.Replicated(t), true)
	s.addUser(90, "boss", "administrator")
	caughtUp := s.follow()
	caughtUp()
	s.reuseIDs("mariadb", caughtUp)
}

func reusedSite(t *testing.T, engine string) *testSite {
	dsn := "sqlite::memory:"
	if engine == "mariadb" {
		dsn = wptest.MariaDB(t)
	}
	s := testSiteOn(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}, Tracker: invalidation.NewTracker()})
	s.fill()
	s.addUser(90, "boss", "administrator")
	return s
}

// reuseIDs gives the ids of an event, a venue and an organizer again. caughtUp waits until what
// others have written is known.
func (s *testSite) reuseIDs(engine string, caughtUp func()) {
	for _, c := range []struct{ collection, first, second string }{
		{"events",
			`{"title":"First","start_date":"2027-06-05 19:00","end_date":"2027-06-06 21:00","all_day":true,"categories":[34],"tags":[41],"venue":201,"organizer":[301,302],"cost":"$5","featured":true,"hide_from_listings":true}`,
			`{"title":"Second","start_date":"2027-08-05 10:00","end_date":"2027-08-05 11:00","tags":[41],"organizer":[301],"website":"https://example.org/"}`},
		{"events",
			`{"title":"Third","start_date":"2027-06-05 19:00","end_date":"2027-06-05 21:00","categories":[34],"website":"https://example.org/3"}`,
			`{"title":"Fourth","start_date":"2027-09-05 19:00","end_date":"2027-09-05 21:00","all_day":true,"cost":"$7","tags":"new one"}`},
		{"venues", `{"venue":"First hall","city":"Praha","phone":"1"}`, `{"venue":"Second hall","city":"Brno"}`},
		{"organizers", `{"organizer":"First club","email":"a@example.org"}`, `{"organizer":"Second club","phone":"2"}`},
	} {
		id := s.posted(c.collection, c.first)
		caughtUp()
		s.exec("DELETE FROM wp_posts WHERE ID = ?", id)
		if engine == "sqlite" {
			s.exec("UPDATE sqlite_sequence SET seq = ? WHERE name = 'wp_posts'", id-1)
		} else {
			s.exec(fmt.Sprintf("ALTER TABLE wp_posts AUTO_INCREMENT = %d", id))
		}
		caughtUp()
		if c.collection == "events" && s.column("SELECT COUNT(*) FROM wp_postmeta WHERE post_id = ?", id) == "0" {
			s.t.Fatal("the event has left nothing")
		}
		again := s.postedID(c.collection, c.second, id)
		caughtUp()
		var later map[string]any
		got := s.do(ask{target: fmt.Sprintf("%s/%d", c.collection, id), as: "boss"})
		if err := json.Unmarshal([]byte(got.body), &later); err != nil {
			s.t.Fatal(err)
		}
		withoutStructuredData(again)
		withoutStructuredData(later)
		for key, value := range again {
			if !reflect.DeepEqual(value, later[key]) {
				s.t.Errorf("%s %s: the response has %s %v, a later read %v", engine, c.collection, key, value, later[key])
			}
		}
		if twice := s.column(`SELECT COALESCE(MIN(meta_key), '') FROM (SELECT meta_key FROM wp_postmeta WHERE post_id = ? GROUP BY meta_key HAVING COUNT(*) > 1) twice`, id); twice != "" {
			s.t.Errorf("%s %s: two rows of %s", engine, c.collection, twice)
		}
		if wrong := s.column(`SELECT COUNT(*) FROM wp_term_taxonomy tt WHERE taxonomy IN ('post_tag', 'tribe_events_cat') AND term_taxonomy_id IN (SELECT term_taxonomy_id FROM wp_term_relationships WHERE object_id = ?)
			AND count <> (SELECT COUNT(*) FROM wp_term_relationships tr JOIN wp_posts p ON p.ID = tr.object_id WHERE tr.term_taxonomy_id = tt.term_taxonomy_id AND p.post_status = 'publish' AND p.post_type IN ('tribe_events', 'post'))`, id); wrong != "0" {
			s.t.Errorf("%s %s: %s counts are wrong", engine, c.collection, wrong)
		}
	}
}

// withoutStructuredData removes what a single object has and a written one lacks.
func withoutStructuredData(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "json_ld")
		for _, member := range v {
			withoutStructuredData(member)
		}
	case []any:
		for _, member := range v {
			withoutStructuredData(member)
		}
	}
}

// posted makes a post and returns its id.
func (s *testSite) posted(collection, body string) int64 {
	s.t.Helper()
	return int64(s.postedID(collection, body, 0)["id"].(float64))
}

// postedID makes a post and returns the response. It fails for another id than want, unless that
// is 0.
func (s *testSite) postedID(collection, body string, want int64) (made map[string]any) {
	s.t.Helper()
	got := s.send("boss", "POST", collection, body)
	if err := json.Unmarshal([]byte(got.body), &made); err != nil || got.status != 201 {
		s.t.Fatalf("%s: %d %s", collection, got.status, got.body)
	}
	for _, id := range []string{"id", "ID"} {
		if n, ok := made[id].(float64); ok && want != 0 && int64(n) != want {
			s.t.Fatalf("%s: id %v, want %d", collection, n, want)
		}
	}
	return made
}
