package ical

import (
	"fmt"
	"time"

	"calbridge/rest/phpdate"
)

// lastYear is the last year that a date in the database can have. Other stored texts may mean any
// year, up to which zones would have millions of changes.
const lastYear = 9999

// span are the years of events.
type span struct{ first, last int }

// zones appends a VTIMEZONE for each text by which events name their zone, in the order of
// the events. Two texts that stand for one zone give two blocks.
func (w *writer) zones(events []Event, zones *phpdate.Zones, present func() time.Time) {
	var order []string
	spans := map[string]span{}
	for i := range events {
		e := &events[i]
		years, seen := spans[e.Zone]
		if !seen {
			order = append(order, e.Zone)
			years = span{e.Start.Year(), e.End.Year()}
		}
		spans[e.Zone] = span{min(years.first, e.Start.Year()), max(years.last, e.End.Year())}
	}
	for _, text := range order {
		years := spans[text]
		from := time.Date(years.first-1, time.January, 1, 0, 0, 0, 0, time.UTC)
		to := time.Date(min(years.last, lastYear)+1, time.December, 31, 0, 0, 0, 0, time.UTC)
		if years.last < 0 && present != nil { // PHP can't read the end of such a year
			to = present()
		}
		w.b = appendZone(w.b, zones.RuledZone(text), from, to)
	}
}

func appendZone(b []byte, zone phpdate.RuledZone, from, to time.Time) []byte {
	b = fmt.Appendf(b, "BEGIN:VTIMEZONE\r\nTZID:%s\r\n", zone.Name)
	if zone.Ruled {
		for _, t := range zone.Transitions(from, to) {
			kind := "STANDARD"
			if t.DST {
				kind = "DAYLIGHT"
			}
			b = fmt.Appendf(b, "BEGIN:%s\r\nTZOFFSETFROM:%s\r\nTZOFFSETTO:%s\r\nTZNAME:%s\r\nDTSTART:%s\r\nEND:%s\r\n",
				kind, offset(t.From), offset(t.To), t.Abbreviation, phpdate.Format(t.At, `Ymd\THis`), kind)
		}
	}
	return append(b, "END:VTIMEZONE\r\n"...)
}

// offset writes whole hours and minutes. The sign is that of the hours alone: 30 minutes west of
// UTC become +0030.
func offset(seconds int) string {
	hours, minutes := seconds/3600, seconds/60%60
	sign := "+"
	if hours < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%02d%02d", sign, max(hours, -hours), max(minutes, -minutes))
}
