package rfc5545

// Calendar is a feed. Its parts are written in this order: the head, events, the end.
type Calendar struct {
	Name string // plain
	// Home is the site's address, Source the feed's.
	Home, Source string
	// Color is the name of a color, such as [ColorOf] returns.
	Color string
	// TimeZone is the name of the site's zone, "" if it is not in the tz database.
	TimeZone string
	Zones    *Zones

	events int // written so far
}

// ContentType is the content type of feeds.
const ContentType = "text/calendar; charset=utf-8"

// AppendHead appends what comes before the first event.
func (c *Calendar) AppendHead(b []byte) []byte {
	b = appendLine(b, "BEGIN:VCALENDAR")
	b = appendLine(b, "VERSION:2.0")
	b = appendLine(b, "PRODID:-//calbridge//feed//EN")
	b = appendLine(b, "CALSCALE:GREGORIAN")
	if name := line(c.Name); name != "" {
		b = appendLine(b, "NAME:", name)
		b = appendLine(b, "X-WR-CALNAME:", name) // what most programs read
	}
	if c.Home != "" {
		b = appendLine(b, "URL:", uri(c.Home))
	}
	if c.Source != "" {
		b = appendLine(b, "SOURCE;VALUE=URI:", uri(c.Source))
	}
	if c.Color != "" {
		b = appendLine(b, "COLOR:", c.Color)
	}
	b = appendLine(b, "REFRESH-INTERVAL;VALUE=DURATION:PT1H")
	b = appendLine(b, "X-PUBLISHED-TTL:PT1H")
	if zone := line(c.TimeZone); zone != "" {
		b = appendLine(b, "X-WR-TIMEZONE:", zone)
	}
	return b
}

// AppendEvent appends an event whose dates can be written.
func (c *Calendar) AppendEvent(b []byte, e *Event) []byte {
	c.events++
	return e.append(b, c.Zones)
}

// AppendEnd appends what comes after the last event. A calendar needs a component: one without
// events describes UTC.
func (c *Calendar) AppendEnd(b []byte) []byte {
	if c.events == 0 {
		b = appendLine(b, "BEGIN:VTIMEZONE")
		b = appendLine(b, "TZID:UTC")
		b = appendLine(b, "BEGIN:STANDARD")
		b = appendLine(b, "DTSTART:19700101T000000")
		b = appendLine(b, "TZOFFSETFROM:+0000")
		b = appendLine(b, "TZOFFSETTO:+0000")
		b = appendLine(b, "END:STANDARD")
		b = appendLine(b, "END:VTIMEZONE")
	}
	return appendLine(b, "END:VCALENDAR")
}
