package phpdate

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// ErrZone is returned for a zone that PHP's DateTimeZone refuses.
var ErrZone = errors.New("unknown time zone")

// Zone is a zone as a date string or a setting names it.
type Zone struct {
	Location *time.Location
	// Name is the identifier in its proper spelling ("Europe/Prague"), the
	// abbreviation in capitals ("CEST") or the offset ("+05:30").
	Name string
}

// Zones loads and caches zones. It holds at most one location for each identifier of
// its table. It is safe for concurrent use.
type Zones struct {
	mu     sync.RWMutex
	loaded map[string]*time.Location
}

// NewZones returns an empty cache.
func NewZones() *Zones { return &Zones{loaded: map[string]*time.Location{}} }

// Load reads a zone as PHP's DateTimeZone constructor does: an identifier in any
// case ("europe/prague", "US/Eastern"), an abbreviation with a fixed offset
// ("EST", "CET", "z"), or an offset ("+05:30", "-0530", "+5", "GMT+2").
// It returns the location and the zone's proper name. The error wraps ErrZone.
func (z *Zones) Load(name string) (*time.Location, string, error) {
	if len(name) > 128 || strings.IndexByte(name, 0) >= 0 {
		return nil, "", ErrZone
	}
	zone, rest, err := z.leading(name)
	if err != nil {
		return nil, "", fmt.Errorf("%w: %q", err, name)
	}
	if _, offset := time.Unix(0, 0).In(zone.Location).Zone(); rest != "" || offset >= 100*3600 || offset <= -100*3600 {
		return nil, "", fmt.Errorf("%w: %q", ErrZone, name)
	}
	return zone.Location, zone.Name, nil
}

// leading reads the zone at the start of text, brackets round it included, and
// returns what follows it.
func (z *Zones) leading(text string) (Zone, string, error) {
	text = strings.TrimLeft(text, " \t(")
	if strings.HasPrefix(text, "GMT+") || strings.HasPrefix(text, "GMT-") {
		text = text[len("GMT"):]
	}
	var zone Zone
	if text != "" && (text[0] == '+' || text[0] == '-') {
		end := 1
		for end < len(text) && (isDigit(text[end]) || text[end] == ':') {
			end++
		}
		seconds, ok := offsetSeconds(text[1:end])
		if !ok {
			return Zone{}, text, ErrZone
		}
		if text[0] == '-' {
			seconds = -seconds
		}
		zone, text = fixedZone(seconds), text[end:]
	} else {
		end := 0
		for end < len(text) && !inSet(" \t)\x00", text[end]) {
			end++
		}
		var err error
		zone, err = z.named(text[:end])
		if err != nil {
			return Zone{}, text, err
		}
		text = text[end:]
	}
	return zone, strings.TrimLeft(text, ")"), nil
}

// named finds an abbreviation or, failing that, an identifier.
func (z *Zones) named(word string) (Zone, error) {
	if seconds, ok := abbreviations[strings.ToLower(word)]; ok {
		name := strings.ToUpper(word)
		return Zone{time.FixedZone(name, seconds), name}, nil
	}
	name, ok := zoneIdentifiers[strings.ToLower(word)]
	if !ok {
		name, ok = filedIdentifier(word)
		if !ok {
			return Zone{}, ErrZone
		}
	}
	location, err := z.location(name)
	return Zone{location, name}, err
}

// filedIdentifier accepts spellings that name a zone's file on the reference's
// system without being identifiers: doubled or leading slashes and the
// directory "posix". Unlike identifiers they match in their own case only.
func filedIdentifier(word string) (string, bool) {
	parts := strings.FieldsFunc(word, func(c rune) bool { return c == '/' })
	if strings.HasSuffix(word, "/") || len(parts) == 0 {
		return "", false
	}
	if parts[0] == "posix" {
		parts = parts[1:]
	}
	name := strings.Join(parts, "/")
	if name == "localtime" {
		return "UTC", true
	}
	return name, zoneIdentifiers[strings.ToLower(name)] == name && name != ""
}

// location loads an identifier of the table.
func (z *Zones) location(name string) (*time.Location, error) {
	if name == "UTC" {
		return time.UTC, nil
	}
	z.mu.RLock()
	location, ok := z.loaded[name]
	z.mu.RUnlock()
	if ok {
		return location, nil
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("%w: no data for %s on this machine: install tzdata or link time/tzdata: %w", ErrZone, name, err)
	}
	z.mu.Lock()
	defer z.mu.Unlock()
	z.loaded[name] = location
	return location, nil
}

// offsetSeconds reads the digits of an offset: "5", "05", "530", "0530", "5:30",
// "05:30", "053015" or "05:30:15". Minutes may exceed 59.
func offsetSeconds(s string) (int, bool) {
	n := leadingInt(s)
	switch {
	case len(s) == 1 || len(s) == 2:
		return n * 3600, true
	case (len(s) == 3 || len(s) == 4) && s[1] == ':':
		return n*3600 + leadingInt(s[2:])*60, true
	case (len(s) >= 3 && len(s) <= 5) && s[2] == ':':
		return n*3600 + leadingInt(s[3:])*60, true
	case len(s) == 3 || len(s) == 4:
		return n/100*3600 + n%100*60, true
	case len(s) == 6:
		return n/10000*3600 + n/100%100*60 + n%100, true
	case len(s) == 8 && s[2] == ':' && s[5] == ':':
		return n*3600 + leadingInt(s[3:])*60 + leadingInt(s[6:]), true
	}
	return 0, false
}

// leadingInt reads the digits at the start of a short text, 0 without any.
func leadingInt(s string) int {
	n := 0
	for i := 0; i < len(s) && isDigit(s[i]); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// fixedZone makes the zone of an offset in seconds, named as PHP names it.
func fixedZone(seconds int) Zone {
	name := offsetText(seconds, true)
	if seconds%60 != 0 {
		name += fmt.Sprintf(":%02d", max(seconds, -seconds)%60)
	}
	return Zone{time.FixedZone(name, seconds), name}
}

// offsetText writes an offset as "+05:30" or "+0530".
func offsetText(seconds int, colon bool) string {
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	layout := "%c%02d%02d"
	if colon {
		layout = "%c%02d:%02d"
	}
	return fmt.Sprintf(layout, sign, seconds/3600, seconds/60%60)
}
