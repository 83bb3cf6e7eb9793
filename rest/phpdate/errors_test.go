package phpdate

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestErrors(t *testing.T) {
	zones := NewZones()
	for input, want := range map[string]string{
		"!":                       "unexpected character",
		"7:08 7:09":               "more than one time of day",
		"5/6 5/7":                 "more than one date",
		"CET EST PST":             "more than two time zones",
		"@99999999999999999999":   "number out of range",
		"":                        "empty string",
		strings.Repeat(".", 4097): "string too long for a date",
		"Mars/Phobos":             "unknown time zone",
	} {
		if _, _, _, err := zones.read(input, clockAt(base), time.UTC); err == nil || err.Error() != want {
			t.Errorf("%.20q: %v, want %s", input, err, want)
		}
	}
	if _, ok := zones.Strtotime(strings.Repeat(".", 4093)+"now", clockAt(base), time.UTC); !ok {
		t.Error("4096 bytes are too long")
	}
	if _, err := zones.EventZone("UTCx"); err == nil || err.Error() != "UTC name without a numeric offset" {
		t.Errorf("UTCx: %v", err)
	}
}

// TestYearBounds: years are computed with up to 300,000,000,000, beyond what seconds reach.
func TestYearBounds(t *testing.T) {
	for _, year := range []int64{300_000_000_000, -300_000_000_000} {
		if m := (moment{year: year, month: 6, day: 1}); m.normalise() != nil || m.year != year {
			t.Errorf("%d: %+v", year, m)
		}
		if m := (moment{year: year + year/300_000_000_000, month: 6, day: 1}); !errors.Is(m.normalise(), errRange) {
			t.Errorf("beyond %d: %+v", year, m)
		}
	}
}
