package sample

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"calbridge/wpstore"
)

// weekday is a day of the week, or the zero value for any. Unlike time.Weekday it counts Sunday
// as 7.
type weekday int

const (
	anyDay weekday = iota
	monday
	tuesday
	wednesday
	thursday
	friday
	saturday
	sunday
)

// event is one line of the town's calendar, or a series of them.
type event struct {
	key          string  // key of its words
	day          int     // counted from today
	date         string  // date of the year instead of day, such as "December 5"
	on           weekday // moves the event to the nearest such day
	at           string  // "19:30"; "" for all-day events
	minutes      int     // duration of events with a time
	days         int     // number of days; 0 and 1 mean one
	every, times int     // of a series: the interval in days, and the number of events

	venue, organizers string // keys; several organizers are separated by blanks
	cats, tags        string // keys separated by blanks
	cost              string // prices separated by blanks; 0 is free
	image, url        string

	featured, sticky, hidden bool
	status, password         string
	author                   int64
}

// writeEvent writes an event, or all of a series, in each language that has words for
// it.
func writeEvent(w *posts, d *dates, e event) {
	first, err := e.offset(d.now)
	if err != nil {
		w.tables.fail("event %s: %w", e.key, err)
		return
	}
	for n := range max(e.times, 1) {
		once := e
		once.day = first + n*e.every
		start, end, err := once.span(d.now)
		if err != nil {
			w.tables.fail("event %s: %w", e.key, err)
			return
		}
		w.translate("event", e.key, wpstore.EventType, func(lang *language) map[string]words { return lang.events }, func(lang *language, name words) int64 {
			return once.writeIn(lang, name, w, d, start, end)
		})
	}
}

// writeIn writes an event in one language, with what is linked in that language.
func (e event) writeIn(lang *language, name words, w *posts, d *dates, start, end time.Time) int64 {
	p := post{
		kind: wpstore.EventType, language: lang.code, title: name.name, content: paragraphs(name.text), excerpt: name.excerpt, status: e.status,
		password: e.password, author: e.author,
		// Later events were announced later, but all of them before now.
		published: d.now.Add(-time.Duration(120*24-e.day*12) * time.Hour).Truncate(time.Minute),
	}
	if yesterday := d.now.AddDate(0, 0, -1); p.published.After(yesterday) {
		p.published = yesterday
	}
	if e.sticky {
		p.order = -1
	}
	id := w.add(p)
	zone := start.Format("MST")
	w.meta(id, "_EventOrigin", "events-calendar", "_EventShowMapLink", "1", "_EventShowMap", "1")
	if e.venue != "" {
		w.meta(id, "_EventVenueID", w.linked("venue", e.venue, lang))
	}
	for key := range strings.FieldsSeq(e.organizers) {
		w.meta(id, "_EventOrganizerID", w.linked("organizer", key, lang))
	}
	if e.at == "" {
		w.meta(id, "_EventAllDay", "yes")
	}
	local, utc := [2]string{start.Format(time.DateTime), end.Format(time.DateTime)}, [2]string{start.UTC().Format(time.DateTime), end.UTC().Format(time.DateTime)}
	seconds := int64(end.Sub(start) / time.Second)
	w.meta(id, "_EventStartDate", local[0], "_EventEndDate", local[1], "_EventStartDateUTC", utc[0], "_EventEndDateUTC", utc[1],
		"_EventDuration", strconv.FormatInt(seconds, 10), "_EventURL", e.url, "_EventTimezone", Zone, "_EventTimezoneAbbr", zone,
		"_EventCurrencySymbol", "Kč", "_EventCurrencyCode", "CZK", "_EventCurrencyPosition", "suffix")
	if e.cost == "" {
		w.meta(id, "_EventCost", "")
	}
	for cost := range strings.FieldsSeq(e.cost) {
		w.meta(id, "_EventCost", cost)
	}
	if e.featured {
		w.meta(id, "_tribe_featured", "1")
	}
	if e.hidden {
		w.meta(id, "_EventHideFromUpcoming", "yes")
	}
	w.thumbnail(id, e.image)
	published := e.status == ""
	w.terms.assign(id, wpstore.CategoryTaxonomy, strings.Fields(e.cats), lang, published)
	w.terms.assign(id, wpstore.TagTaxonomy, strings.Fields(e.tags), lang, published)
	d.add(id, local, utc, seconds)
	return id
}

// recent is the number of days for which a past date of the year is kept; after them the event
// falls on the next such date.
const recent = 60

// offset returns the number of days from today to the event.
func (e event) offset(now time.Time) (int, error) {
	year, month, today := now.Date()
	midnight := time.Date(year, month, today, 0, 0, 0, 0, time.UTC) // a day of UTC always has 24 hours
	day := midnight.AddDate(0, 0, e.day)
	if e.date != "" {
		date, err := time.Parse("January 2", e.date)
		if err != nil {
			return 0, err
		}
		day = date.AddDate(year-1-date.Year(), 0, 0)
		for day.Before(midnight.AddDate(0, 0, -recent)) {
			day = day.AddDate(1, 0, 0)
		}
	}
	if e.on != anyDay {
		const week, half = 7, 3
		day = day.AddDate(0, 0, (int(e.on)-int(day.Weekday())+week+half)%week-half)
	}
	return int(day.Sub(midnight) / (24 * time.Hour)), nil
}

// span returns the start and end of an event. Whole days end a second before midnight.
func (e event) span(now time.Time) (start, end time.Time, err error) {
	y, m, d := now.Date()
	if e.at == "" {
		return time.Date(y, m, d+e.day, 0, 0, 0, 0, now.Location()), time.Date(y, m, d+e.day+max(e.days, 1)-1, 23, 59, 59, 0, now.Location()), nil
	}
	clock, err := time.Parse("15:04", e.at)
	if err != nil {
		return start, end, err
	}
	start = time.Date(y, m, d+e.day, clock.Hour(), clock.Minute(), 0, 0, now.Location())
	end = start.Add(time.Duration(e.minutes) * time.Minute)
	if e.days > 1 {
		end = end.AddDate(0, 0, e.days-1)
	}
	return start, end, nil
}

// dates holds the rows of the calendar's own tables of dates.
type dates struct {
	tables *tables
	now    time.Time
	last   int64 // the last event_id, which is also the occurrence_id
}

// add adds the dates of an event.
func (d *dates) add(id int64, local, utc [2]string, seconds int64) {
	d.last++
	sum := sha1.Sum([]byte(strconv.FormatInt(id, 10) + local[0] + local[1]))
	written := d.now.UTC().Format(time.DateTime)
	d.tables.eventDates.add(d.last, id, local[0], local[1], Zone, utc[0], utc[1], seconds, written, "")
	d.tables.occurrences.add(d.last, d.last, id, local[0], utc[0], local[1], utc[1], seconds, hex.EncodeToString(sum[:]), written)
}
