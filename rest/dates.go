package rest

import (
	"strconv"
	"strings"
	"time"

	"calbridge/wpstore/php"
)

// mysqlTime is the form in which WordPress stores and compares dates.
const mysqlTime = "2006-01-02 15:04:05"

// present is the time of the request. Who asks makes the answer one that holds for
// this second only.
func (c *call) present() time.Time {
	c.timely = true
	return c.now
}

// startDateDefault is yesterday 23:59 in UTC, PHP's own zone, shown in the site's
// zone.
func startDateDefault(c *call) php.Value {
	y, m, d := c.present().UTC().AddDate(0, 0, -1).Date()
	return time.Date(y, m, d, 23, 59, 0, 0, time.UTC).In(c.site.zone).Format(mysqlTime)
}

// endDateDefault is 24 months from now, in UTC.
func endDateDefault(c *call) php.Value {
	return c.present().UTC().AddDate(0, 24, 0).Format(mysqlTime)
}

// perPageDefault is the calendar's own page size, else the site's, with the type
// that it is stored with, else 20.
func perPageDefault(c *call) php.Value {
	v := c.site.option("posts_per_page")
	if v == nil {
		v = c.site.facts.PostsPerPage
	}
	if php.Empty(v) {
		return int64(20)
	}
	return v
}

// strictDates says whether the dates of the request are taken at their exact
// times instead of whole days.
func (c *call) strictDates() bool {
	switch strings.ToLower(c.req.text("strict_dates")) {
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
		return c.instant(v).In(c.site.zone).Format(mysqlTime)
	}
	var day time.Time
	if php.ToString(v) == "0" {
		day = c.present()
	} else {
		day = c.instant(v)
	}
	y, m, d := day.UTC().Date()
	hours, minutes := c.dayCutoff()
	if endOfDay {
		d++
	}
	t := time.Date(y, m, d, hours, minutes, 0, 0, time.UTC)
	if endOfDay {
		t = t.Add(-time.Second)
	}
	return t.Format(mysqlTime)
}

// instant reads a whole number as a Unix timestamp and other text as PHP reads
// dates in UTC. The argument's validator has accepted it; what is no date
// nonetheless counts as the epoch.
func (c *call) instant(v php.Value) time.Time {
	s := php.ToString(v)
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return time.Unix(n, 0)
	}
	unix, ok := c.srv.zones.Strtotime(s, c.present, time.UTC)
	if !ok {
		return time.Unix(php.ToInt(v), 0)
	}
	return time.Unix(unix, 0)
}

// dateParts returns year, month, day, hour, minutes and seconds of a stored date,
// as text. The stored form is cut apart; other text is read as PHP reads it, and
// what is no date is the epoch.
func (c *call) dateParts(stored string) [6]string {
	if len(stored) == len(mysqlTime) && isStoredDate(stored) {
		return [6]string{stored[0:4], stored[5:7], stored[8:10], stored[11:13], stored[14:16], stored[17:19]}
	}
	t := time.Unix(0, 0).UTC()
	if stored != "" {
		if r, err := c.srv.zones.Parse(stored, c.present, time.UTC); err == nil {
			t = r.Time.UTC()
		}
	}
	var out [6]string
	copy(out[:], strings.Fields(t.Format("2006 01 02 15 04 05")))
	return out
}

// isStoredDate says whether s is a real date and time in the stored form.
func isStoredDate(s string) bool {
	_, err := time.Parse(mysqlTime, s)
	return err == nil
}

// dayCutoff is the time of day at which the site's event days begin.
func (c *call) dayCutoff() (hours, minutes int) {
	h, m, ok := strings.Cut(c.site.optionText("multiDayCutoff", "00:00"), ":")
	if !ok {
		return 0, 0
	}
	return int(php.ToInt(h)), int(php.ToInt(m))
}
