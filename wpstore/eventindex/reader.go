package eventindex

import (
	"context"
	"slices"

	"calbridge/i18n"
)

// datesPerEvent bounds the combinations of dates of an event that has several dates of a
// kind in its metadata.
const datesPerEvent = 64

// dateKeys are the kinds of dates in the metadata, in the order of eventRows.meta.
var dateKeys = []string{"_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC"}

// loadEvents reads those of the posts that are events, by ascending ids. Five queries, one
// if none is an event.
func loadEvents(ctx context.Context, from Source, tables Tables, terms terms, ids []int64) ([]event, error) {
	r := reader{from: from, tables: tables, termsByID: terms}
	if err := r.read(ctx, ids, nil); err != nil {
		return nil, err
	}
	var out []event
	r.each(func(e *event) { out = append(out, *e) })
	return out, nil
}

// eventRows is an event whose rows are being read.
type eventRows struct {
	event
	found  bool // the post is an event
	hidden bool
	// meta are the dates that the metadata has of each kind.
	meta [4][]date
}

// reset forgets what was read. Its memory is reused.
func (e *eventRows) reset() {
	was := *e
	*e = eventRows{event: event{
		Dates: was.Dates[:0], Categories: was.Categories[:0], Tags: was.Tags[:0], Venues: was.Venues[:0], Organizers: was.Organizers[:0],
		Languages: was.Languages[:0], LanguageTerms: was.LanguageTerms[:0],
	}}
	for kind, all := range was.meta {
		e.meta[kind] = all[:0]
	}
}

// date parses a date that must not be NULL.
func (e *eventRows) date(text []byte) date {
	d, ok := parseDate(text)
	e.Unreadable = e.Unreadable || !ok
	return d
}

// reader assembles events from the rows of several tables, a block at a time.
type reader struct {
	from      Source
	tables    Tables
	termsByID terms

	ids    []int64 // of the block
	events []eventRows
	at     int       // of the last row in ids
	aside  eventRows // for rows of posts that aren't events
	// statuses are texts of statuses, so that equal ones share their memory.
	statuses map[string]string
}

// read reads a block of posts. marks are those of the block, nil if they are to be read.
func (r *reader) read(ctx context.Context, ids []int64, marks *[noMark][]mark) error {
	r.ids, r.at = ids, 0
	r.events = slices.Grow(r.events[:0], len(ids))[:len(ids)]
	for i := range r.events {
		r.events[i].reset()
	}
	some := false
	err := r.from.Posts(ctx, ids, func(p PostRow) { some = r.post(p) || some })
	if err != nil || !some {
		return err
	}
	dates := r.metaDates
	if r.tables.Occurrences {
		dates = r.occurrences
	}
	steps := []func(context.Context) error{dates, r.terms}
	if marks == nil {
		steps = append(steps, r.marks)
	}
	if r.tables.Languages != i18n.NoPlugin {
		steps = append(steps, r.languages)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if marks == nil {
		return nil
	}
	for kind, all := range marks {
		for _, m := range all {
			r.events[m.event()].mark(kind, m.value())
		}
	}
	return nil
}

// each calls use with each event that is in any list. It is valid until the next block.
func (r *reader) each(use func(*event)) {
	for i := range r.events {
		if e := &r.events[i]; e.found && !e.hidden && e.finish() {
			use(&e.event)
		}
	}
}

// find returns where a post's rows go before it is known whether it is an event; nil where
// it isn't in the block.
func (r *reader) find(post int64) *eventRows {
	for range 2 { // rows come in the order of ids as a rule
		if r.at < len(r.ids) && r.ids[r.at] == post {
			return &r.events[r.at]
		}
		r.at++
	}
	at, ok := slices.BinarySearch(r.ids, post)
	if r.at = at; !ok {
		return nil
	}
	return &r.events[at]
}

// event returns where a post's rows go; those of posts that aren't events are dropped.
func (r *reader) event(post int64) *eventRows {
	if e := r.find(post); e != nil && e.found {
		return e
	}
	r.aside.reset()
	return &r.aside
}

// post notes an event, and returns false for a post that isn't in the block.
func (r *reader) post(p PostRow) bool {
	e := r.find(p.ID)
	if e == nil {
		return false
	}
	e.found = true
	e.ID, e.Author, e.Parent, e.Protected, e.Blank = p.ID, p.Author, p.Parent, p.Protected, p.Blank
	e.Published = e.date(p.Published)
	status, known := r.statuses[string(p.Status)]
	if !known {
		status = string(p.Status)
		if r.statuses == nil {
			r.statuses = map[string]string{}
		}
		r.statuses[status] = status
	}
	e.Status = status
	return true
}

func (r *reader) occurrences(ctx context.Context) error {
	return r.from.Occurrences(ctx, r.ids, func(o OccurrenceRow) {
		e := r.event(o.Post)
		e.Dates = append(e.Dates, dates{Start: e.date(o.Start), End: e.date(o.End), StartUTC: e.date(o.StartUTC), EndUTC: e.date(o.EndUTC)})
	})
}

func (r *reader) metaDates(ctx context.Context) error {
	return r.from.MetaDates(ctx, r.ids, dateKeys, func(row DateRow) {
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

func (r *reader) marks(ctx context.Context) error {
	return r.from.Marks(ctx, r.ids, markKeys, func(row MarkRow) {
		if k := markKind(row); k != noMark {
			r.event(row.Post).mark(k, row.Value)
		}
	})
}

func (r *reader) terms(ctx context.Context) error {
	return r.from.Terms(ctx, r.ids, func(post, taxonomyID int64) {
		t, ok := r.termsByID[taxonomyID]
		if !ok {
			return
		}
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

func (r *reader) languages(ctx context.Context) error {
	return r.from.Languages(ctx, r.tables.Languages, r.ids, func(post int64, code string) {
		e := r.event(post)
		e.Languages = append(e.Languages, code)
	})
}

// finish combines the dates. It returns false for an event without any, which is in no list.
func (e *eventRows) finish() bool {
	var combined []dates
	for kind, all := range e.meta {
		if len(all) == 0 {
			continue
		}
		if combined == nil {
			combined = []dates{{Start: missing, End: missing, StartUTC: missing, EndUTC: missing}}
		}
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
	if combined != nil {
		e.Dates = combined
	}
	return len(e.Dates) > 0
}
