package systemtest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/check"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestRecurringEvents checks that calbridge refuses a site with recurring events, by whichever sign
// they show: check fails, and serve passes requests on, or answers 503.
func TestRecurringEvents(t *testing.T) {
	wordpress := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`"WordPress"`))
	}))
	t.Cleanup(wordpress.Close)
	for _, c := range []struct {
		name string
		sql  []string
		sign string
	}{
		{"none", nil, ""},
		{"the option is off", []string{"INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('tec_events_recurrence_active', '0', 'on')"}, ""},
		{"the option", []string{"INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('tec_events_recurrence_active', '1', 'on')"}, "tec_events_recurrence_active"},
		{"no rules", []string{"ALTER TABLE wp_tec_events ADD COLUMN rset TEXT"}, ""},
		{"rules", []string{"ALTER TABLE wp_tec_events ADD COLUMN rset TEXT", "UPDATE wp_tec_events SET rset = 'RRULE:FREQ=DAILY' WHERE event_id = (SELECT MAX(event_id) FROM wp_tec_events)"}, "has rules of recurrence"},
		{"several occurrences", []string{"UPDATE wp_tec_occurrences SET post_id = (SELECT MIN(post_id) FROM wp_tec_occurrences) WHERE occurrence_id = (SELECT MAX(occurrence_id) FROM wp_tec_occurrences)"}, "more than one occurrence"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := sampleFile(t)
			db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}, Tables: table.Config{Prefix: "wp_"}})
			if err != nil {
				t.Fatal(err)
			}
			for _, statement := range c.sql {
				if result, err := db.SQL().Exec(statement); err != nil {
					t.Fatal(err)
				} else if n, _ := result.RowsAffected(); n == 0 && !strings.HasPrefix(statement, "ALTER") {
					t.Fatalf("no row was changed by %s", statement)
				}
			}
			db.Close()
			args := []string{"--dsn", "sqlite:" + file}
			code, found := checkReport(t, args...)
			f := found["calendar.recurrence"]
			if recurs := c.sign != ""; recurs != (f.Status == check.StatusFail) || recurs != (code == cmdline.Failed) || !strings.Contains(f.Found, c.sign) {
				t.Errorf("check: exit %d: %+v", code, f)
			}
			if code, found := checkReport(t, append(args, "--upstream", wordpress.URL, "--mode", "proxy")...); found["calendar.recurrence"].Status == check.StatusFail {
				t.Errorf("check --mode proxy: exit %d: %+v", code, found["calendar.recurrence"])
			}
			alone := start(t, nil, append([]string{"serve", "--listen", "127.0.0.1:0", "--ops-listen", "off"}, args...)...)
			beside := start(t, nil, append([]string{"serve", "--listen", "127.0.0.1:0", "--ops-listen", "off", "--upstream", wordpress.URL}, args...)...)
			const list = "/wp-json/calendar/events/v1/events"
			resp, body := fetch(t, alone.api+list)
			forwarded, passed := fetch(t, beside.api+list)
			switch {
			case c.sign == "":
				if resp.StatusCode != http.StatusOK || forwarded.StatusCode != http.StatusOK || passed == `"WordPress"` {
					t.Errorf("alone: %d; beside WordPress: %d %.80s", resp.StatusCode, forwarded.StatusCode, passed)
				}
			case resp.StatusCode != http.StatusServiceUnavailable || !strings.Contains(body, "calbridge_site_closed"):
				t.Errorf("alone: %d %.300s", resp.StatusCode, body)
			case passed != `"WordPress"`:
				t.Errorf("beside WordPress: %d %.300s", forwarded.StatusCode, passed)
			}
		})
	}
}
