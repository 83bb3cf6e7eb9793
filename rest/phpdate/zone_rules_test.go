package phpdate

import (
	"testing"
	"time"
)

func TestRuledZone(t *testing.T) {
	zones := NewZones()
	for name, want := range map[string]RuledZone{
		"Europe/Prague": {Name: "Europe/Prague", Ruled: true},
		"europe/prague": {Name: "europe/prague", Ruled: true},
		"UTC":           {Name: "UTC", Ruled: true},
		"UTC+0":         {Name: "UTC", Ruled: true},
		"UTC-5":         {Name: "America/New_York", Ruled: true},
		"UTC+5.5":       {Name: "Asia/Kolkata", Ruled: true},
		"UTC+5.75":      {Name: "Asia/Katmandu", Ruled: true},
		"UTC+0.5":       {Name: "UTC", Ruled: true},
		"UTC-3.5":       {Name: "America/St_Johns", Ruled: true},
		"UTC+12.75":     {Name: "UTC", Ruled: true},
		"UTC+3:30":      {Name: "UTC", Ruled: true},
		"UTC+5:30":      {Name: "Asia/Kolkata", Ruled: true},
		"UTC+5:3x":      {Name: "UTC", Ruled: true},
		"UTC+99999999":  {Name: "UTC", Ruled: true},
		"UTCx":          {Name: "UTC", Ruled: true},
		"EST":           {Name: "EST"},
		"+02:00":        {Name: "+02:00"},
		"Z":             {Name: "Z"},
		"Mars/Olympus":  {Name: "UTC", Ruled: true},
		"":              {Name: "UTC", Ruled: true},
	} {
		if got := zones.RuledZone(name); got.Name != want.Name || got.Ruled != want.Ruled {
			t.Errorf("%s: %s, ruled %v; want %s, %v", name, got.Name, got.Ruled, want.Name, want.Ruled)
		}
	}
}

// TestTransitions: two a year where there is daylight saving, also in the years for which
// a zone has a rule instead of transitions, leap years among them.
func TestTransitions(t *testing.T) {
	zones := NewZones()
	for name, want := range map[string]int{"Europe/Prague": 2 * 30, "America/New_York": 2 * 30, "Australia/Lord_Howe": 2 * 30, "Asia/Kolkata": 1, "UTC": 1} {
		from := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
		all := zones.RuledZone(name).Transitions(from, time.Date(2054, 12, 31, 0, 0, 0, 0, time.UTC))
		if len(all) != want {
			t.Errorf("%s: %d transitions, want %d", name, len(all), want)
		}
		for _, transition := range all {
			if want > 1 && transition.From == transition.To {
				t.Errorf("%s: nothing changes at %v", name, transition.At)
			}
		}
		if want == 1 && (!all[0].At.Equal(from) || all[0].From != all[0].To) {
			t.Errorf("%s: %+v", name, all[0])
		}
	}
}
