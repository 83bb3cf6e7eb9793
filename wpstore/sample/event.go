package sample

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// event is one line of the town's calendar, or a series of them.
type event struct {
	key          string // of its words
	day          int    // counted from today
	at           string // "19:30"; "" lasts all day
	minutes      int    // how long, for those with a time
	days         int    // how many days, 0 and 1 mean one
	every, times int    // a series: again after so many days, so many times

	venue, organizers string // keys, several organizers with blanks between
	cats, tags        string // keys with blanks between
	cost              string // prices with blanks between; free is 0
	image, url        string

	featured, sticky, hidden bool
	status, password         string
	author                   int64
}

// events writes the whole calendar.
func (l *loader) events() {
	for _, e := range calendar() {
		for n := range max(e.times, 1) {
			once := e
			once.day += n * e.every
			start, end, err := l.span(once)
			if err != nil {
				l.fail("event %s: %w", e.key, err)
				return
			}
			l.translate("event", e.key, eventType, func(lang *language) map[string]words { return lang.events }, func(lang *language, w words) int64 {
				return l.event(once, lang, w, start, end)
			})
		}
	}
	l.count()
}

// event writes an event in one language, with what is linked in that language.
func (l *loader) event(e event, lang *language, w words, start, end time.Time) int64 {
	p := post{
		kind: eventType, language: lang.code, title: w.name, content: paragraphs(w.text), excerpt: w.excerpt, status: e.status,
		password: e.password, author: e.author,
		// The later an event, the later it was announced; all of them before now.
		published: l.now.Add(-time.Duration(120*24-e.day*12) * time.Hour).Truncate(time.Minute),
	}
	if p.published.After(l.before(1)) {
		p.published = l.before(1)
	}
	if e.sticky {
		p.order = -1
	}
	id := l.addPost(p)
	zone := start.Format("MST")
	l.metas(id, "_EventOrigin", "events-calendar", "_EventShowMapLink", "1", "_EventShowMap", "1")
	if e.venue != "" {
		l.metas(id, "_EventVenueID", l.linked("venue", e.venue, lang))
	}
	for key := range strings.FieldsSeq(e.organizers) {
		l.metas(id, "_EventOrganizerID", l.linked("organizer", key, lang))
	}
	if e.at == "" {
		l.metas(id, "_EventAllDay", "yes")
	}
	local, utc := [2]string{start.Format(sqlTime), end.Format(sqlTime)}, [2]string{start.UTC().Format(sqlTime), end.UTC().Format(sqlTime)}
	seconds := int64(end.Sub(start) / time.Second)
	l.metas(id, "_EventStartDate", local[0], "_EventEndDate", local[1], "_EventStartDateUTC", utc[0], "_EventEndDateUTC", utc[1],
		"_EventDuration", strconv.FormatInt(seconds, 10), "_EventURL", e.url, "_EventTimezone", Zone, "_EventTimezoneAbbr", zone,
		"_EventCurrencySymbol", "Kč", "_EventCurrencyCode", "CZK", "_EventCurrencyPosition", "suffix")
	if e.cost == "" {
		l.metas(id, "_EventCost", "")
	}
	for cost := range strings.FieldsSeq(e.cost) {
		l.metas(id, "_EventCost", cost)
	}
	if e.featured {
		l.metas(id, "_tribe_featured", "1")
	}
	if e.hidden {
		l.metas(id, "_EventHideFromUpcoming", "yes")
	}
	l.thumbnail(id, e.image)
	published := e.status == ""
	l.assign(id, categories, strings.Fields(e.cats), lang, published)
	l.assign(id, tags, strings.Fields(e.tags), lang, published)
	l.occurrence(id, local, utc, seconds)
	return id
}

// span is when an event takes place. Whole days end a second before midnight.
func (l *loader) span(e event) (start, end time.Time, err error) {
	y, m, d := l.now.Date()
	if e.at == "" {
		return time.Date(y, m, d+e.day, 0, 0, 0, 0, l.zone), time.Date(y, m, d+e.day+max(e.days, 1)-1, 23, 59, 59, 0, l.zone), nil
	}
	clock, err := time.Parse("15:04", e.at)
	if err != nil {
		return start, end, err
	}
	start = time.Date(y, m, d+e.day, clock.Hour(), clock.Minute(), 0, 0, l.zone)
	end = start.Add(time.Duration(e.minutes) * time.Minute)
	if e.days > 1 {
		end = end.AddDate(0, 0, e.days-1)
	}
	return start, end, nil
}

// occurrence writes the calendar's own tables of dates.
func (l *loader) occurrence(id int64, local, utc [2]string, seconds int64) {
	l.occurring++
	sum := sha1.Sum([]byte(strconv.FormatInt(id, 10) + local[0] + local[1]))
	written := l.now.UTC().Format(sqlTime)
	l.table("tec_events", "event_id", "post_id", "start_date", "end_date", "timezone", "start_date_utc", "end_date_utc", "duration", "updated_at", "hash").
		add(l.occurring, id, local[0], local[1], Zone, utc[0], utc[1], seconds, written, "")
	l.table("tec_occurrences", "occurrence_id", "event_id", "post_id", "start_date", "start_date_utc", "end_date", "end_date_utc", "duration", "hash", "updated_at").
		add(l.occurring, l.occurring, id, local[0], utc[0], local[1], utc[1], seconds, hex.EncodeToString(sum[:]), written)
}
