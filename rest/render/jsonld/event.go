package jsonld

import (
	"cmp"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/cost"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Event writes the member "json_ld" of an event, or nothing if this client may not see it.
// links has at most one post of each kind.
func (l *Writer) Event(w *phpjson.Writer, p Post, links []Link) {
	if !l.shows(p.Post) {
		return
	}
	first := func(key string) string { v, _ := p.Meta.First(key); return v }
	url := l.url(p.Post)
	w.Key("json_ld")
	w.BeginObject()
	w.KeyString("@context", "http://schema.org")
	l.writeHead(w, p, "Event")
	w.KeyString("url", url)
	w.KeyString("eventAttendanceMode", "https://schema.org/OfflineEventAttendanceMode")
	status := map[string]string{"canceled": "EventCancelled", "postponed": "EventPostponed"}[first("_tribe_events_status")]
	w.KeyString("eventStatus", "https://schema.org/"+cmp.Or(status, "EventScheduled"))
	w.KeyString("startDate", l.date(p.Meta, "_EventStartDate"))
	w.KeyString("endDate", l.date(p.Meta, "_EventEndDate"))
	for _, link := range links {
		l.writeLink(w, link)
	}
	l.writeOffers(w, p, url)
	w.KeyString("performer", "Organization")
	w.EndObject()
}

// url is the permalink, with a trailing slash if permalinks are pretty. In a URL with a
// query the reference encodes a slash at its end and adds another one.
func (l *Writer) url(p *wpstore.Post) string {
	link := l.Place.PostURL(p, l.Viewer.Viewable(p))
	if !l.Place.Links.Pretty {
		return link
	}
	if strings.Contains(link, "?") {
		link = phpform.AddQueryArg(link + "/")
	}
	return strings.TrimSuffix(link, "/") + "/"
}

// date writes a stored date as ISO 8601 with the offset of the event's zone,
// or in the site's zone where the site shows all dates in that.
func (l *Writer) date(m wpstore.Meta, key string) string {
	stored, _ := m.First(key)
	name, _ := m.First("_EventTimezone")
	zone := l.Place.Site.FixedZone
	if name != "" {
		var err error
		if zone, err = l.Place.Site.Zones.LiteralZone(name); err != nil {
			zone = time.UTC
		}
	}
	// The reference reads the stored text in PHP's own zone, UTC, and uses the result as
	// local time. A missing date is thus the present UTC time.
	read, err := l.Place.Site.Zones.Parse(stored, l.Clock.Present, time.UTC)
	if err != nil {
		return ""
	}
	at, err := time.ParseInLocation(api.MySQLTime, read.Wall(), zone)
	if err != nil {
		return ""
	}
	if l.Place.Site.SiteMode() {
		at = at.In(l.Place.Site.FixedZone)
	}
	return at.Format("2006-01-02T15:04:05-07:00")
}

// writeOffers writes the price, if there is one.
func (l *Writer) writeOffers(w *phpjson.Writer, p Post, url string) {
	locale := l.Place.Site.Facts.WPLang
	price := cost.Format(cost.Of(p.Meta.All("_EventCost"), locale), nil, locale, l.Place.Words)
	if price == "" {
		return
	}
	if price == l.Place.Words.Word("free") {
		price = "0"
	}
	code, _ := p.Meta.First("_EventCurrencyCode")
	if php.Empty(code) {
		code = l.Place.Site.OptionText("defaultCurrencyCode", "USD")
	}
	w.Key("offers")
	w.BeginObject()
	w.KeyString("@type", "Offer")
	w.KeyString("price", price)
	w.KeyString("priceCurrency", code)
	w.KeyString("url", url)
	w.KeyString("category", "primary")
	w.KeyString("availability", "inStock")
	w.KeyString("validFrom", l.validFrom(p.Post))
	w.EndObject()
}

// validFrom is the publication day, formatted by the site's date format and parsed in UTC. A
// format that PHP cannot parse gives 1970.
func (l *Writer) validFrom(p *wpstore.Post) string {
	at := time.Unix(0, 0)
	if published, err := time.ParseInLocation(api.MySQLTime, p.Date, l.Place.Site.Zone); err == nil {
		if unix, ok := l.Place.Site.Zones.Strtotime(phpdate.Format(published, l.Place.Site.Facts.DateFormat), l.Clock.Present, time.UTC); ok {
			at = time.Unix(unix, 0)
		}
	}
	return at.UTC().Format("2006-01-02T15:04:05-07:00")
}
