package calfeed

import (
	"calbridge/rest/rfc5545"
)

// format writes a feed in one format. Each method appends to a text.
type format interface {
	contentType() string
	head(b []byte) []byte
	event(b []byte, e *rfc5545.Event) []byte
	end(b []byte) []byte
}

// iCalendar writes iCalendar.
type iCalendar struct{ rfc5545.Calendar }

func newICalendar(f *feed) format {
	site := f.Place.Site
	zone := ""
	if location := site.Zones.Identifier(site.Facts.TimezoneString); location != nil {
		zone = location.String()
	}
	return &iCalendar{rfc5545.Calendar{
		Name: f.name(), Home: f.Place.Links.Home, Source: f.source(), Color: rfc5545.ColorOf(f.Place.GlobalID + f.path), TimeZone: zone, Zones: f.zones,
	}}
}

func (*iCalendar) contentType() string { return rfc5545.ContentType }

func (c *iCalendar) head(b []byte) []byte { return c.AppendHead(b) }

func (c *iCalendar) event(b []byte, e *rfc5545.Event) []byte { return c.AppendEvent(b, e) }

func (c *iCalendar) end(b []byte) []byte { return c.AppendEnd(b) }
