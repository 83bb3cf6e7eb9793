package phpdate

import (
	"math"
	"strings"
	"time"

	"calbridge/wpstore/php"
)

// RuledZone is a zone as TEC's iCalendar exports name and describe it.
type RuledZone struct {
	*time.Location
	// Name is the zone's name in the export. Identifiers keep the spelling in which they are stored
	// ("europe/prague").
	Name string
	// Ruled reports that the zone is an identifier, which has transitions. Abbreviations ("CET")
	// and offsets ("+02:00") have none.
	Ruled bool
}

// RuledZone reads the zone of an event, or of the site, for an iCalendar export of TEC
// 6.17. Names such as "UTC+5.5" stand for the zone that PHP guesses, as for [EventZone]. An unknown
// zone is UTC.
func (z *Zones) RuledZone(name string) RuledZone {
	utc := RuledZone{time.UTC, "UTC", true}
	name = php.Trim(name)
	if isOffsetName(name) {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "+0"), "-0")
	}
	if isOffsetName(name) {
		hours, minutes, colon := strings.Cut(name[3:], ":")
		if !php.IsNumericString(hours) || colon && !php.IsNumericString(minutes) {
			return utc
		}
		location, err := z.EventZone(name)
		if err != nil {
			return utc
		}
		return RuledZone{location, location.String(), true}
	}
	if strings.EqualFold(name, "UTC") {
		return utc
	}
	location, proper, err := z.Load(name)
	if err != nil {
		return utc
	}
	if _, abbreviation := abbreviations[strings.ToLower(name)]; !abbreviation && zoneIdentifiers[strings.ToLower(name)] == proper {
		return RuledZone{location, name, true}
	}
	return RuledZone{location, proper, false}
}

// Transition is a change of a zone's offset, its abbreviation or its daylight saving.
type Transition struct {
	At           time.Time // UTC
	From, To     int       // offsets before and after, in seconds east of UTC
	Abbreviation string
	DST          bool
}

// Transitions returns the transitions after one time and up to another, as PHP's
// DateTimeZone::getTransitions does. If there are none, it returns the state at the first time,
// whose offset does not change.
func (z RuledZone) Transitions(after, to time.Time) []Transition {
	var all []Transition
	at := after.In(z.Location)
	for {
		_, end := at.ZoneBounds()
		if end.IsZero() || end.After(to) {
			break
		}
		if changesNothing(end) {
			switch {
			case end.Unix() == math.MaxInt32: // the end of 32 bits, which some files note
				at = end
				continue
			case isYearEnd(end):
				// After the last transition of its file a zone goes on by a rule, whose
				// bounds Go cuts after 365 days of each year, and returns the time itself
				// on the 366th.
				at = time.Date(end.UTC().Add(-time.Second).Year()+1, time.January, 1, 0, 0, 0, 0, time.UTC).In(z.Location)
				continue
			}
		}
		_, from := end.Add(-time.Second).Zone()
		all = append(all, transition(end, from))
		at = end
	}
	if len(all) == 0 {
		_, offset := at.Zone()
		all = append(all, transition(at, offset))
	}
	return all
}

// isYearEnd reports whether a time is 365 days after the beginning of a year, in UTC.
func isYearEnd(at time.Time) bool {
	year := at.UTC().Add(-time.Second).Year()
	return at.Equal(time.Date(year, time.January, 1+365, 0, 0, 0, 0, time.UTC))
}

// changesNothing reports whether a zone is after a time as it was before.
func changesNothing(at time.Time) bool {
	before := at.Add(-time.Second)
	nameBefore, offsetBefore := before.Zone()
	name, offset := at.Zone()
	return name == nameBefore && offset == offsetBefore && at.IsDST() == before.IsDST()
}

func transition(at time.Time, from int) Transition {
	abbreviation, offset := at.Zone()
	return Transition{At: at.UTC(), From: from, To: offset, Abbreviation: abbreviation, DST: at.IsDST()}
}

// Identifier returns the zone of the tz database that an event or the site names by its
// identifier, nil where the name is an abbreviation, an offset, UTC or unknown.
func (z *Zones) Identifier(name string) *time.Location {
	zone := z.RuledZone(name)
	if !zone.Ruled || zone.Location == time.UTC || isOffsetName(php.Trim(name)) {
		return nil
	}
	return zone.Location
}
