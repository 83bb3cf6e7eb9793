package calevent

import (
	"context"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Source holds what events are read with, and the place and viewer that they are shown to.
type Source struct {
	Place  *wpsite.Place
	Viewer *authz.Viewer
	Clock  *api.Clock
	Loader *loader.Loader

	modified string
}

// Load reads events with all that they refer to. Errors are those of the store.
func (s *Source) Load(ctx context.Context, ids []int64) (*loader.Set, error) {
	set, err := s.Loader.Events(ctx, ids, loader.Steps{})
	if err == nil {
		s.modified = max(s.modified, set.Modified)
	}
	return set, err
}

// permalink returns the address of a post.
func (s *Source) permalink(p *wpstore.Post) string {
	return s.Place.PostURL(p, s.Viewer.Viewable(p))
}

// wallClock reads a stored date as if it were in UTC. The zero date is the last day of
// November of the year -1, as in PHP.
func (s *Source) wallClock(stored string) (time.Time, bool) {
	if stored == wpstore.NoDate {
		return time.Date(-1, time.November, 30, 0, 0, 0, 0, time.UTC), true
	}
	if at, err := time.Parse(api.MySQLTime, stored); err == nil {
		return at, true
	}
	unix, ok := s.Place.Site.Zones.Strtotime(stored, s.Clock.Present, time.UTC)
	return time.Unix(unix, 0).UTC(), ok && stored != ""
}

// wall returns the local time of an instant, as if it were in UTC.
func wall(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.UTC().Add(time.Duration(offset) * time.Second)
}

// location returns the lines of a venue's address.
func (s *Source) location(venue *wpstore.Post, m wpstore.Meta) []string {
	first := func(key wpstore.MetaKey) string { return m.Single(key).Text() }
	title := typography.Title(venue.Title, s.Place.Site.Locale)
	switch {
	case venue.Password != "":
		title = strings.Replace(s.Place.Words.Word("protected_title"), "%s", title, 1)
	case venue.Status == "private":
		title = strings.Replace(s.Place.Words.Word("private_title"), "%s", title, 1)
	}
	region, country := venueRegion(m)
	return []string{title, first(wpstore.MetaVenueAddress), first(wpstore.MetaVenueCity), region, first(wpstore.MetaVenueZip), country}
}

// venueRegion returns the region and the country of a venue.
func venueRegion(m wpstore.Meta) (region, country string) {
	first := func(key wpstore.MetaKey) string { return m.Single(key).Text() }
	country = first(wpstore.MetaVenueCountry)
	region = first(wpstore.MetaVenueStateProvince)
	if php.Empty(region) {
		if region = first(wpstore.MetaVenueProvince); country == "United States" {
			region = first(wpstore.MetaVenueState)
		}
	}
	return region, country
}
