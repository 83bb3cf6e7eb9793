package edit

import (
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
)

func TestReadDates(t *testing.T) {
	instant := func(zone, local string) (time.Time, bool) {
		at, err := time.ParseInLocation(time.DateTime, local, prague(t))
		return at, err == nil && zone == "Europe/Prague"
	}
	event := func(change ...string) *rowedit.MetaEdit {
		m := newMeta(t, 5)
		for key, value := range map[string]string{
			"_EventStartDate": "2026-11-21 18:00:00", "_EventEndDate": "2026-11-21 20:00:00", "_EventTimezone": "Europe/Prague",
			"_EventStartDateUTC": "2026-11-21 17:00:00", "_EventEndDateUTC": "2026-11-21 19:00:00", "_EventDuration": "7200",
		} {
			m.Add(key, value)
		}
		for i := 0; i < len(change); i += 2 {
			m.Update(change[i], change[i+1])
		}
		return m
	}
	for _, c := range []struct {
		name     string
		meta     *rowedit.MetaEdit
		duration int64 // -1: the dates are not valid
	}{
		{"as they should be", event(), 7200},
		{"without a duration", event("_EventDuration", ""), 7200},
		{"shorter than it takes", event("_EventDuration", "60"), 60},
		{"longer than it takes", event("_EventDuration", "7201"), -1},
		{"half a second", event("_EventDuration", "0.5"), -1},
		{"no number", event("_EventDuration", "an hour"), -1},
		{"another zone", event("_EventTimezone", "Mars/Base"), -1},
		{"UTC that doesn't fit", event("_EventStartDateUTC", "2026-11-21 18:00:00"), -1},
		{"before it starts", event("_EventEndDate", "2026-11-21 17:00:00", "_EventEndDateUTC", "2026-11-21 16:00:00"), -1},
		{"longer than the column", event("_EventEndDate", "2027-11-21 18:00:00", "_EventEndDateUTC", "2027-11-21 17:00:00", "_EventDuration", ""), longestDuration},
	} {
		d, ok := readDates(c.meta, instant)
		if ok != (c.duration >= 0) || ok && d.duration != c.duration {
			t.Errorf("%s: %+v %v, want a duration of %d", c.name, d, ok, c.duration)
		}
	}
}

// newMeta returns the metadata of a new event.
func newMeta(t *testing.T, id int64) *rowedit.MetaEdit {
	t.Helper()
	m, err := (rowedit.Metas{Rows: &rowedit.Rows{Config: rowedit.Config{Stamp: rowedit.Stamp{Zone: time.UTC}}}}).New(t.Context(), id, wpstore.EventType, true)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
