package wpstore

import "testing"

func TestBoundDate(t *testing.T) {
	for value, want := range map[string]string{
		"2026-11-21 12:00:00":  "2026-11-21 12:00:00",
		"2026-11-21 12:00:0":   NoDate,
		"2026-11-21":           NoDate,
		"2026-02-30 12:00:00":  NoDate,
		"12026-11-21 12:00:00": NoDate,
		"2026-11-21 12:00:00 ": NoDate,
		"":                     NoDate,
	} {
		if got := (Bound{Value: value}).Date(); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}
