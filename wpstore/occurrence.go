package wpstore

import (
	"context"
	"crypto/sha1"
	"database/sql"
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

func (tx *Tx) writeEventRow(ctx context.Context, post int64, d occurrenceDates) (int64, error) {
	var id int64
	var before occurrenceDates
	err := tx.query(ctx, "events.row", sq.Select("event_id", "start_date", "end_date", "start_date_utc", "end_date_utc", "timezone", "duration").
		From(tx.table("tec_events")).Where(sq.Eq{"post_id": post}).Suffix(tx.d.forUpdate()), func(rows *sql.Rows) error {
		var end, endUTC sql.NullString
		var duration sql.NullInt64
		err := rows.Scan(&id, &before.start, &end, &before.startUTC, &endUTC, &before.zone, &duration)
		before.end, before.endUTC, before.duration = end.String, endUTC.String, duration.Int64
		return err
	})
	if err != nil {
		return 0, err
	}
	columns := []column{
		{"start_date", d.start}, {"end_date", d.end}, {"timezone", d.zone}, {"start_date_utc", d.startUTC}, {"end_date_utc", d.endUTC},
		{"duration", d.duration}, {"hash", ""},
	}
	if id == 0 {
		return tx.insertRow(ctx, "events.insert", "tec_events", append([]column{{"post_id", post}}, columns...))
	}
	if before == d {
		return id, nil
	}
	update := sq.Update(tx.table("tec_events")).Where(sq.Eq{"event_id": id})
	for _, c := range columns {
		update = update.Set(c.name, c.value)
	}
	return id, tx.change(ctx, "events.update", update)
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
