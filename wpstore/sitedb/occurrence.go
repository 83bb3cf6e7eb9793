package sitedb

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
)

// ToInstant reads a local date in the zone of an event; false for what is no date
// or no zone.
type ToInstant func(zone, local string) (time.Time, bool)

// longestDuration is what the column holds, in seconds; more is cut to it.
const longestDuration = 1<<23 - 1

// occurrenceDates are the dates of an event as its metadata has them.
type occurrenceDates struct {
	start, end, startUTC, endUTC, zone string
	duration                           int64
}

// SyncEvent writes the dates of an event from its metadata into The Events
// Calendar's own tables, if they make sense; else the rows stay as they are.
func (tx *Tx) SyncEvent(ctx context.Context, e *PostEdit, instant ToInstant) error {
	d, ok := readDates(e.Meta, instant)
	if !ok {
		return nil
	}
	eventID, err := tx.writeEventRow(ctx, e.ID, d)
	if err != nil {
		return err
	}
	return tx.writeOccurrence(ctx, e.ID, eventID, d)
}

// readDates checks that local dates, dates in UTC and duration fit together.
func readDates(m *MetaEdit, instant ToInstant) (d occurrenceDates, ok bool) {
	first := func(key string) string { v, _ := m.First(key); return v }
	d = occurrenceDates{
		start: first("_EventStartDate"), end: first("_EventEndDate"),
		startUTC: first("_EventStartDateUTC"), endUTC: first("_EventEndDateUTC"), zone: first("_EventTimezone"),
	}
	start, ok1 := instant(d.zone, d.start)
	end, ok2 := instant(d.zone, d.end)
	if !ok1 || !ok2 || start.After(end) ||
		start.UTC().Format(time.DateTime) != d.startUTC || end.UTC().Format(time.DateTime) != d.endUTC {
		return d, false
	}
	longest := int64(end.Sub(start) / time.Second)
	d.duration = longest
	if stored := first("_EventDuration"); !php.Empty(stored) {
		if !php.IsNumericString(stored) || php.ToFloat(stored) != float64(php.ToInt(stored)) {
			return d, false
		}
		d.duration = php.ToInt(stored)
	}
	if d.duration < 0 || d.duration > longest {
		return d, false
	}
	d.duration = min(d.duration, longestDuration)
	return d, true
}

// writeEventRow inserts the row of the event or updates the one it has, in one
// statement as the reference does, which consumes an automatic id either way. When
// a row last changed the database notes. It returns the row's id.
func (tx *Tx) writeEventRow(ctx context.Context, post int64, d occurrenceDates) (int64, error) {
	columns := []column{
		{"start_date", d.start}, {"end_date", d.end}, {"timezone", cutText(d.zone, zoneSize)},
		{"start_date_utc", d.startUTC}, {"end_date_utc", d.endUTC}, {"duration", d.duration}, {"hash", ""},
	}
	conflict, given := "ON DUPLICATE KEY UPDATE ", "VALUES(%)"
	if tx.Engine() == "sqlite" {
		conflict, given = "ON CONFLICT(post_id) DO UPDATE SET ", "excluded.%"
	}
	names, values := []string{"post_id"}, []any{post}
	sets := make([]string, len(columns))
	for i, c := range columns {
		names, values = append(names, c.name), append(values, c.value)
		sets[i] = c.name + " = " + strings.Replace(given, "%", c.name, 1)
	}
	err := tx.change(ctx, "events.save_row", sq.Insert(tx.table("tec_events")).Columns(names...).Values(values...).
		Suffix(conflict+strings.Join(sets, ", ")))
	if err != nil {
		return 0, err
	}
	return tx.number(ctx, "events.row_id", sq.Select("event_id").From(tx.table("tec_events")).Where(sq.Eq{"post_id": post}))
}

// zoneSize is the size of the column timezone, in characters.
const zoneSize = 30

// cutText shortens a text to a number of characters, as a server does without its
// strict mode.
func cutText(s string, most int) string {
	for i := range s {
		if most == 0 {
			return s[:i]
		}
		most--
	}
	return s
}

// writeOccurrence keeps the one occurrence of an event, whose id stays.
func (tx *Tx) writeOccurrence(ctx context.Context, post, eventID int64, d occurrenceDates) error {
	ids, err := tx.ids(ctx, "occurrences.of_event", sq.Select("occurrence_id").
		From(tx.table("tec_occurrences")).Where(sq.Eq{"post_id": post}).OrderBy("occurrence_id"))
	if err != nil {
		return err
	}
	columns := []column{
		{"event_id", eventID}, {"post_id", post},
		{"start_date", d.start}, {"start_date_utc", d.startUTC}, {"end_date", d.end}, {"end_date_utc", d.endUTC},
		{"duration", d.duration}, {"hash", d.hash(post)}, {"updated_at", tx.now.UTC().Format(time.DateTime)},
	}
	if len(ids) == 0 {
		_, err := tx.insertRow(ctx, "occurrences.insert", "tec_occurrences", columns)
		return err
	}
	if len(ids) > 1 {
		if err := tx.change(ctx, "occurrences.prune", sq.Delete(tx.table("tec_occurrences")).Where(idList("occurrence_id", ids[1:]))); err != nil {
			return err
		}
	}
	update := sq.Update(tx.table("tec_occurrences")).Where(sq.Eq{"occurrence_id": ids[0]})
	for _, c := range columns {
		update = update.Set(c.name, c.value)
	}
	return tx.change(ctx, "occurrences.update", update)
}

// hash names an occurrence by its dates.
func (d occurrenceDates) hash(post int64) string {
	sum := sha1.Sum([]byte(strings.Join([]string{formatID(post), d.start, d.end, d.startUTC, d.endUTC, formatID(d.duration)}, ":")))
	return hex.EncodeToString(sum[:])
}
