package eventindex

import (
	"context"
	"slices"

	"calbridge/i18n"
	"calbridge/wpstore"
)

// datesPerEvent bounds the combinations of dates of an event that has several dates of a
// kind in its metadata.
const datesPerEvent = 64

// hiddenMark and featuredMark are metadata keys of which any row counts, whatever its
// value.
const (
	hiddenMark   = "_EventHideFromUpcoming"
	featuredMark = "_tribe_featured"
)

var (
	// dateKeys are the kinds of dates in the metadata, in the order of eventRows.meta.
	dateKeys = []string{"_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC"}
	// markKeys are the other metadata that lists look at.
	markKeys = []string{hiddenMark, featuredMark, wpstore.VenueLink, wpstore.OrganizerLink}
)

// loadEvents reads those of the posts that are events. Five queries, one if none is an
// event.
func loadEvents(ctx context.Context, from Source, tables Tables, ids []int64) ([]event, error) {
	r := reader{from: from, events: make(map[int64]*eventRows, len(ids))}
	if err := from.Posts(ctx, ids, r.post); err != nil || len(r.events) == 0 {
		return nil, err
	}
	dates := r.metaDates
	if tables.Occurrences {
		dates = r.occurrences
	}
	steps := []func(context.Context, []int64) error{dates, r.marks, r.terms}
	if tables.Languages != i18n.NoPlugin {
		steps = append(steps, func(ctx context.Context, ids []int64) error { return r.languages(ctx, tables.Languages, ids) })
	}
	for _, step := range steps {
		if err := step(ctx, ids); err != nil {
			return nil, err
		}
	}
	out := make([]event, 0, len(r.events))
	for _, e := range r.events {
		if e.finish() {
			out = append(out, e.event)
		}
	}
	return out, nil
}

// eventRows is an event whose rows are being read.
type eventRows struct {
	event
	hidden bool
	// meta are the dates that the metadata has of each kind.
	meta [4][]date
}

// date parses a date that must not be NULL.
func (e *eventRows) date(text string) date {
	d, ok := parseDate(text)
	e.Unreadable = e.Unreadable || !ok
	return d
}

// reader assembles events from the rows of several tables.
type reader struct {
	from   Source
	events map[int64]*eventRows
}

// event is where a post's rows go; those of posts that aren't events are dropped.
func (r reader) event(post int64) *eventRows {
	if e := r.events[post]; e != nil {
		return e
	}
	return new(eventRows)
}

func (r reader) post(p PostRow) {
	e := new(eventRows)
	e.ID, e.Author, e.Parent, e.Status, e.Protected, e.Blank = p.ID, p.Author, p.Parent, p.Status, p.Protected, p.Blank
	e.Published = e.date(p.Published)
	r.events[e.ID] = e
}

func (r reader) occurrences(ctx context.Context, ids []int64) error {
	return r.from.Occurrences(ctx, ids, func(o OccurrenceRow) {
		e := r.event(o.Post)
		e.Dates = append(e.Dates, dates{Start: e.date(o.Start), End: e.date(o.End), StartUTC: e.date(o.StartUTC), EndUTC: e.date(o.EndUTC)})
	})
}

func (r reader) metaDates(ctx context.Context, ids []int64) error {
	return r.from.MetaDates(ctx, ids, dateKeys, func(row DateRow) {
		e, d := r.event(row.Post), null
		switch {
		case !row.Null:
			d = e.date(row.Text)
		case row.Zero:
			// MariaDB reads a text that isn't a date as NULL and compares it as the zero date.
			d = garbled
		}
		e.meta[row.Key] = append(e.meta[row.Key], d)
	})
}

func (r reader) marks(ctx context.Context, ids []int64) error {
	return r.from.Marks(ctx, ids, markKeys, func(row MarkRow) {
		e := r.event(row.Post)
		switch key := markKeys[row.Key]; {
		case key == hiddenMark:
			e.hidden = true
		case key == featuredMark:
			e.Featured = true
		case !row.Number:
		case key == wpstore.VenueLink:
			e.Venues = append(e.Venues, row.Value)
		case key == wpstore.OrganizerLink:
			e.Organizers = append(e.Organizers, row.Value)
		}
	})
}

func (r reader) terms(ctx context.Context, ids []int64) error {
	return r.from.Terms(ctx, ids, indexedTaxonomies(r.from), func(post int64, t TermRow) {
		e := r.event(post)
		switch t.Taxonomy {
		case placeCategory:
			e.Categories = append(e.Categories, t.Term)
		case placeTag:
			e.Tags = append(e.Tags, t.Term)
		default:
			e.LanguageTerms = append(e.LanguageTerms, t.TaxonomyID)
		}
	})
}

func (r reader) languages(ctx context.Context, plugin i18n.Plugin, ids []int64) error {
	return r.from.Languages(ctx, plugin, ids, func(post int64, code string) {
		e := r.event(post)
		e.Languages = append(e.Languages, code)
	})
}

// finish combines the dates. It returns false for an event that is in no list.
func (e *eventRows) finish() bool {
	if e.hidden {
		return false
	}
	combined := []dates{{Start: missing, End: missing, StartUTC: missing, EndUTC: missing}}
	found := false
	for kind, all := range e.meta {
		if len(all) == 0 {
			continue
		}
		found = true
		// An empty date counts only where there is no other.
		some := slices.DeleteFunc(slices.Clone(all), func(d date) bool { return d == null })
		if len(some) == 0 {
			some = all[:1]
		}
		some = sortedSet(some)
		if len(combined)*len(some) > datesPerEvent {
			e.Unreadable = true
			continue
		}
		var next []dates
		for _, c := range combined {
			for _, d := range some {
				*[]*date{&c.Start, &c.End, &c.StartUTC, &c.EndUTC}[kind] = d
				next = append(next, c)
			}
		}
		combined = next
	}
	if found {
		e.Dates = combined
	}
	return len(e.Dates) > 0
}
