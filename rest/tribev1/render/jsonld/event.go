package jsonld

import (
	"cmp"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/rest/trait"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
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
	status := map[string]string{"canceled": "EventCancelled", "postponed": "EventPostponed"}[p.Meta.Single(wpstore.MetaStatus).Text()]
	w.KeyString("eventStatus", "https://schema.org/"+cmp.Or(status, "EventScheduled"))
	w.KeyString("startDate", l.date(p.Meta, wpstore.MetaStart, wpstore.MetaStartUTC))
	w.KeyString("endDate", l.date(p.Meta, wpstore.MetaEnd, wpstore.MetaEndUTC))
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
func (l *Writer) date(m wpstore.Meta, local, utc wpstore.MetaKey) string {
	site, name := l.Place.Site, m.Single(wpstore.MetaTimezone).Text()
	own := phpdate.SiteZoneName(site.Facts.TimezoneString, site.Facts.GMTOffset)
	if site.SiteMode() && site.Facts.TimezoneString == "" && !php.Empty(name) && name != own {
		at, err := site.Zones.Parse(m.Single(utc).Text(), l.Clock.Present, time.UTC)
		if err != nil {
			return ""
		}
		return iso(at.Time.In(site.FixedZone))
	}
	wall, ok := l.wallClock(m.Single(local).Text())
	if !ok {
		return ""
	}
	zone := phpdate.EventLiteral{Location: site.FixedZone}
	if !php.Empty(name) {
		var err error
		if zone, err = site.Zones.EventLiteral(name); err != nil {
			zone.Location = time.UTC
		}
	}
	at := time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), 0, zone.Location)
	switch {
	case site.SiteMode():
		return iso(at.In(site.FixedZone))
	case zone.ReadInUTC:
		return iso(wall.In(zone.Location))
	case zone.ShownInUTC:
		return at.UTC().Format(api.MySQLTime)
	}
	return iso(at)
}

// iso writes a time as ISO 8601, with a year of four digits.
func iso(at time.Time) string { return phpdate.Format(at, `Y-m-d\TH:i:sP`) }

// wallClock reads a stored date. The reference reads it in PHP's own zone, UTC, and uses the
// result as local time. A missing date is thus the present UTC time. Before that, one that is
// missing or unreadable was the present time of the site.
func (l *Writer) wallClock(stored string) (time.Time, bool) {
	now := l.Clock.Present
	read, err := l.Place.Site.Zones.Parse(stored, now, time.UTC)
	if l.traits().Has(trait.FallbackDatesInUTC) && (err != nil || stored == "") {
		return asUTC(now().In(l.Place.Site.Zone)), true
	}
	if err != nil {
		return time.Time{}, false
	}
	return asUTC(read.Time), true
}

// asUTC returns the time at which clocks of UTC show what a time shows in its own zone.
func asUTC(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, time.UTC)
}
