package rest

import (
	"net/http"
	"strings"
	"testing"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// oldSite returns the test site on MariaDB, with some tables altered to what old installations
// have.
func oldSite(t *testing.T, alter string, tables []string, changes ...func(*Config)) *testSite {
	t.Helper()
	s := testSiteOn(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, wptest.MariaDB(t))}}, changes...)
	s.fill()
	for _, table := range tables {
		s.exec("ALTER TABLE wp_" + table + " " + alter)
	}
	return s
}

// TestTablesWithoutTransactions: where a failed write would leave rows behind nothing is
// written, unless the setting accepts it, and as soon as the tables are converted.
func TestTablesWithoutTransactions(t *testing.T) {
	const body = `{"title":"Dance","start_date":"2027-01-10 10:00:00","end_date":"2027-01-10 11:00:00"}`
	for _, engine := range []string{"MyISAM", "Aria"} {
		s := oldSite(t, "ENGINE="+engine, []string{"posts"})
		before := s.column("SELECT COUNT(*) FROM wp_posts")
		for _, write := range []ask{{method: "POST", target: "events"}, {method: "PUT", target: "events/101"}, {method: "DELETE", target: "events/101"}} {
			if a := s.send("edita", write.method, write.target, body); a.outcome() != "503 calbridge_no_transactions" {
				t.Errorf("%s: %s: %s", engine, write.method, a.outcome())
			}
		}
		if got := s.column("SELECT COUNT(*) FROM wp_posts"); got != before {
			t.Errorf("%s: %s posts, then %s", engine, before, got)
		}
		if a := s.get("events/101"); a.status != http.StatusOK {
			t.Errorf("%s: reads: %s", engine, a.outcome())
		}
		s.exec("ALTER TABLE wp_posts ENGINE=InnoDB")
		if a := s.send("edita", "POST", "events", body); a.status != http.StatusCreated {
			t.Errorf("%s converted: %s", engine, a.outcome())
		}
	}
	s := oldSite(t, "ENGINE=MyISAM", []string{"postmeta"}, func(c *Config) { c.NoTransactions = true })
	if a := s.send("edita", "POST", "events", body); a.status != http.StatusCreated {
		t.Errorf("accepted: %s", a.outcome())
	}
}

// narrow are the tables with texts of clients.
var narrow = []string{"posts", "postmeta", "terms", "term_taxonomy", "options", "users", "usermeta", "termmeta", "term_relationships", "tec_events", "tec_occurrences"}

const toNarrow = "CONVERT TO CHARACTER SET utf8mb3 COLLATE utf8mb3_general_ci"

// TestNarrowTables: on tables of utf8mb3 nothing has characters of four bytes. What asks
// for them finds nothing; posts hold references, metadata loses the value, terms are
// refused.
func TestNarrowTables(t *testing.T) {
	s := oldSite(t, toNarrow, narrow)
	for _, target := range []string{"events?search=%s", "tags?search=%s", "categories?search=%s", "categories?slug=%s", "tags?slug=%s"} {
		if a := s.get(strings.ReplaceAll(target, "%s", "%F0%9F%98%80")); a.outcome() != "200" || a.json("total") != "0" {
			t.Errorf("%s: %s, total %s", target, a.outcome(), a.json("total"))
		}
	}
	for _, target := range []string{"events?tags=%s", "events?categories=%s"} {
		want := s.get(strings.ReplaceAll(target, "%s", "unheard-of")).outcome()
		if got := s.get(strings.ReplaceAll(target, "%s", "%F0%9F%98%80")).outcome(); got != want {
			t.Errorf("%s: %s, want %s as for any unknown term", target, got, want)
		}
	}
	for _, target := range []string{"venues?search=%s", "organizers?search=%s"} {
		if a := s.get(strings.ReplaceAll(target, "%s", "%F0%9F%98%80")); a.status != http.StatusOK {
			t.Errorf("%s: %s", target, a.outcome())
		}
	}
	const dates = `"start_date":"2027-05-01 10:00:00","end_date":"2027-05-01 12:00:00"`
	for _, c := range []struct {
		collection, body, outcome, path, want string
	}{
		{"events", `{"title":"Párty 🎉 večer",` + dates + `,"description":"Text 🎶 konec"}`, "201", "title", "Párty &#x1f389; večer"},
		{"events", `{"title":"Párty 🎉 večer",` + dates + `}`, "201", "slug", "party-%f0%9f%8e%89-vecer-2"},
		{"events", `{"title":"P",` + dates + `,"cost":"🎶 5"}`, "201", "cost", ""},
		{"events", `{"title":"P",` + dates + `,"tags":["🎶 5"]}`, "201", "tags", "[]"},
		{"events", `{"title":"P",` + dates + `,"venue":{"venue":"Sál 🎶","address":"Ulice 🚗","city":"Brno"}}`, "201", "venue.venue", "Sál &#x1f3b6;"},
		{"venues", `{"venue":"Sál 🏛️","address":"Ulice 🚗 1","city":"Brno"}`, "201", "venue", "Sál &#x1f3db;&#xfe0f;"},
		{"venues", `{"venue":"S","address":"Ulice 🚗 1","city":"Brno"}`, "201", "address", ""},
		{"organizers", `{"organizer":"Spolek 🎭","email":"a@example.org","phone":"📞 1"}`, "201", "phone", ""},
		{"tags", `{"name":"rodina 👨‍👩‍👧"}`, "500 db_insert_error", "data", "The database rejected: name"},
		{"tags", `{"name":"rodina","description":"👨‍👩‍👧"}`, "500 db_insert_error", "data", "The database rejected: description"},
		{"categories", `{"name":"rodina 👨‍👩‍👧"}`, "500 db_insert_error", "data", "The database rejected: name"},
	} {
		a := s.send("edita", "POST", c.collection, c.body)
		if a.outcome() != c.outcome || a.json(c.path) != c.want {
			t.Errorf("%s %s: %s, %s %q, want %s, %q", c.collection, c.body, a.outcome(), c.path, a.json(c.path), c.outcome, c.want)
		}
	}
	if got := s.column("SELECT COUNT(*) FROM wp_terms WHERE name LIKE 'rodina%'"); got != "0" {
		t.Errorf("%s terms were stored", got)
	}
	a := s.send("edita", "PUT", "events/101", `{"title":"Změna 🎄"}`)
	if got := s.column("SELECT post_title FROM wp_posts WHERE ID = 101"); a.outcome() != "200" || got != "Změna &#x1f384;" {
		t.Errorf("update: %s, %q", a.outcome(), got)
	}
	if a := s.send("edita", "PUT", "categories/34", `{"name":"🎄"}`); a.outcome() != "500 db_insert_error" {
		t.Errorf("a term's update: %s", a.outcome())
	}
	if got := s.column("SELECT COUNT(*) FROM wp_postmeta WHERE meta_value LIKE '%?%' AND meta_key IN ('_EventCost', '_VenueAddress', '_OrganizerPhone')"); got != "0" {
		t.Errorf("%s values with question marks", got)
	}
}

// TestUnknownCharset: over connections of utf8mb4, which WordPress may not use, texts that
// columns of latin1 can't hold are refused with the column, and nothing is written.
func TestUnknownCharset(t *testing.T) {
	s := oldSite(t, "CONVERT TO CHARACTER SET latin1 COLLATE latin1_swedish_ci", narrow)
	state := func() string {
		var counts []string
		for _, query := range []string{"SELECT COUNT(*) FROM wp_posts", "SELECT COUNT(*) FROM wp_postmeta", "SELECT COUNT(*) FROM wp_terms",
			"SELECT COUNT(*) FROM wp_postmeta WHERE meta_value LIKE '%?%'", "SELECT COUNT(*) FROM wp_posts WHERE post_title LIKE '%?%'"} {
			counts = append(counts, s.column(query))
		}
		return strings.Join(counts, " ")
	}
	before := state()
	const dates = `"start_date":"2027-05-01 10:00:00","end_date":"2027-05-01 12:00:00"`
	for _, c := range []struct{ method, target, body, column string }{
		{"POST", "events", `{"title":"Žluťoučký",` + dates + `}`, "wp_posts.post_title"},
		{"POST", "events", `{"title":"Café",` + dates + `}`, "wp_posts.post_title"}, // there is no known way to store é
		{"POST", "events", `{"title":"P",` + dates + `,"description":"Žlu"}`, "wp_posts.post_content"},
		{"POST", "events", `{"title":"P",` + dates + `,"cost":"🎶 5"}`, "wp_postmeta.meta_value"},
		{"POST", "events", `{"title":"P",` + dates + `,"tags":["Žlu"]}`, "wp_terms.name"},
		{"POST", "events", `{"title":"P",` + dates + `,"venue":{"venue":"S","city":"Říčany"}}`, "wp_postmeta.meta_value"},
		{"PUT", "events/101", `{"title":"Změna"}`, "wp_posts.post_title"},
		{"POST", "venues", `{"venue":"Sál"}`, "wp_posts.post_title"},
		{"POST", "organizers", `{"organizer":"Spolek ř"}`, "wp_posts.post_title"},
		{"POST", "tags", `{"name":"Žlu"}`, "wp_terms.name"},
		{"POST", "categories", `{"name":"x","description":"Žlu"}`, "wp_term_taxonomy.description"},
		{"PUT", "categories/34", `{"name":"Žlu"}`, "wp_terms.name"},
	} {
		a := s.send("edita", c.method, c.target, c.body)
		if a.outcome() != "503 calbridge_charset" || !strings.Contains(a.json("message"), c.column) {
			t.Errorf("%s %s %s: %s %s, want %s", c.method, c.target, c.body, a.outcome(), a.json("message"), c.column)
		}
	}
	if got := state(); got != before {
		t.Errorf("posts, metadata, terms and question marks: %s, then %s", before, got)
	}
	if a := s.send("edita", "POST", "events", `{"title":"Plain",`+dates+`}`); a.status != http.StatusCreated {
		t.Errorf("ASCII: %s", a.outcome())
	}
	for _, target := range []string{"events?search=Žlu", "tags?search=Žlu", "categories?slug=Žlu", "venues?search=Žlu"} {
		if a := s.get(strings.ReplaceAll(target, "Ž", "%C5%BD")); a.outcome() != "200" {
			t.Errorf("%s: %s", target, a.outcome())
		}
	}
}
