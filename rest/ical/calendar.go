package ical

import (
	"crypto/md5"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"calbridge/rest/phpdate"
)

// Calendar is an export.
type Calendar struct {
	// Name is the option blogname as it is stored.
	Name string
	// Home is the site's address, Host its host.
	Home, Host string
	// Version is The Events Calendar's.
	Version string
	// Description is the wording of X-WR-CALDESC, with %s for the name.
	Description string
	// Outlook reports that the export is for Outlook.
	Outlook bool
	Events  []Event
	Form    Form
	// Present is the clock, whose time replaces a year that can't be written; nil is the end of
	// that year.
	Present func() time.Time
}

// AppendTo appends the export to a text and returns it. The standard form leaves out events
// whose dates it can't express.
func (c *Calendar) AppendTo(b []byte, zones *phpdate.Zones) []byte {
	w := &writer{b: b, form: c.Form}
	name := w.name(c.Name)
	w.line("BEGIN:VCALENDAR")
	w.line("VERSION:2.0")
	w.line("PRODID:-//", name, " - ECPv", c.Version, "//NONSGML v1.0//EN")
	w.line("CALSCALE:GREGORIAN")
	w.line("METHOD:PUBLISH")
	if !c.Outlook && name != "" {
		w.line("X-WR-CALNAME:", name)
	}
	w.line("X-ORIGINAL-URL:", c.Home)
	w.line("X-WR-CALDESC:", strings.Replace(c.Description, "%s", name, 1))
	w.line("REFRESH-INTERVAL;VALUE=DURATION:PT1H")
	w.line("X-Robots-Tag:noindex")
	w.line("X-PUBLISHED-TTL:PT1H")
	events := c.Events
	if c.Form == Standard {
		events = expressible(events)
		w.standardZones(events, zones)
	} else {
		w.zones(events, zones, c.Present)
	}
	for i := range events {
		w.event(&events[i], c.Host, zones)
	}
	w.b = append(w.b, "END:VCALENDAR"...)
	if c.Form == Standard {
		w.b = append(w.b, lineEnd...)
	}
	return w.b
}

// FileName returns the name under which browsers store the export: that of the site, and 11
// digits of a hash over its kind and the events' ids. slug is the site's name as
// sanitize_title makes it.
func (c *Calendar) FileName(slug string) string {
	kind := "ical"
	if c.Outlook {
		kind = "outlook"
	}
	glued := []byte(kind)
	for i := range c.Events {
		glued = strconv.AppendInt(glued, c.Events[i].ID, 10)
	}
	sum := md5.Sum(glued)
	const digits = 11
	name := strings.ReplaceAll(slug, "%", "") + "-" + hex.EncodeToString(sum[:])[:digits] + ".ics"
	return strings.TrimLeft(name, "-")
}
