package phpdate

import (
	"testing"
	"time"
)

// FuzzStored compares the short way of Strtotime with the grammar.
func FuzzStored(f *testing.F) {
	for _, s := range []string{"2026-11-21 12:00:00", "0001-01-01 00:00:00", "0000-01-01 00:00:00", "2026-02-30 12:00:00", "2026-11-21 24:00:00",
		"2026-11-21 23:59:60", "9999-12-31 23:59:59", "2026-11-21T12:00:00", "2024-02-29 06:07:08", "1600-02-29 00:00:00"} {
		f.Add(s)
	}
	now := func() time.Time { return time.Date(2025, 5, 6, 7, 8, 9, 0, time.UTC) }
	z := NewZones()
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := z.Strtotime(s, now, time.UTC)
		_, want, _, err := z.read(s, now, time.UTC)
		if ok != (err == nil) || ok && got != want {
			t.Errorf("%q: %d, %v; by the grammar %d, %v", s, got, ok, want, err)
		}
	})
}
