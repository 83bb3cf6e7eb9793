package journal

import (
	"context"
	"fmt"
	"slices"
	"time"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
)

// calendarSite is a calendar of some events in memory, as package synthetic makes them: each
// has an occurrence, a venue, an organizer, a category and two tags.
type calendarSite struct {
	events int
	parent int64 // of all events: other ones are other states
}

const (
	firstEvent = 10_001
	categories = 12
	tags       = 20
)

func (s *calendarSite) States() eventindex.Source                { return s }
func (s *calendarSite) Settings(context.Context) (string, error) { return "settings", nil }
func (s *calendarSite) Made(context.Context) (string, error)     { return "", nil }

func (s *calendarSite) Exposures(context.Context, []int64, func(int64, wpstore.Exposure) error) error {
	return nil
}

func (s *calendarSite) TermTexts(_ context.Context, ids []int64) (map[int64]string, error) {
	out := map[int64]string{}
	for id := int64(1); id <= categories+tags; id++ {
		if ids == nil || slices.Contains(ids, id) {
			out[id] = fmt.Sprintf("%024d", id+s.parent)
		}
	}
	return out, nil
}

func (s *calendarSite) Defaults(context.Context) (eventindex.Defaults, error) {
	return eventindex.Defaults{Occurrences: true, UTC: true}, nil
}

func (s *calendarSite) Tables(context.Context) (eventindex.Tables, error) {
	return eventindex.Tables{Occurrences: true, Languages: i18n.NoPlugin}, nil
}

func (s *calendarSite) EventIDs(context.Context) ([]int64, error) {
	ids := make([]int64, s.events)
	for i := range ids {
		ids[i] = firstEvent + int64(i)
	}
	return ids, nil
}

// each calls do with the number of each of the ids that is an event.
func (s *calendarSite) each(ids []int64, do func(id int64, i int)) error {
	for _, id := range ids {
		if i := int(id - firstEvent); i >= 0 && i < s.events {
			do(id, i)
		}
	}
	return nil
}

var calendarBegins = time.Date(2025, 11, 21, 12, 0, 0, 0, time.UTC)

func (s *calendarSite) Posts(_ context.Context, ids []int64, each func(eventindex.PostRow)) error {
	return s.each(ids, func(id int64, i int) {
		published := calendarBegins.Add(-time.Duration(i*7919%s.events) * time.Minute).Format(time.DateTime)
		each(eventindex.PostRow{ID: id, Author: 1, Parent: s.parent, Published: []byte(published), Status: []byte("publish")})
	})
}

func (s *calendarSite) Occurrences(_ context.Context, ids []int64, each func(eventindex.OccurrenceRow)) error {
	return s.each(ids, func(id int64, i int) {
		start := calendarBegins.Add(time.Duration(i) * (2 * 365 * 24 * time.Hour / time.Duration(s.events))).Truncate(15 * time.Minute)
		text := func(t time.Time) []byte { return []byte(t.Format(time.DateTime)) }
		end := start.Add(time.Duration(1+i%5) * time.Hour)
		each(eventindex.OccurrenceRow{Post: id, Start: text(start.Add(time.Hour)), End: text(end.Add(time.Hour)), StartUTC: text(start), EndUTC: text(end)})
	})
}

func (s *calendarSite) MetaDates(context.Context, []int64, []string, func(eventindex.DateRow)) error {
	return nil
}

func (s *calendarSite) Marks(_ context.Context, ids []int64, keys []string, each func(eventindex.MarkRow)) error {
	return s.each(ids, func(id int64, i int) {
		for key, name := range keys {
			switch name {
			case "_EventVenueID":
				each(eventindex.MarkRow{Post: id, Key: key, Value: int64(1_100_000 + i%(s.events/50+1)), Number: true})
			case "_EventOrganizerID":
				each(eventindex.MarkRow{Post: id, Key: key, Value: int64(1_200_000 + i%(s.events/100+1)), Number: true})
			}
		}
	})
}

func (s *calendarSite) AllMarks(context.Context, string, int, int, func(eventindex.MarkRow)) error {
	return nil
}

func (s *calendarSite) Terms(_ context.Context, ids []int64, each func(post, taxonomyID int64)) error {
	return s.each(ids, func(id int64, i int) {
		for _, term := range []int{1 + i%categories, categories + 1 + i%tags, categories + 1 + (i+1)%tags} {
			each(id, int64(term))
		}
	})
}

func (s *calendarSite) Languages(context.Context, i18n.Plugin, []int64, func(int64, string)) error {
	return nil
}

func (s *calendarSite) LanguageTaxonomies() []string { return nil }

func (s *calendarSite) Taxonomies(_ context.Context, taxonomies []string, terms []int64, each func(eventindex.TermRow)) error {
	for id := int64(1); id <= categories+tags; id++ {
		if terms != nil && !slices.Contains(terms, id) {
			continue
		}
		of := "tribe_events_cat"
		if id > categories {
			of = "post_tag"
		}
		each(eventindex.TermRow{TaxonomyID: id, Term: id, Taxonomy: slices.Index(taxonomies, of)})
	}
	return nil
}

func (s *calendarSite) PostsOf(context.Context, []int64) ([]int64, error) { return nil, nil }
func (s *calendarSite) Release()                                          {}
