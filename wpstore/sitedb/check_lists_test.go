package sitedb_test

import (
	"regexp"
	"testing"

	"calbridge/wpstore/wptest"
)

// What the check advises makes lists go by the index.
func TestCheckLists(t *testing.T) {
	if len(wptest.Engines()) == 1 {
		t.Skip("the embedded engine has no such advice")
	}
	for _, c := range []struct{ options, index string }{
		{`a:0:{}`, "calbridge_start"},
		{`a:1:{s:26:"tribe_events_timezone_mode";s:4:"site";}`, "calbridge_start_utc"},
	} {
		f := newSite(t, "mariadb")
		f.Option("tec_ct1_migration_state", migratedState)
		f.Option("tribe_events_calendar_options", c.options)
		f.Option("timezone_string", "Europe/Prague")
		f.Event(10, "2999-12-01 10:00:00", nil)
		report, err := f.db.CheckLists(t.Context())
		f.OK(err)
		if len(report) != 1 {
			t.Fatalf("%+v", report)
		}
		advice := regexp.MustCompile("^listing the first 1 upcoming events takes [0-9.]+ ms in the database[.] .*: (ALTER TABLE .*)$").FindStringSubmatch(report[0].Found)
		if advice == nil {
			t.Fatalf("%q", report[0].Found)
		}
		_, err = f.db.SQL().Exec(advice[1])
		f.OK(err)
		report, err = f.db.CheckLists(t.Context())
		f.OK(err)
		if !regexp.MustCompile("^listing the first 1 upcoming events takes [0-9.]+ ms in the database, using the index " + c.index + "$").MatchString(report[0].Found) {
			t.Errorf("%q", report[0].Found)
		}
	}
}
