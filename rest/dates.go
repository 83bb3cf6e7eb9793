package rest

import (
	"strconv"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// strictDates says whether the dates of the request are taken at their exact
// times instead of whole days.
func (c *call) strictDates() bool {
	switch strings.ToLower(c.req.Text("strict_dates")) {
	case "1", "true", "on", "yes":
		return true
	}
	return false
}

// dateBound converts the value of a date argument to the text that the list
// compares with. endOfDay chooses the last second of the day over its start;
// every argument but start_date takes the end.
func (c *call) dateBound(v php.Value, strict, endOfDay bool) string {
	if strict {
		return c.instant(v).In(c.req.Place.Site.Zone).Format(api.MySQLTime)
	}
	var day time.Time
	if php.ToString(v) == "0" {
		day = c.req.Clock.Present()
	} else {
		day = c.instant(v)
	}
	y, m, d := day.UTC().Date()
	hours, minutes := c.req.Place.Site.DayCutoff()
	if endOfDay {
		d++
	}
	t := time.Date(y, m, d, hours, minutes, 0, 0, time.UTC)
	if endOfDay {
		t = t.Add(-time.Second)
	}
	return t.Format(api.MySQLTime)
}

// instant reads a whole number as a Unix timestamp and other text as PHP reads
// dates in UTC. The argument's validator has accepted it; what is no date
// nonetheless counts as the epoch.
func (c *call) instant(v php.Value) time.Time {
	s := php.ToString(v)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return time.Unix(n, 0)
	}
	unix, ok := c.req.Place.Site.Zones.Strtotime(s, c.req.Clock.Present, time.UTC)
	if !ok {
		return time.Unix(php.ToInt(v), 0)
	}
	return time.Unix(unix, 0)
}
