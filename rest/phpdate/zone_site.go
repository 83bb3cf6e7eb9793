package phpdate

import (
	"errors"
	"math"
	"strings"
	"time"

	"calbridge/wpstore/php"
)

// ErrOffset is returned for a "UTC…" name without a number, over which the
// reference fails with an internal error.
var ErrOffset = errors.New("UTC name without a numeric offset")

// SiteZoneName returns the name of a site's zone from the options timezone_string
// and gmt_offset, as it is stored with events: "Europe/Prague", "UTC+0",
// "UTC-5", "UTC+5.5".
func SiteZoneName(timezoneString, gmtOffset string) string {
	if timezoneString != "" {
		return timezoneString
	}
	offset := strings.TrimPrefix(php.Trim(gmtOffset), "+")
	switch number := php.ToFloat(offset); {
	case number == 0:
		return "UTC+0"
	case number < 0:
		return "UTC" + offset
	}
	return "UTC+" + offset
}

// Site returns the zone in which TEC reads and shows a site's dates: the named
// zone of the option timezone_string, else the named zone that stands for
// gmt_offset (see EventZone). What cannot be read is UTC.
func (z *Zones) Site(timezoneString, gmtOffset string) *time.Location {
	location, err := z.EventZone(SiteZoneName(timezoneString, gmtOffset))
	if err != nil {
		return time.UTC
	}
	return location
}

// CoreSite returns the zone in which WordPress itself reads a site's dates: the
// named zone, else exactly gmt_offset hours east of UTC without daylight saving.
func (z *Zones) CoreSite(timezoneString, gmtOffset string) *time.Location {
	if timezoneString != "" {
		if location, _, err := z.Load(timezoneString); err == nil {
			return location
		}
	}
	hours := php.ToFloat(gmtOffset)
	if hours == 0 || math.Abs(hours) > 99 {
		return time.UTC
	}
	return fixedZone(int(math.Trunc(hours*60)) * 60).Location
}

// isOffsetName reports whether name is of the form "UTC+2": it begins with "UTC" in
// capitals and goes on.
func isOffsetName(name string) bool { return len(name) > 3 && strings.HasPrefix(name, "UTC") }

// ValidEventZone reports whether TEC accepts name as the zone of an event: anything
// that begins with "UTC" and goes on, or what Load accepts.
func (z *Zones) ValidEventZone(name string) bool {
	name = php.Trim(name)
	if isOffsetName(name) {
		return true
	}
	_, _, err := z.Load(name)
	return err == nil
}

// EventZone returns the zone by which TEC converts an event's local dates to
// UTC. Names such as "UTC+2" are not fixed offsets there: they stand for a named
// zone with daylight saving that PHP guesses (Europe/Helsinki), and for UTC where
// it guesses none. Minutes after a colon are added with any sign, so
// "UTC-5:30" means 4:30 hours west. Other names are read by Load; the error wraps
// ErrZone or ErrOffset.
func (z *Zones) EventZone(name string) (*time.Location, error) {
	name = php.Trim(name)
	if !isOffsetName(name) {
		location, _, err := z.Load(name)
		return location, err
	}
	if strings.HasSuffix(name, "+0") || strings.HasSuffix(name, "-0") {
		name = name[:len(name)-2]
		if !isOffsetName(name) {
			return z.location("UTC")
		}
	}
	hours, minutes, err := offsetParts(name)
	if err != nil {
		return nil, err
	}
	seconds := hours*3600 + minutes*60
	guessed, ok := zonesByOffset[int(math.Max(-1e6, math.Min(seconds, 1e6)))]
	if !ok {
		return time.UTC, nil
	}
	return z.location(guessed)
}

// LiteralZone reads a zone as TEC's JSON-LD does: "UTC+5.5" is exactly +05:30.
// Other names are read by Load.
func (z *Zones) LiteralZone(name string) (*time.Location, error) {
	name = php.Trim(name)
	if !isOffsetName(name) {
		location, _, err := z.Load(name)
		return location, err
	}
	hours, minutes, err := offsetParts(name)
	if err != nil {
		return nil, err
	}
	if math.Abs(hours) >= 100 || math.Abs(minutes) >= 6000 {
		return nil, ErrZone
	}
	if strings.HasPrefix(name[3:], "-") {
		minutes = -minutes
	}
	return fixedZone(int(math.Trunc(hours*60+minutes)) * 60).Location, nil
}

// EventLiteral is the zone of an event as TEC's JSON-LD shows it.
type EventLiteral struct {
	*time.Location
	// ReadInUTC reports that local dates count as UTC before they are shown in the zone.
	ReadInUTC bool
	// ShownInUTC reports that dates are shown in UTC, without an offset.
	ShownInUTC bool
}

// EventLiteral reads the zone of an event as TEC's JSON-LD does. It fails half of the way for some
// names of offsets: those below one hour, such as "UTC+0.5", do not make UTC of local dates, and
// those with minutes after a colon, or with quarters of an hour above 12 hours ("UTC+12.75"), do
// not make a zone of UTC again.
func (z *Zones) EventLiteral(name string) (EventLiteral, error) {
	location, err := z.LiteralZone(name)
	zone := EventLiteral{Location: location}
	name = php.Trim(name)
	if err != nil || !isOffsetName(name) {
		return zone, err
	}
	hours, _, err := offsetParts(name)
	hours = math.Abs(hours)
	quarters := math.Trunc(hours*2) != hours*2
	zone.ShownInUTC = strings.Contains(name, ":") || quarters && hours > 12
	zone.ReadInUTC = !zone.ShownInUTC && hours > 0 && hours < 1
	return zone, err
}

// offsetParts splits "UTC+5:30" or "UTC+5.5" into hours and minutes.
func offsetParts(name string) (hours, minutes float64, err error) {
	first, second, colon := strings.Cut(name[3:], ":")
	hours, err = leadingFloat(first)
	if err == nil && colon {
		second, _, _ = strings.Cut(second, ":")
		minutes, err = leadingFloat(second)
	}
	return hours, minutes, err
}

// leadingFloat reads the number that s begins with; without one PHP's arithmetic
// fails.
func leadingFloat(s string) (float64, error) {
	digits := strings.TrimLeft(s, " \t\n\r\v\f")
	if digits != "" && (digits[0] == '+' || digits[0] == '-') {
		digits = digits[1:]
	}
	digits = strings.TrimPrefix(digits, ".")
	if digits == "" || !isDigit(digits[0]) {
		return 0, ErrOffset
	}
	return php.ToFloat(s), nil
}

// StoredAbbr returns the abbreviation that TEC stores with an event whose zone is
// zoneName and which begins at start: "UTC+2" itself for names of that form, else
// the zone's abbreviation then ("CET", "CEST", "GMT+0200" for offsets). Where
// that is a number ("-03") and PHP's list of historic abbreviations names the
// zone, in this very spelling, the first entry of the list counts instead.
// The error wraps ErrZone.
func (z *Zones) StoredAbbr(zoneName string, start time.Time) (string, error) {
	if isOffsetName(zoneName) {
		return zoneName, nil
	}
	location, _, err := z.Load(zoneName)
	if err != nil {
		return "", err
	}
	abbreviation := zoneAbbreviation(start.In(location))
	if abbreviation[0] == '+' || abbreviation[0] == '-' {
		if historic, ok := historicAbbreviations[zoneName]; ok {
			return historic, nil
		}
	}
	return abbreviation, nil
}
