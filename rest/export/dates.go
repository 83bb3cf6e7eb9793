package export

import (
	"context"
	"slices"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/exporturl"
	"calbridge/rest/phpdate"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// dates are those of a view: what a request asks for, and what the calendar of the site has.
type dates struct {
	feed  *exporturl.Request
	site  *wpsite.Site
	clock *api.Clock
}

// date returns the date that the view begins with, in the site's zone. It is now if the request
// has none that can be read.
func (d dates) date() (date time.Time, now bool) {
	if d.feed.Date != "" {
		if unix, ok := d.site.Zones.Strtotime(d.feed.Date, d.clock.Present, d.site.Zone); ok {
			return time.Unix(unix, 0).In(d.site.Zone), false
		}
	}
	return d.clock.At.In(d.site.Zone), true
}

// bounds returns the conditions of the view on dates. They note until when the answer stays the
// same, which may depend on the events.
func (d dates) bounds(ctx context.Context, store calendar.EventStore) ([]wpstore.Bound, error) {
	date, now := d.date()
	before := func(at time.Time) wpstore.Bound { return d.bound(false, "<", at) }
	after := func(at time.Time) wpstore.Bound { return d.bound(true, ">", at) }
	switch d.feed.View {
	case "list", "latest-past", "single-event":
		b := after(date)
		if d.feed.Past {
			b = d.bound(true, "<", date)
		}
		if now {
			return []wpstore.Bound{b}, d.untilEnd(ctx, store, date)
		}
		return []wpstore.Bound{b}, nil
	case "month":
		from := d.day(date, 1)
		year, month, _ := d.clock.PresentUntil(monthAfter(d.clock.At.In(date.Location()))).In(date.Location()).Date()
		if year == date.Year() && month == date.Month() {
			from = d.day(date, date.Day())
		}
		if now {
			d.clock.PresentUntil(dayAfter(date))
		}
		return []wpstore.Bound{after(from), before(d.day(monthAfter(date), 1).Add(-time.Second))}, nil
	case "day":
		if now {
			d.clock.PresentUntil(dayAfter(date))
		}
		return []wpstore.Bound{after(d.day(date, date.Day())), before(d.day(date, date.Day()+1).Add(-time.Second))}, nil
	}
	return nil, nil
}

func monthAfter(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, at.Location())
}

func dayAfter(at time.Time) time.Time {
	return time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, at.Location())
}

// untilEnd notes that the answer depends on which events have ended now. It changes when
// the next one ends, or with the offset of the zone in which ends are compared.
func (d dates) untilEnd(ctx context.Context, store calendar.EventStore, now time.Time) error {
	if !d.site.Facts.Occurrences {
		d.clock.Present()
		return nil
	}
	b := d.bound(true, ">=", now)
	end, err := store.NextEnd(ctx, b, d.utcDates())
	if err != nil {
		return err
	}
	zone := now.Location()
	if d.utcDates() {
		zone = time.UTC
	}
	if _, change := now.In(zone).ZoneBounds(); !change.IsZero() {
		d.clock.PresentUntil(change)
	}
	switch at, err := time.ParseInLocation(api.MySQLTime, end, zone); {
	case end == b.Value: // it has ended in the next second, for lists that go back in time
		d.clock.Present()
	case err == nil:
		d.clock.PresentUntil(at)
	case end != "":
		d.clock.Present()
	}
	return nil
}

// day returns the beginning of a day of a date's month.
func (d dates) day(date time.Time, day int) time.Time {
	hours, minutes := d.site.DayCutoff()
	return time.Date(date.Year(), date.Month(), day, hours, minutes, 0, 0, date.Location())
}

// utcDates reports whether views compare dates in UTC. Unlike lists of the REST API, those of
// sites with the manual offset 0 don't.
func (d dates) utcDates() bool {
	facts := d.site.Facts
	return d.site.SiteMode() || phpdate.SiteZoneName(facts.TimezoneString, facts.GMTOffset) == "UTC"
}

// bound compares a start or an end with a time, in the zone that lists compare in.
func (d dates) bound(end bool, op string, at time.Time) wpstore.Bound {
	if d.utcDates() {
		at = at.UTC()
	}
	return wpstore.Bound{End: end, Op: op, Value: at.Format(api.MySQLTime)}
}

// outOfRange reports whether the calendar has no page for what was asked: a month or a day
// without any event before or after it, or a view that is switched off.
func (d dates) outOfRange() bool {
	f := d.feed
	if !f.Typed || f.Display == "" {
		return false
	}
	switch f.Display {
	case "default", "past":
		return false
	case "month":
		return f.PathDate != "" && d.outside(f.PathDate, "2006-01")
	case "day":
		return f.PathDate != "" && d.outside(f.PathDate, time.DateOnly)
	case "list":
		return f.BarDate != "" && d.outside(f.BarDate, time.DateOnly)
	}
	enabled, _ := d.site.Option("tribeEnableViews").(*php.Array)
	return !slices.Contains(enabled.Texts(), f.Display)
}

// outside reports whether a date is before the first event or after the last one.
func (d dates) outside(text, layout string) bool {
	site := d.site
	unix, ok := site.Zones.Strtotime(text, d.clock.Present, site.Zone)
	if !ok {
		return false
	}
	date := time.Unix(unix, 0).In(site.Zone).Format(layout)
	for _, end := range []struct {
		option string
		beyond func(limit string) bool
	}{
		{"earliest_date", func(limit string) bool { return date < limit }},
		{"latest_date", func(limit string) bool { return date > limit }},
	} {
		limit, err := time.Parse(api.MySQLTime, site.OptionText(end.option, ""))
		if err == nil && end.beyond(limit.Format(layout)) {
			return true
		}
	}
	return false
}
