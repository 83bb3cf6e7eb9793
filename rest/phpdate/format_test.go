package phpdate

import (
	"testing"
	"time"
)

func TestFormat(t *testing.T) {
	zones := NewZones()
	at := func(zone string, unix int64, micro int64) time.Time {
		location, _, err := zones.Load(zone)
		if err != nil {
			t.Fatal(err)
		}
		return time.Unix(unix, micro*1000).In(location)
	}
	summer := at("Europe/Prague", 1814429705, 123456) // 2027-07-01 10:15:05
	winter := at("America/New_York", 1799360984, 0)   // 2027-01-07 17:29:44
	for _, c := range []struct {
		t            time.Time
		layout, want string
	}{
		{summer, "d D j l N S w z", "01 Thu 1 Thursday 4 st 4 181"},
		{summer, "W o F m M n t L Y y x X", "26 2027 July 07 Jul 7 31 0 2027 27 2027 +2027"},
		{summer, "a A B g G h H i s u v", "am AM 385 10 10 10 10 15 05 123456 123"},
		{summer, "e I O P p T Z U", "Europe/Prague 1 +0200 +02:00 +02:00 CEST 7200 1814429705"},
		{summer, "c|r", "2027-07-01T10:15:05+02:00|Thu, 01 Jul 2027 10:15:05 +0200"},
		{winter, "jS F Y, g:i a T I", "7th January 2027, 5:29 pm EST 0"},
		{at("+05:30", 0, 0), "e T P p", "+05:30 GMT+0530 +05:30 +05:30"},
		{at("CEST", 0, 0), "e T I P", "CEST CEST 1 +02:00"},
		{at("UTC", 0, 0), "e T p", "UTC UTC Z"},
		{summer, `\Y\\Y ě q`, `Y\2027 ě q`},
		{summer, "Y\\", "2027\x00"},
		{time.Date(-44, 3, 15, 0, 0, 0, 0, time.UTC), "Y y x c", "-0044 -44 -0044 -044-03-15T00:00:00+00:00"},
		{time.Date(12027, 3, 15, 0, 0, 0, 0, time.UTC), "Y x", "12027 +12027"},
		{time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC), "jS t L z", "29th 29 1 59"},
		{summer, "", ""},
	} {
		if got := Format(c.t, c.layout); got != c.want {
			t.Errorf("%q: got %q, want %q", c.layout, got, c.want)
		}
	}
}
