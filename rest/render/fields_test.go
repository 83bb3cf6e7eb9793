package render

import (
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
)

func TestDateParts(t *testing.T) {
	zones, clock := phpdate.NewZones(), &api.Clock{At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	for stored, want := range map[string]string{
		"2026-11-21 19:05:09": "2026 11 21 19 05 09", "": "1970 01 01 00 00 00", "garbage": "1970 01 01 00 00 00",
		"2026-11-21": "2026 11 21 00 00 00", "2026-02-30 10:00:00": "2026 03 02 10 00 00", "21.11.2026 8:00": "2026 11 21 08 00 00",
		"2026-11-21 25:00:00": "1970 01 01 00 00 00", "2026-11-21T19:05:09+01:00": "2026 11 21 18 05 09",
	} {
		parts := dateParts(zones, clock, stored)
		if got := strings.Join(parts[:], " "); got != want {
			t.Errorf("%q: %s, want %s", stored, got, want)
		}
	}
}
