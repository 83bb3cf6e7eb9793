package rfc5545

import (
	"fmt"
	"slices"
	"time"

	"calbridge/rest/phpdate"
)

// Years for which zones are described, whatever a feed shows. Events outside have their times in
// UTC, because the rules of their zones are unknown.
const (
	firstYear = 1970
	lastYear  = 2100
)

// Zones are the zones that a feed has described so far.
type Zones struct {
	from, to time.Time
	known    map[string]bool
}

// NewZones describes zones for feeds whose events lie between two years, and one year more on
// each side.
func NewZones(first, last int) *Zones {
	first, last = max(first-1, firstYear), min(last+1, lastYear)
	return &Zones{
		from: time.Date(first, time.January, 1, 0, 0, 0, 0, time.UTC), to: time.Date(last+1, time.January, 1, 0, 0, 0, 0, time.UTC),
		known: map[string]bool{},
	}
}

// day is more than any offset from UTC.
const day = 24 * time.Hour

// covers reports whether a local time can be written in the zone so that every reader takes it for
// the instant. The description of the zone must reach as far, the instant must be shown as this
// local time, and no other instant may be.
func (z *Zones) covers(local, at time.Time, zone *time.Location) bool {
	if at.Before(z.from.Add(day)) || !at.Before(z.to.Add(-day)) || !wall(at.In(zone)).Equal(local) {
		return false
	}
	for _, near := range [...]time.Time{at.Add(-day), at.Add(day)} {
		_, offset := near.In(zone).Zone()
		other := local.Add(-time.Duration(offset) * time.Second)
		if !other.Equal(at) && wall(other.In(zone)).Equal(local) {
			return false
		}
	}
	return true
}

// wall returns the local time of an instant, as if it were in UTC.
func wall(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second)
}

// observance is one sub-component of a VTIMEZONE.
type observance struct {
	dst          bool
	from, to     int
	abbreviation string
}

// appendTo describes a zone, unless the feed has done so already.
func (z *Zones) appendTo(b []byte, zone *time.Location) []byte {
	name := zone.String()
	if z.known[name] {
		return b
	}
	z.known[name] = true
	start := z.from.In(zone)
	abbreviation, offset := start.Zone()
	first := observance{start.IsDST(), offset, offset, abbreviation}
	order := []observance{first}
	onsets := map[observance][]time.Time{first: {wall(start)}}
	for _, t := range (phpdate.RuledZone{Location: zone}).Transitions(z.from, z.to) {
		if t.At.Equal(z.from) { // the zone has none, and this is its state
			continue
		}
		o := observance{t.DST, t.From, t.To, t.Abbreviation}
		if len(onsets[o]) == 0 {
			order = append(order, o)
		}
		onsets[o] = append(onsets[o], t.At.Add(time.Duration(t.From)*time.Second))
	}
	b = appendLine(b, "BEGIN:VTIMEZONE")
	b = appendLine(b, "TZID:", line(name))
	for _, o := range order {
		b = o.appendTo(b, onsets[o])
	}
	return appendLine(b, "END:VTIMEZONE")
}

// appendTo writes the observance with its onsets, each in the local time before it. Each onset
// has a property of its own: some readers take the first value of a list only. The first one is
// DTSTART and is repeated: ical.js ignores DTSTART where there are others, and RFC 5545
// ignores what is repeated.
func (o observance) appendTo(b []byte, onsets []time.Time) []byte {
	kind := "STANDARD"
	if o.dst {
		kind = "DAYLIGHT"
	}
	slices.SortFunc(onsets, time.Time.Compare)
	b = appendLine(b, "BEGIN:", kind)
	b = appendLine(b, "DTSTART:", onsets[0].Format(localTime))
	if len(onsets) > 1 {
		for _, onset := range onsets {
			b = appendLine(b, "RDATE:", onset.Format(localTime))
		}
	}
	b = appendLine(b, "TZOFFSETFROM:", utcOffset(o.from))
	b = appendLine(b, "TZOFFSETTO:", utcOffset(o.to))
	if name := line(o.abbreviation); name != "" {
		b = appendLine(b, "TZNAME:", name)
	}
	return appendLine(b, "END:", kind)
}

func utcOffset(seconds int) string {
	sign, n := '+', seconds
	if seconds < 0 {
		sign, n = '-', -seconds
	}
	if n%60 != 0 {
		return fmt.Sprintf("%c%02d%02d%02d", sign, n/3600, n/60%60, n%60)
	}
	return fmt.Sprintf("%c%02d%02d", sign, n/3600, n/60%60)
}
