package rfc5545

import (
	"math"
	"strconv"
	"time"
)

// Event is an event of a feed.
type Event struct {
	UID      string
	Sequence int64
	// Created and Modified are when it was published and last changed; zero if that is
	// unknown.
	Created, Modified time.Time
	Dates
	// Cancelled reports that only dates are written.
	Cancelled bool

	Title string // plain
	HTML  string
	URL   string
	// Location is the venue's address, plain.
	Location   string
	Geo        *Geo // nil without coordinates
	Categories []string
	Image      *Image
	Organizer  *Organizer
}

// Dates are the dates of an event.
type Dates struct {
	AllDay bool
	// Start and End are local times, as if they were in UTC. The end of an event of whole days is a
	// time of its last day.
	Start, End time.Time
	// StartUTC and EndUTC are the instants.
	StartUTC, EndUTC time.Time
	// Zone is in the tz database, or nil for an event in any other zone.
	Zone *time.Location
}

// Geo are coordinates in degrees.
type Geo struct{ Latitude, Longitude float64 }

// NewGeo returns coordinates, nil for a place that isn't on Earth.
func NewGeo(latitude, longitude float64) *Geo {
	if !(math.Abs(latitude) <= 90 && math.Abs(longitude) <= 180) {
		return nil
	}
	return &Geo{latitude, longitude}
}

// Image is a picture; Type is its media type.
type Image struct{ Type, URL string }

// Organizer is the first organizer. Without an e-mail address its page stands for it.
type Organizer struct{ Name, Email, URL string }

const (
	localTime = "20060102T150405"
	utcTime   = "20060102T150405Z"
	dateOnly  = "20060102"
)

// writable reports whether dates have four-digit years, as RFC 5545 requires.
func writable(all ...time.Time) bool {
	for _, t := range all {
		if t.Year() < 1 || t.Year() > 9999 {
			return false
		}
	}
	return true
}

// CanBeWritten reports whether the dates can be written at all. An event with other dates is left
// out of the feed.
func (d *Dates) CanBeWritten() bool {
	if !d.AllDay {
		return writable(d.StartUTC, d.EndUTC)
	}
	return writable(d.Start, d.End) && (oneDay(d) || writable(d.End.AddDate(0, 0, 1)))
}

func oneDay(d *Dates) bool { return d.End.Format(dateOnly) <= d.Start.Format(dateOnly) }

// append appends an event whose dates can be written. If it is the first event in its zone, the
// description of the zone comes before it.
func (e *Event) append(b []byte, zones *Zones) []byte {
	zoned := !e.AllDay && e.Zone != nil && zones.covers(e.Start, e.StartUTC, e.Zone) && zones.covers(e.End, e.EndUTC, e.Zone)
	if zoned {
		b = zones.appendTo(b, e.Zone)
	}
	b = appendLine(b, "BEGIN:VEVENT")
	b = appendLine(b, "UID:", line(e.UID))
	// Without METHOD, this is the time of the last change (RFC 5545, section 3.8.7.2).
	stamp := e.Modified
	if !writable(stamp) || stamp.IsZero() {
		stamp = time.Unix(0, 0)
	}
	b = appendLine(b, "DTSTAMP:", stamp.UTC().Format(utcTime))
	b = appendLine(b, "SEQUENCE:", strconv.FormatInt(e.Sequence, 10))
	b = e.appendDates(b, zoned)
	if e.Cancelled {
		b = appendLine(b, "STATUS:CANCELLED")
		return appendLine(b, "END:VEVENT")
	}
	b = appendLine(b, "STATUS:CONFIRMED")
	for _, at := range []struct {
		name string
		time.Time
	}{{"CREATED:", e.Created}, {"LAST-MODIFIED:", e.Modified}} {
		if !at.IsZero() && writable(at.Time) {
			b = appendLine(b, at.name, at.UTC().Format(utcTime))
		}
	}
	b = e.appendTexts(b)
	return appendLine(b, "END:VEVENT")
}

// appendDates writes start and end. An end that isn't after the start is omitted: the event then
// takes its day, or no time.
func (e *Event) appendDates(b []byte, zoned bool) []byte {
	switch {
	case e.AllDay:
		b = appendLine(b, "DTSTART;VALUE=DATE:", e.Start.Format(dateOnly))
		if !oneDay(&e.Dates) || writable(e.Start.AddDate(0, 0, 1)) {
			last := e.End
			if oneDay(&e.Dates) {
				last = e.Start
			}
			b = appendLine(b, "DTEND;VALUE=DATE:", last.AddDate(0, 0, 1).Format(dateOnly))
		}
	case zoned:
		zone := ";TZID=" + e.Zone.String() + ":"
		b = appendLine(b, "DTSTART", zone, e.Start.Format(localTime))
		if e.EndUTC.After(e.StartUTC) {
			b = appendLine(b, "DTEND", zone, e.End.Format(localTime))
		}
	default:
		b = appendLine(b, "DTSTART:", e.StartUTC.UTC().Format(utcTime))
		if e.EndUTC.After(e.StartUTC) {
			b = appendLine(b, "DTEND:", e.EndUTC.UTC().Format(utcTime))
		}
	}
	return b
}

func (e *Event) appendTexts(b []byte) []byte {
	b = appendLine(b, "SUMMARY:", line(e.Title))
	if e.HTML != "" {
		if plain := text(Plain(e.HTML)); plain != "" {
			b = appendLine(b, "DESCRIPTION:", plain)
		}
		styled := text(e.HTML)
		b = appendLine(b, "STYLED-DESCRIPTION;VALUE=TEXT;FMTTYPE=text/html:", styled)
		b = appendLine(b, "X-ALT-DESC;FMTTYPE=text/html:", styled)
	}
	if e.URL != "" {
		b = appendLine(b, "URL:", uri(e.URL))
	}
	if location := line(e.Location); location != "" {
		b = appendLine(b, "LOCATION:", location)
	}
	if e.Geo != nil {
		b = appendLine(b, "GEO:", degrees(e.Geo.Latitude), ";", degrees(e.Geo.Longitude))
	}
	var names []string
	for _, name := range e.Categories {
		if name = line(name); name != "" {
			if len(names) > 0 {
				names = append(names, ",")
			}
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		b = appendLine(b, append([]string{"CATEGORIES:"}, names...)...)
	}
	if e.Organizer != nil {
		if address := e.Organizer.address(); address != "" {
			b = appendLine(b, "ORGANIZER;CN=", parameter(e.Organizer.Name), ":", address)
		}
	}
	if e.Image != nil && e.Image.URL != "" {
		b = appendLine(b, "IMAGE;VALUE=URI;DISPLAY=BADGE", e.Image.format(), ":", uri(e.Image.URL))
	}
	return b
}

func (o *Organizer) address() string {
	if address := mailto(o.Email); address != "" {
		return address
	}
	return uri(o.URL)
}

// format returns the parameter with the media type, "" for a type that isn't one.
func (i *Image) format() string {
	for _, c := range []byte(i.Type) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '/' || c == '.' || c == '+' || c == '-') {
			return ""
		}
	}
	if i.Type == "" {
		return ""
	}
	return ";FMTTYPE=" + i.Type
}

func degrees(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
