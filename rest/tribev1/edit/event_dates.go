package edit

import (
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
)

// writtenDates are the dates that a write stores with an event. If given is false, the write leaves
// them unchanged.
type writtenDates struct {
	given            bool
	start, end       string // on the clock of the event's zone
	startUTC, endUTC string
	duration         int64 // seconds
}

// eventDates reads start and end of one event from a request.
type eventDates struct {
	dateReader
	in     *api.Params
	site   *wpsite.Site
	zone   string // name of the event's zone
	stored *rowedit.MetaEdit
}

// eventZone returns the name of the event's zone: the request's, else the site's.
func eventZone(in *api.Params, facts *wpstore.SiteFacts) string {
	if zone := in.Text("timezone"); !php.Empty(zone) {
		return zone
	}
	return phpdate.SiteZoneName(facts.TimezoneString, facts.GMTOffset)
}

// read takes start and end from the request. It ignores one without the other, except for all-day
// events, whose other date comes from the database.
func (d *eventDates) read() (writtenDates, error) {
	location, err := d.zones.EventZone(d.zone)
	if err != nil {
		return writtenDates{}, api.Fail("internal_server_error").Because(err)
	}
	w := writtenDates{start: d.local("start_date", "_EventStartDate", location), end: d.local("end_date", "_EventEndDate", location)}
	if w.start == "" || w.end == "" {
		return writtenDates{}, nil
	}
	if allDay(d.in) {
		w.start, w.end = wholeDays(d.site, w.start, w.end)
	}
	start, ok1 := d.instant(d.zone, w.start)
	end, ok2 := d.instant(d.zone, w.end)
	if !ok1 || !ok2 {
		return writtenDates{}, nil
	}
	w.given = true
	// Clock times that the zone skips have moved.
	w.start, w.end = start.Format(api.MySQLTime), end.Format(api.MySQLTime)
	w.startUTC, w.endUTC = start.UTC().Format(api.MySQLTime), end.UTC().Format(api.MySQLTime)
	w.duration = int64(end.Sub(start) / time.Second)
	if start.After(end) { // the end in UTC stays what it was, known difference F3
		w.end, w.duration = w.start, 0
		if d.site.Compat.Fixed() {
			w.endUTC = w.startUTC
		}
	}
	return w, nil
}

// local returns the date of a parameter on the clock of the event's zone. Where the stored date
// counts, it is the one under key; "" for none.
func (d *eventDates) local(name, key string, location *time.Location) string {
	if v := d.in.Get(name); !php.Empty(v) {
		return d.wall(v, location, false)
	}
	if allDay(d.in) || d.zoneMoves() {
		stored, _ := d.stored.First(key)
		return stored
	}
	return ""
}

// zoneMoves reports whether the zone changes and the request has no dates. The stored dates are
// then converted, which the reference doesn't do (known difference F3).
func (d *eventDates) zoneMoves() bool {
	stored, _ := d.stored.First("_EventTimezone")
	return d.site.Compat.Fixed() && stored != d.zone && php.Empty(d.in.Get("start_date")) && php.Empty(d.in.Get("end_date"))
}

func allDay(in *api.Params) bool { return php.ToBool(in.Get("all_day")) }

// wholeDays extends two clock times to whole days, which begin at the site's cutoff.
func wholeDays(site *wpsite.Site, start, end string) (string, string) {
	from, err1 := time.Parse(api.MySQLTime, start)
	to, err2 := time.Parse(api.MySQLTime, end)
	if err1 != nil || err2 != nil {
		return start, end
	}
	hours, minutes := site.DayCutoff()
	from = time.Date(from.Year(), from.Month(), from.Day(), hours, minutes, 0, 0, time.UTC)
	to = time.Date(to.Year(), to.Month(), to.Day()+1, hours, minutes, -1, 0, time.UTC)
	return from.Format(api.MySQLTime), to.Format(api.MySQLTime)
}

// eventPublication reads the publication date: as local time without conversion between
// zones, and in UTC; "" where it is not given.
func eventPublication(in *api.Params, reader dateReader, site *wpsite.Site, zone string) (date, dateUTC string) {
	location, err := site.Zones.EventZone(zone)
	if err != nil {
		location = site.Zone
	}
	return reader.wall(in.Get("date"), location, false), reader.utc(in.Get("date_utc"))
}
