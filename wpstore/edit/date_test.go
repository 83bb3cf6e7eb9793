package edit

import (
	"testing"
	"time"

	"calbridge/wpstore"
)

// prague returns an hour ahead of UTC in winter, two in summer.
func prague(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Prague")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func TestDates(t *testing.T) {
	zone := prague(t)
	for local, utc := range map[string]string{
		"2026-11-21 12:00:00": "2026-11-21 11:00:00",
		"2026-07-01 00:30:00": "2026-06-30 22:30:00",
		"":                    wpstore.NoDate,
		wpstore.NoDate:        wpstore.NoDate,
		"tomorrow":            wpstore.NoDate,
	} {
		if got := toUTC(local, zone); got != utc {
			t.Errorf("%q is %s in UTC, want %s", local, got, utc)
		}
		if back := toLocal(utc, zone); utc != wpstore.NoDate && back != local {
			t.Errorf("%s is %s in Prague, want %s", utc, back, local)
		}
	}
}
