package phpdate

import (
	"testing"
	"time"
)

func BenchmarkStrtotime(b *testing.B) {
	zone, err := time.LoadLocation("Europe/Prague")
	if err != nil {
		b.Skip("no zone data: ", err)
	}
	zones := NewZones()
	base := time.Unix(1773500966, 0)
	for _, s := range []string{
		"2027-02-14", "2027-02-14 12:30:00", "2027-02-14T12:30:00.5+01:00", "last friday of next month 18:00",
		"Thu, 24 Dec 2026 18:30:15 +0100", "2026-12-24 18:30 America/New_York", "not a date at all",
	} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				zones.Strtotime(s, clockAt(base), zone)
			}
		})
	}
}
