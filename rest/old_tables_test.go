package rest

import (
	"net/http"
	"testing"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// oldSite is the test site on MariaDB, with tables as old installations have them: each
// statement is run for each table, whose name replaces the question mark.
func oldSite(t *testing.T, alter string, tables []string, changes ...func(*Config)) *testSite {
	t.Helper()
	s := testSiteOn(t, sitedb.Config{Config: sqlconn.Config{DSN: wptest.MariaDB(t)}}, changes...)
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
