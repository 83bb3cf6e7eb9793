package calevent

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/rfc5545"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/media"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Feed renders events of feeds. It is not safe for concurrent use.
type Feed struct {
	Source
	// Described, if not nil, returns WordPress's rendering of the text of an event. It is called for texts that
	// only WordPress can render.
	Described func(id int64) (html string, ok bool)
	// unknown are blocks and shortcodes of other plugins.
	unknown []string
}

// Rendering returns what rendering has found out so far.
func (f *Feed) Rendering() (l api.Rendering) {
	l.Modified, l.NotRendered = f.modified, slices.Clone(f.unknown)
	return l
}

// Event returns an event of the set, which no password protects, as feeds show it: with the
// dates, texts and links of lists. Unlike there, its texts don't depend on the events before
// it, so that an event stays the same when others change.
func (f *Feed) Event(set *loader.Set, p *wpstore.Post) *rfc5545.Event {
	m := set.Meta[p.ID]
	var state wptext.RequestState
	e := &rfc5545.Event{
		Dates: f.Dates(m), Title: rfc5545.PlainLine(f.Place.Text.Title(p.Title)), URL: f.permalink(p),
		HTML: content.Render(p.Content, f.Place.Text, set.Media, &state),
	}
	f.SetID(e, p)
	if unknown := slices.Collect(maps.Keys(state.Unknown())); len(unknown) > 0 && !f.describe(e, p.ID) {
		f.unknown = append(f.unknown, unknown...)
	}
	if id := loader.Picture(m); id > 0 {
		mime, url := media.OriginalFile(set.Media.Attachments[id], f.Place.Text.UploadsURL)
		e.Image = &rfc5545.Image{Type: mime, URL: url}
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		for _, t := range set.Terms[p.ID] {
			if t.Taxonomy == tax.Name {
				e.Categories = append(e.Categories, rfc5545.PlainLine(t.Name))
			}
		}
	}
	language := f.Place.Lang.Linked(true)
	for _, venue := range set.Linked(m, api.Venues, language) {
		if venue.Password == "" {
			f.setVenue(e, venue, set.Meta[venue.ID])
			break
		}
	}
	for _, organizer := range set.Linked(m, api.Organizers, language) {
		if organizer.Password == "" {
			email := set.Meta[organizer.ID].Single(wpstore.MetaOrganizerEmail).Text()
			e.Organizer = &rfc5545.Organizer{Name: rfc5545.PlainLine(f.Place.Text.Title(organizer.Title)), Email: email, URL: f.permalink(organizer)}
			break
		}
	}
	return e
}

// describe replaces the text of an event by WordPress's rendering, and reports whether that is known.
func (f *Feed) describe(e *rfc5545.Event, id int64) bool {
	if f.Described == nil {
		return false
	}
	html, ok := f.Described(id)
	if ok {
		e.HTML = html
	}
	return ok
}

// SetID sets the identifier and the version of a post in feeds.
func (f *Feed) SetID(e *rfc5545.Event, p *wpstore.Post) {
	e.UID = f.Place.GlobalID + strconv.FormatInt(p.ID, 10)
	e.Created, e.Modified = utcTime(p.DateGMT), utcTime(p.ModifiedGMT)
	// Seconds of this century until the last change: they grow with each change, and need no
	// counter. There is room for them until 2068.
	e.Sequence = min(max(e.Modified.Unix()-time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).Unix(), 0), math.MaxInt32)
}

// Dates returns the dates that an event's metadata has. The instants are those of lists; where
// they are missing, they are the local times in the event's zone.
func (f *Feed) Dates(m wpstore.Meta) rfc5545.Dates {
	first := func(key wpstore.MetaKey) string { return m.Single(key).Text() }
	zones := f.Place.Site.Zones
	zone := first(wpstore.MetaTimezone)
	d := rfc5545.Dates{AllDay: m.Single(wpstore.MetaAllDay).Bool(), Zone: zones.Identifier(zone)}
	for _, date := range []struct {
		localKey, utcKey wpstore.MetaKey
		local, utc       *time.Time
	}{{wpstore.MetaStart, wpstore.MetaStartUTC, &d.Start, &d.StartUTC}, {wpstore.MetaEnd, wpstore.MetaEndUTC, &d.End, &d.EndUTC}} {
		var known bool
		*date.local, known = f.wallClock(first(date.localKey))
		if !known {
			*date.local = time.Date(-1, time.January, 1, 0, 0, 0, 0, time.UTC) // can't be written
		}
		*date.utc, known = f.wallClock(first(date.utcKey))
		if known {
			continue
		}
		location, err := zones.EventZone(zone)
		if err != nil {
			location = time.UTC
		}
		at := *date.local
		*date.utc = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, location)
	}
	if d.AllDay {
		// The site's days may begin some hours after midnight, and end as late.
		hours, minutes := f.Place.Site.DayCutoff()
		d.End = d.End.Add(-time.Duration(hours)*time.Hour - time.Duration(minutes)*time.Minute)
	}
	return d
}

// setVenue sets the address and the coordinates of a venue.
func (f *Feed) setVenue(e *rfc5545.Event, venue *wpstore.Post, m wpstore.Meta) {
	var parts []string
	for _, part := range f.location(venue, m) {
		if part = rfc5545.PlainLine(part); part != "" && part != "0" {
			parts = append(parts, part)
		}
	}
	e.Location = strings.Join(parts, ", ")
	latitude, longitude := m.Single(wpstore.MetaVenueLatitude).Text(), m.Single(wpstore.MetaVenueLongitude).Text()
	if php.IsNumericString(latitude) && php.IsNumericString(longitude) {
		e.Geo = rfc5545.NewGeo(php.ToFloat(latitude), php.ToFloat(longitude))
	}
}

// utcTime reads a stored time in UTC; the zero time for none.
func utcTime(stored string) time.Time {
	at, _ := time.Parse(api.MySQLTime, stored)
	return at
}
