package phpdate

import (
	"fmt"
	"math"
	"time"
)

// Result is the meaning of a date string.
type Result struct {
	// Time is the instant, in the string's own zone if it has one, else in the
	// zone passed in. Its clock is thus the one that the string shows; for
	// "@1798137015" it is the clock of UTC.
	Time time.Time
	// Zoned reports that the string has a zone.
	Zoned bool
	// Zone names the zone of Time: an identifier, an abbreviation or an offset.
	Zone string
}

// Wall returns the clock that the string shows as "2006-01-02 15:04:05", without
// regard to its zone. Times of day that the zone skips have moved forward.
func (r Result) Wall() string { return r.Time.Format("2006-01-02 15:04:05") }

// Clock returns the present. It is called only if a string leaves something open, so that a caller
// can tell whether a date depends on when it is read.
type Clock func() time.Time

// Parse reads s as PHP's new DateTime(s, zone) does. Empty strings and blanks are
// the present. What s leaves open is taken from the clock that now shows in zone,
// also when s carries another zone. Errors mean that PHP throws an exception.
func (z *Zones) Parse(s string, now Clock, zone *time.Location) (Result, error) {
	if s == "" {
		s = "now"
	}
	named, unix, micro, err := z.read(s, now, zone)
	if err == nil && (unix > maxSeconds || unix < -maxSeconds) {
		err = errRange
	}
	if err != nil {
		return Result{}, fmt.Errorf("not a date: %q: %w", clip(s), err)
	}
	result := Result{Zoned: named.Location != nil, Zone: named.Name}
	if result.Zoned {
		zone = named.Location
	} else {
		result.Zone = zone.String()
	}
	result.Time = time.Unix(unix, micro*1000).In(zone)
	return result, nil
}

// maxSeconds keeps the years of a Result within what package time can show.
const maxSeconds = math.MaxInt64 / 16

// Strtotime reads s as PHP's strtotime(s, now) does with zone as the default
// zone. ok is false where PHP returns false, which includes the empty string, but
// not blanks.
func (z *Zones) Strtotime(s string, now Clock, zone *time.Location) (unix int64, ok bool) {
	_, unix, _, err := z.read(s, now, zone)
	return unix, err == nil
}

// read returns the instant that s names in Unix seconds and microseconds, and
// the zone that s carries, if any.
func (z *Zones) read(s string, now Clock, zone *time.Location) (named Zone, unix, micro int64, err error) {
	// Fast path: the usual form of stored dates.
	if len(s) == len(time.DateTime) {
		if t, err := time.Parse(time.DateTime, s); err == nil && t.Year() > 0 {
			return Zone{}, placeWall(t.Unix(), zone), 0, nil
		}
	}
	return z.byGrammar(s, now, zone)
}

// byGrammar reads a string without the fast path.
func (z *Zones) byGrammar(s string, now Clock, zone *time.Location) (named Zone, unix, micro int64, err error) {
	r := newReading(z)
	if err := r.scan(s); err != nil {
		return Zone{}, 0, 0, err
	}
	r.fill(now, zone)
	if r.zone.Location != nil {
		zone = r.zone.Location
	}
	unix, micro, err = resolve(r.moment, r.rel, zone)
	return r.zone, unix, micro, err
}

// clip shortens hostile text for an error message.
func clip(s string) string {
	if len(s) > 64 {
		return s[:64] + "…"
	}
	return s
}
