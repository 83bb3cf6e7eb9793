package ical

import (
	"fmt"
	"strings"
	"time"

	"calbridge/rest/phpdate"
)

// expressible returns the events whose dates RFC 5545 can express: years have four digits.
func expressible(events []Event) []Event {
	written := func(at time.Time) bool { return at.Year() >= 1 && at.Year() <= 9999 }
	out := make([]Event, 0, len(events))
	for _, e := range events {
		if written(e.Start) && (written(e.End) || e.End.Before(e.Start)) {
			out = append(out, e)
		}
	}
	return out
}

// lastRules is the last year whose changes are listed, so that an event in a distant year
// doesn't bring thousands of them.
const lastRules = 2500

// standardName returns the name of a zone as a parameter without quotes allows it.
func standardName(zone phpdate.RuledZone) string { return strings.ReplaceAll(zone.Name, ":", "") }

// standardZones appends one VTIMEZONE for each zone except UTC in which a start or an end is
// written, in the order of the events.
func (w *writer) standardZones(events []Event, zones *phpdate.Zones) {
	var order []phpdate.RuledZone
	spans := map[string]span{}
	for i := range events {
		e := &events[i]
		zone := zones.RuledZone(e.Zone)
		name := standardName(zone)
		if e.AllDay || name == "UTC" {
			continue
		}
		years, seen := spans[name]
		if !seen {
			order = append(order, zone)
			years = span{e.Start.Year(), e.End.Year()}
		}
		spans[name] = span{min(years.first, e.Start.Year()), max(years.last, e.End.Year())}
	}
	for _, zone := range order {
		years := spans[standardName(zone)]
		from := time.Date(max(years.first-1, 1), time.January, 1, 0, 0, 0, 0, time.UTC)
		to := time.Date(min(max(years.first, years.last)+1, lastRules), time.December, 31, 0, 0, 0, 0, time.UTC)
		w.standardZone(zone, from, to)
	}
}

// standardZone appends what applies in a zone at a time, and all changes from then on up to
// another time. Onsets are in the local time before the change.
func (w *writer) standardZone(zone phpdate.RuledZone, from, to time.Time) {
	w.line("BEGIN:VTIMEZONE")
	w.line("TZID:", standardName(zone))
	begin := from.In(zone.Location)
	name, offset := begin.Zone()
	w.observance(phpdate.Transition{At: from, From: offset, To: offset, Abbreviation: name, DST: begin.IsDST()})
	for _, t := range zone.Transitions(from, to) {
		if t.At.After(from) { // if there is none, it is the state at the beginning
			w.observance(t)
		}
	}
	w.line("END:VTIMEZONE")
}

func (w *writer) observance(t phpdate.Transition) {
	kind := "STANDARD"
	if t.DST {
		kind = "DAYLIGHT"
	}
	w.line("BEGIN:", kind)
	w.line("TZOFFSETFROM:", standardOffset(t.From))
	w.line("TZOFFSETTO:", standardOffset(t.To))
	w.line("TZNAME:", t.Abbreviation)
	w.line("DTSTART:", phpdate.Format(t.At.UTC().Add(time.Duration(t.From)*time.Second), dateTime))
	w.line("END:", kind)
}

// standardOffset writes an offset from UTC with its sign, and seconds if it has any.
func standardOffset(seconds int) string {
	sign := "+"
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	out := fmt.Sprintf("%s%02d%02d", sign, seconds/3600, seconds/60%60)
	if seconds%60 != 0 {
		out += fmt.Sprintf("%02d", seconds%60)
	}
	return out
}
