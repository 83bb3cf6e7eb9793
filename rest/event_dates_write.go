package rest

import (
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/wpstore/php"
)

// writtenDates are the dates that a write stores with an event; given is false
// where it leaves them alone.
type writtenDates struct {
	given            bool
	start, end       string // on the clock of the event's zone
	startUTC, endUTC string
	duration         int64 // seconds
}

// eventZoneName is the zone that the event gets: the request's, else the site's.
func (w *eventWrite) eventZoneName() string {
	if zone := w.req.Text("timezone"); !php.Empty(zone) {
		return zone
	}
	return phpdate.SiteZoneName(w.req.Place.Site.Facts.TimezoneString, w.req.Place.Site.Facts.GMTOffset)
}

// instantIn reads a stored local date in the zone of an event.
func (w *eventWrite) instantIn(zone, local string) (time.Time, bool) {
	location, err := w.req.Place.Site.Zones.EventZone(zone)
	if err != nil || !api.IsStoredDate(local) {
		return time.Time{}, false
	}
	r, err := w.req.Place.Site.Zones.Parse(local, w.req.Clock.Present, location)
	if err != nil {
		return time.Time{}, false
	}
	return r.Time, true
}

// readDates takes start and end from the request. One alone counts for nothing,
// except for an event that lasts all day, which takes the other from what is
// stored.
func (w *eventWrite) readDates() (writtenDates, error) {
	location, err := w.req.Place.Site.Zones.EventZone(w.zone)
	if err != nil {
		e := api.Fail("internal_server_error")
		e.Cause = err
		return writtenDates{}, e
	}
	allDay := w.allDay()
	wall := func(name, key string) string {
		if v := w.req.Get(name); !php.Empty(v) {
			return w.wallClock(v, location, false)
		}
		if !w.created && (allDay || w.zoneMoves()) {
			stored, _ := w.edit.Meta.First(key)
			return stored
		}
		return ""
	}
	d := writtenDates{start: wall("start_date", "_EventStartDate"), end: wall("end_date", "_EventEndDate")}
	if d.start == "" || d.end == "" {
		return writtenDates{}, nil
	}
	if allDay {
		d.start, d.end = w.wholeDays(d.start, d.end)
	}
	start, ok1 := w.instantIn(w.zone, d.start)
	end, ok2 := w.instantIn(w.zone, d.end)
	if !ok1 || !ok2 {
		return writtenDates{}, nil
	}
	d.given = true
	// Clock times that the zone skips have moved on.
	d.start, d.end = start.Format(api.MySQLTime), end.Format(api.MySQLTime)
	d.startUTC, d.endUTC = start.UTC().Format(api.MySQLTime), end.UTC().Format(api.MySQLTime)
	d.duration = int64(end.Sub(start) / time.Second)
	if start.After(end) { // the end in UTC stays what it was, known difference F3
		d.end, d.duration = d.start, 0
		if w.req.Place.Site.Compat.Fixed() {
			d.endUTC = d.startUTC
		}
	}
	return d, nil
}

// zoneMoves says whether dates that the request does not name have to be read anew,
// because the zone changes. Known difference F3: the reference does not.
func (w *eventWrite) zoneMoves() bool {
	stored, _ := w.edit.Meta.First("_EventTimezone")
	return w.req.Place.Site.Compat.Fixed() && stored != w.zone && php.Empty(w.req.Get("start_date")) && php.Empty(w.req.Get("end_date"))
}

func (w *eventWrite) allDay() bool { return php.ToBool(w.req.Get("all_day")) }

// wholeDays widens two clock times to the days that they lie on, which begin at
// the site's cutoff.
func (w *eventWrite) wholeDays(start, end string) (string, string) {
	from, err1 := time.Parse(api.MySQLTime, start)
	to, err2 := time.Parse(api.MySQLTime, end)
	if err1 != nil || err2 != nil {
		return start, end
	}
	hours, minutes := w.req.Place.Site.DayCutoff()
	from = time.Date(from.Year(), from.Month(), from.Day(), hours, minutes, 0, 0, time.UTC)
	to = time.Date(to.Year(), to.Month(), to.Day()+1, hours, minutes, -1, 0, time.UTC)
	return from.Format(api.MySQLTime), to.Format(api.MySQLTime)
}

// eventPublication reads the publication date: on the site's clock as the date
// shows it, whatever zone it is in, and in UTC.
func (w *eventWrite) eventPublication() (date, dateUTC string) {
	zone, err := w.req.Place.Site.Zones.EventZone(w.zone)
	if err != nil {
		zone = w.req.Place.Site.Zone
	}
	if v := w.req.Get("date"); !php.Empty(v) {
		date = w.wallClock(v, zone, false)
	}
	if v := w.req.Get("date_utc"); !php.Empty(v) {
		dateUTC = w.utcClock(v)
	}
	return date, dateUTC
}
