package rest

import (
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// publication reads the publication date of a venue or an organizer: on the site's
// clock, and in UTC; "" where it is not given.
func (c *call) publication(in input) (date, dateUTC string) {
	if v := in("date"); !php.Empty(v) {
		date = c.wallClock(v, c.req.Place.Site.Zone, true)
	}
	if v := in("date_utc"); !php.Empty(v) {
		dateUTC = c.utcClock(v)
	}
	return date, dateUTC
}

// wallClock is the clock that a date shows when it is read in a zone; a zone of its
// own is not converted. A number is a timestamp, whose clock is that of the zone if
// local is set, else that of UTC.
func (c *call) wallClock(v php.Value, zone *time.Location, local bool) string {
	s := php.ToString(v)
	if php.IsNumericString(s) {
		t := time.Unix(php.ToInt(s), 0).UTC()
		if local {
			t = t.In(zone)
		}
		return t.Format(api.MySQLTime)
	}
	r, err := c.req.Place.Site.Zones.Parse(s, c.req.Clock.Present, zone)
	if err != nil {
		return ""
	}
	return r.Wall()
}

// utcClock is a date in UTC, where it is taken to be unless it says otherwise.
func (c *call) utcClock(v php.Value) string {
	s := php.ToString(v)
	if php.IsNumericString(s) {
		return time.Unix(php.ToInt(s), 0).UTC().Format(api.MySQLTime)
	}
	r, err := c.req.Place.Site.Zones.Parse(s, c.req.Clock.Present, time.UTC)
	if err != nil {
		return ""
	}
	return r.Time.UTC().Format(api.MySQLTime)
}
