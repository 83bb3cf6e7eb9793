package jsonld

import (
	"cmp"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/rest/trait"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
)

// Event writes the member "json_ld" of an event, or nothing if this client may not see it.
// links has at most one post of each kind. Offers of tickets replace the price, and come
// before the dates.
func (l *Writer) Event(w *phpjson.Writer, p Post, links []Link) {
	if !l.shows(p.Post) {
		return
	}
	url := l.url(p.Post)
	w.Key("json_ld")
	w.BeginObject()
	w.KeyString("@context", "http://schema.org")
	l.writeHead(w, p, "Event")
	w.KeyString("url", url)
	if len(p.Tickets) > 0 {
		l.writeTickets(w, p.Tickets, url)
	}
	w.KeyString("eventAttendanceMode", "https://schema.org/OfflineEventAttendanceMode")
	status := map[string]string{"canceled": "EventCancelled", "postponed": "EventPostponed"}[p.Meta.Text("_tribe_events_status")]
	w.KeyString("eventStatus", "https://schema.org/"+cmp.Or(status, "EventScheduled"))
	w.KeyString("startDate", l.date(p.Meta, "_EventStartDate"))
	w.KeyString("endDate", l.date(p.Meta, "_EventEndDate"))
	for _, link := range links {
		l.writeLink(w, link)
	}
	if len(p.Tickets) == 0 {
		l.writeOffers(w, p, url)
	}
	w.KeyString("performer", "Organization")
	w.EndObject()
}

// url returns the permalink, with a trailing slash if permalinks are pretty. In a URL with a
// query the reference encodes a slash at its end and adds another one.
func (l *Writer) url(p *wpstore.Post) string {
	link := l.Place.PostURL(p, l.Viewer.Viewable(p))
	if !l.Place.Links.Pretty {
		return link
	}
	if strings.Contains(link, "?") {
		link = phpform.AddQueryArg(link + "/")
	}
	return escape.RawURL(strings.TrimSuffix(link, "/") + "/")
}

// date writes a stored date as ISO 8601 with the offset of the event's zone,
// or in the site's zone where the site shows all dates in that.
func (l *Writer) date(m wpstore.Meta, key string) string {
	stored, name := m.Text(key), m.Text("_EventTimezone")
	zone := l.Place.Site.FixedZone
	if name != "" {
		var err error
		if zone, err = l.Place.Site.Zones.LiteralZone(name); err != nil {
			zone = time.UTC
		}
	}
	wall, ok := l.wallClock(stored)
	if !ok {
		return ""
	}
	at, err := time.ParseInLocation(api.MySQLTime, wall, zone)
	if err != nil {
		return ""
	}
	if l.Place.Site.SiteMode() {
		at = at.In(l.Place.Site.FixedZone)
	}
	return at.Format("2006-01-02T15:04:05-07:00")
}

// wallClock reads a stored date. The reference reads it in PHP's own zone, UTC, and uses the
// result as local time. A missing date is thus the present UTC time. Before that, one that is
// missing or unreadable was the present time of the site.
func (l *Writer) wallClock(stored string) (string, bool) {
	now := l.Clock.Present
	read, err := l.Place.Site.Zones.Parse(stored, now, time.UTC)
	if l.traits().Has(trait.FallbackDatesInUTC) && (err != nil || stored == "") {
		return now().In(l.Place.Site.Zone).Format(api.MySQLTime), true
	}
	if err != nil {
		return "", false
	}
	return read.Wall(), true
}
