package ical

import (
	"fmt"
	"strings"
	"time"

	"calbridge/rest/phpdate"
	"calbridge/rest/wptext/sanitize"
)

// Event is an event of an export. Its texts are as stored in the database unless stated otherwise.
type Event struct {
	ID int64
	// Zone is the text that names its zone.
	Zone string
	// Start and End are the local times, as if they were in UTC.
	Start, End time.Time
	// AllDay reports that only the dates are written.
	AllDay            bool
	Created, Modified time.Time
	Title             string
	// Content is the rendered content; Protected replaces it if it isn't "".
	Content, Protected string
	URL                string
	// Location are the lines of the venue's address, the first being its rendered title.
	Location   []string
	Categories []string // names
	Image      *Image   // nil without one
	Organizer  *Organizer
}

// Image is the picture of an event; both are "" if the attachment is gone.
type Image struct{ Type, URL string }

// Organizer is the first organizer of an event, if it has an e-mail address.
type Organizer struct{ Name, Email string }

const (
	dateTime = `Ymd\THis`
	date     = `Ymd`
	utcTime  = `Ymd\THis\Z`
)

// event appends an event.
func (w *writer) event(e *Event, host string, zones *phpdate.Zones) {
	modified := phpdate.Format(e.Modified.UTC(), utcTime)
	w.line("BEGIN:VEVENT")
	w.dates(e, zones)
	w.line("DTSTAMP:", modified)
	w.line("CREATED:", phpdate.Format(e.Created.UTC(), utcTime))
	w.line("LAST-MODIFIED:", modified)
	w.line("UID:", fmt.Sprintf("%d-%d-%d@", e.ID, e.Start.Unix(), e.End.Unix()), host)
	w.line("SUMMARY:", w.text(sanitize.StripAllTags(e.Title)))
	w.line("DESCRIPTION:", w.description(e))
	if w.form != Standard || e.URL != "" {
		w.line("URL:", e.URL)
	}
	if location := w.location(e.Location); location != "" {
		w.line("LOCATION:", location)
	}
	if len(e.Categories) > 0 {
		w.line("CATEGORIES:", w.categories(e.Categories))
	}
	if e.Image != nil {
		w.image(e.Image)
	}
	if e.Organizer != nil {
		w.organizer(e.Organizer)
	}
	w.line("END:VEVENT")
}

// dates appends start and end. In the standard form, the end is never before the start.
func (w *writer) dates(e *Event, zones *phpdate.Zones) {
	ends := w.form != Standard || !e.End.Before(e.Start)
	if e.AllDay {
		w.line("DTSTART;VALUE=DATE:", phpdate.Format(e.Start, date))
		if ends {
			w.line("DTEND;VALUE=DATE:", phpdate.Format(e.End.AddDate(0, 0, 1), date))
		}
		return
	}
	zone, behind := ";TZID="+zones.RuledZone(e.Zone).Name, ""
	if w.form == Standard {
		if zone, behind = ";TZID="+standardName(zones.RuledZone(e.Zone)), ""; zone == ";TZID=UTC" {
			zone, behind = "", "Z"
		}
	}
	w.line("DTSTART", zone, ":", phpdate.Format(e.Start, dateTime), behind)
	if ends {
		w.line("DTEND", zone, ":", phpdate.Format(e.End, dateTime), behind)
	}
}

// description returns the content without tags. A blank after each paragraph separates it from the
// next one.
func (w *writer) description(e *Event) string {
	if e.Protected != "" {
		if w.form == Standard {
			return w.text(e.Protected)
		}
		return e.Protected
	}
	return w.text(sanitize.StripAllTags(strings.ReplaceAll(e.Content, "</p>", "</p> ")))
}

// image appends the picture of an event. The standard form omits it if there is none.
func (w *writer) image(image *Image) {
	switch {
	case w.form != Standard:
		w.line("ATTACH;FMTTYPE=", image.Type, ":", image.URL)
	case image.URL != "" && isMediaType(image.Type):
		w.line("ATTACH;FMTTYPE=", image.Type, ":", image.URL)
	case image.URL != "":
		w.line("ATTACH:", image.URL)
	}
}

// isMediaType reports whether a text is a media type.
func isMediaType(s string) bool {
	kind, sub, ok := strings.Cut(s, "/")
	wrong := func(c rune) bool { return !isLetterOrDigit(c) && !strings.ContainsRune("!#$&.+-^_", c) }
	return ok && kind != "" && sub != "" && !strings.ContainsFunc(kind, wrong) && !strings.ContainsFunc(sub, wrong)
}
