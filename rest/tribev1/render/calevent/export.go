package calevent

import (
	"maps"
	"slices"
	"time"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/ical"
	"calbridge/rest/phpdate"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wptext"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/media"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Export renders the events of one export of The Events Calendar, in the export's order. It
// is not safe for concurrent use.
type Export struct {
	Source
	// state holds the numbers that continue from text to text.
	state         wptext.RequestState
	cookieMatters bool
}

// Rendering returns what rendering has found out so far.
func (e *Export) Rendering() (l api.Rendering) {
	l.Modified, l.CookieMatters = e.modified, e.cookieMatters
	l.NotRendered = slices.Collect(maps.Keys(e.state.Unknown()))
	return l
}

// Event returns a post of the set, usually an event, as exports show it. region is what they show
// as the place of an event without a venue.
func (e *Export) Event(set *loader.Set, p *wpstore.Post, region string) ical.Event {
	m := set.Meta[p.ID]
	allDay := m.Single(wpstore.MetaAllDay) // which REST writes as 1
	out := ical.Event{
		ID: p.ID, AllDay: allDay.Text() == "yes" || e.Place.Site.Compat.Fixed() && allDay.Bool(), Title: p.Title, URL: e.permalink(p),
		Created: e.siteTime(p.Date), Modified: e.siteTime(p.Modified),
	}
	e.setDates(&out, m)
	if p.Password != "" {
		e.cookieMatters = true
	}
	if e.Viewer.PasswordRequired(p) {
		out.Protected = e.Place.Words.Word("content_protected")
	} else {
		out.Content = content.Render(ical.WithoutCalendarBlocks(p.Content), e.Place.Text, set.Media, &e.state)
		if id := loader.Picture(m); id > 0 {
			mime, url := media.OriginalFile(set.Media.Attachments[id], e.Place.Text.UploadsURL)
			out.Image = &ical.Image{Type: mime, URL: url}
		}
	}
	for _, t := range set.Terms[p.ID] {
		if t.Taxonomy == api.Categories.Name {
			out.Categories = append(out.Categories, t.Name)
		}
	}
	if venue := e.firstLinked(set, m, api.Venues); venue != nil {
		out.Location = e.location(venue, set.Meta[venue.ID])
	} else {
		out.Location = []string{region}
	}
	if organizer := e.firstLinked(set, m, api.Organizers); organizer != nil {
		if email := set.Meta[organizer.ID].Single(wpstore.MetaOrganizerEmail).Text(); email != "" {
			out.Organizer = &ical.Organizer{Name: organizer.Title, Email: email}
		}
	}
	return out
}

// firstLink returns the id of the first link of a kind, 0 or less without one. A stored list
// stands for the post 1, except under WPML, which looks into it.
func (e *Export) firstLink(m wpstore.Meta, kind *api.PostKind) int64 {
	raw, _ := m.First(kind.LinkKey)
	if ids := loader.IDs(raw); len(ids) > 0 && e.Place.Site.Languages.Plugin == i18n.WPML {
		return ids[0]
	}
	return loader.First(raw)
}

// firstLinked returns the post of the first link of a kind. It returns nil if there is none, or if
// it is closed to the viewer. The reference exports the data of any post (known difference S9).
func (e *Export) firstLinked(set *loader.Set, m wpstore.Meta, kind *api.PostKind) *wpstore.Post {
	id := e.firstLink(m, kind)
	if id <= 0 {
		return nil
	}
	p := set.Link(id, kind, e.Place.Lang.Linked(true))
	if p == nil || p.Password == "" || e.Place.Site.Compat.Exact() {
		return p
	}
	e.cookieMatters = true
	if e.Viewer.PasswordRequired(p) {
		return nil
	}
	return p
}

// siteTime reads a stored date in the site's zone, as PHP reads dates: days that a month lacks are
// those of the next one, and the zero date is the last day of November of the year -1.
func (e *Export) siteTime(stored string) time.Time {
	zone := e.Place.Site.CoreZone()
	if at, err := time.ParseInLocation(api.MySQLTime, stored, zone); err == nil {
		return at
	}
	read, err := e.Place.Site.Zones.Parse(stored, e.Clock.Present, zone)
	if err != nil {
		return e.Clock.Present()
	}
	return read.Time
}

// setDates sets zone and dates. In site mode, events of another zone show their instants on
// the site's clock.
func (e *Export) setDates(out *ical.Event, m wpstore.Meta) {
	site := e.Place.Site
	own := phpdate.SiteZoneName(site.Facts.TimezoneString, site.Facts.GMTOffset)
	out.Zone = m.Single(wpstore.MetaTimezone).Text()
	if php.Empty(out.Zone) {
		out.Zone = own
	}
	converted := false
	if site.SiteMode() && out.Zone != own {
		out.Zone, converted = own, true
	}
	for _, date := range []struct {
		local, utc wpstore.MetaKey
		to         *time.Time
	}{{wpstore.MetaStart, wpstore.MetaStartUTC, &out.Start}, {wpstore.MetaEnd, wpstore.MetaEndUTC, &out.End}} {
		key := date.local
		if converted {
			key = date.utc
		}
		at, ok := e.wallClock(m.Single(key).Text())
		switch {
		case !ok:
			at = e.Clock.Present().UTC()
		case converted:
			at = wall(at.In(site.CoreZone()))
		}
		*date.to = at
	}
}

// Region returns the region of the venue of a post of the set, "" without one.
func (e *Export) Region(set *loader.Set, p *wpstore.Post) string {
	if venue := e.firstLinked(set, set.Meta[p.ID], api.Venues); venue != nil {
		region, _ := venueRegion(set.Meta[venue.ID])
		return region
	}
	return ""
}
