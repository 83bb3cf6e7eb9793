package edit

import (
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/wpstore/php"
)

// dateReader reads dates of requests, which may be relative to the present.
type dateReader struct {
	zones *phpdate.Zones
	now   time.Time
}

func (d dateReader) present() time.Time { return d.now }

// wall returns the local time of a date in a zone. A date with its own zone is not converted. A
// number is a timestamp, converted to the zone if local is set, else to UTC. It returns "" without
// a date.
func (d dateReader) wall(v php.Value, zone *time.Location, local bool) string {
	if php.Empty(v) {
		return ""
	}
	s := php.ToString(v)
	if php.IsNumericString(s) {
		t := time.Unix(php.ToInt(s), 0).UTC()
		if local {
			t = t.In(zone)
		}
		return t.Format(api.MySQLTime)
	}
	r, err := d.zones.Parse(s, d.present, zone)
	if err != nil {
		return ""
	}
	return r.Wall()
}

// utc returns a date converted to UTC, from UTC unless it has its own zone; "" without a date.
func (d dateReader) utc(v php.Value) string {
	if php.Empty(v) {
		return ""
	}
	s := php.ToString(v)
	if php.IsNumericString(s) {
		return time.Unix(php.ToInt(s), 0).UTC().Format(api.MySQLTime)
	}
	r, err := d.zones.Parse(s, d.present, time.UTC)
	if err != nil {
		return ""
	}
	return r.Time.UTC().Format(api.MySQLTime)
}

// instant reads a stored local date in the zone of an event. ok is false if the date or the zone is
// invalid.
func (d dateReader) instant(zone, local string) (time.Time, bool) {
	location, err := d.zones.EventZone(zone)
	if err != nil || !api.IsStoredDate(local) {
		return time.Time{}, false
	}
	r, err := d.zones.Parse(local, d.present, location)
	return r.Time, err == nil
}

// abbreviation returns the abbreviation of a zone at a stored local date, or now without one.
func (d dateReader) abbreviation(zone, local string) string {
	at := d.now
	if local != "" {
		if t, ok := d.instant(zone, local); ok {
			at = t
		} else if t, err := time.Parse(api.MySQLTime, local); err == nil {
			at = t
		}
	}
	abbreviation, _ := d.zones.StoredAbbr(zone, at)
	return abbreviation
}
