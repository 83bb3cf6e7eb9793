package phpdate

import (
	"testing"
	"time"
)

// FuzzStored compares the short way of read with the grammar.
func FuzzStored(f *testing.F) {
	for _, s := range []string{"2026-11-21 12:00:00", "0001-01-01 00:00:00", "0000-01-01 00:00:00", "2026-02-30 12:00:00", "2026-11-21 24:00:00",
		"2026-11-21 23:59:60", "9999-12-31 23:59:59", "2026-11-21T12:00:00", "2024-02-29 06:07:08", "1600-02-29 00:00:00",
		"2026-03-29 02:30:00", "2026-10-25 02:30:00", "2026-03-08 02:30:00", "2026-11-01 01:30:00", "2026-04-05 01:45:00", "2026-10-04 02:15:00", "2011-12-30 12:00:00"} {
		f.Add(s)
	}
	now := func() time.Time { return time.Date(2025, 5, 6, 7, 8, 9, 0, time.UTC) }
	z := NewZones()
	zones := []*time.Location{time.UTC, time.FixedZone("", -12345)}
	for _, name := range []string{"Europe/Prague", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			f.Fatal(err)
		}
		zones = append(zones, zone)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, zone := range zones {
			named, got, micro, err := z.read(s, now, zone)
			wantNamed, want, wantMicro, wantErr := z.byGrammar(s, now, zone)
			if (err == nil) != (wantErr == nil) || err == nil && (got != want || micro != wantMicro || named != wantNamed) {
				t.Errorf("%q in %v: %d.%06d %v, %v; by the grammar %d.%06d %v, %v", s, zone, got, micro, named, err, want, wantMicro, wantNamed, wantErr)
			}
		}
	})
}
