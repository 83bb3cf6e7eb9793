package edit

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// Calendar writes what The Events Calendar derives from events: the rows of its own
// tables, the span of all events, and the time of the last change.
type Calendar struct {
	rows    *rowedit.Rows
	options *rowedit.Options
	// written are the ends of the only occurrence of events as SyncEvent has written it, if it
	// is public, in the order of rangeEnds.
	written map[int64][]datedPost
}

// NewCalendar returns the editor of one transaction.
func NewCalendar(rows *rowedit.Rows) *Calendar {
	return &Calendar{rows, rows.Options, map[int64][]datedPost{}}
}

// ToInstant parses a local date in the zone of an event; false if either is invalid.
type ToInstant func(zone, local string) (time.Time, bool)

// longestDuration is the maximum of the column, in seconds.
const longestDuration = 1<<23 - 1

// occurrenceDates are the dates of an event as its metadata has them.
type occurrenceDates struct {
	start, end, startUTC, endUTC, zone string
	duration                           int64
}

// SyncEvent copies the dates of an event from its metadata to The Events Calendar's own
// tables, if they are valid.
func (c *Calendar) SyncEvent(ctx context.Context, e *PostEdit, instant ToInstant) error {
	d, ok := readDates(e.Meta, instant)
	if !ok {
		return nil
	}
	if err := c.writeEventRow(ctx, e.ID, d); err != nil {
		return err
	}
	var ids []int64
	if !e.bare {
		var err error
		if ids, err = c.rows.IDs(ctx, "occurrences.of_event", sq.Select("occurrence_id").From(c.rows.Table("tec_occurrences")).Where(sq.Eq{"post_id": e.ID})); err != nil {
			return err
		}
	}
	if err := c.writeOccurrence(ctx, e.ID, d, ids); err != nil {
		return err
	}
	c.written[e.ID] = nil
	if slices.Contains(publicStatuses, e.Status) {
		c.written[e.ID] = []datedPost{{post: e.ID, date: d.startUTC, public: true}, {post: e.ID, date: d.endUTC, public: true}}
	}
	return nil
}

// readDates reads the dates and checks that local dates, UTC dates and duration agree.
func readDates(m *rowedit.MetaEdit, instant ToInstant) (d occurrenceDates, ok bool) {
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

// writeEventRow inserts or updates the row of the event. It is one statement, as in the
// reference, which consumes an automatic id either way. The database sets updated_at.
func (c *Calendar) writeEventRow(ctx context.Context, post int64, d occurrenceDates) error {
	columns := rowedit.Columns(
		"start_date", d.start, "end_date", d.end, "timezone", rowedit.CutText(d.zone, zoneSize),
		"start_date_utc", d.startUTC, "end_date_utc", d.endUTC, "duration", d.duration, "hash", "",
	)
	if err := c.rows.CheckFit("tec_events", columns); err != nil {
		return err
	}
	updated := make([]string, len(columns))
	names, values := []string{"post_id"}, []any{post}
	for i, column := range columns {
		updated[i] = column.Name
		names, values = append(names, column.Name), append(values, column.Value)
	}
	save, err := c.rows.Templates().Shaped("events.save_row", "", values, func() sq.Sqlizer {
		return sq.Insert(c.rows.Table("tec_events")).Columns(names...).Values(values...).Suffix(c.rows.Dialect().Upsert("post_id", updated))
	})
	if err != nil {
		return err
	}
	return c.rows.Change(ctx, "events.save_row", "tec_events", save)
}

// zoneSize is the size of the column timezone, in characters.
const zoneSize = 30

// writeOccurrence writes the one occurrence of an event, which may have some. It keeps the
// lowest id.
func (c *Calendar) writeOccurrence(ctx context.Context, post int64, d occurrenceDates, ids []int64) error {
	slices.Sort(ids) // servers would sort with a file
	event := sq.Expr("(SELECT event_id FROM "+c.rows.Table("tec_events")+" WHERE post_id = ?)", post)
	columns := rowedit.Columns(
		"event_id", event, "post_id", post,
		"start_date", d.start, "start_date_utc", d.startUTC, "end_date", d.end, "end_date_utc", d.endUTC,
		"duration", d.duration, "hash", d.hash(post), "updated_at", c.rows.UTCTime(),
	)
	if len(ids) == 0 {
		return c.addOccurrence(ctx, post, columns)
	}
	if len(ids) > 1 {
		if err := c.rows.Change(ctx, "occurrences.prune", "tec_occurrences", sq.Delete(c.rows.Table("tec_occurrences")).Where(sqlconn.IDList("occurrence_id", ids[1:]))); err != nil {
			return err
		}
	}
	return c.rows.Set(ctx, "occurrences.update", "tec_occurrences", columns, sq.Eq{"occurrence_id": ids[0]})
}

// addOccurrence adds a row. The first column is an expression of the post's id.
func (c *Calendar) addOccurrence(ctx context.Context, post int64, columns []rowedit.Column) error {
	var names []string
	var values []any
	for _, column := range columns {
		names, values = append(names, column.Name), append(values, column.Value)
	}
	insert, err := c.rows.Templates().Shaped("occurrences.insert", "", append([]any{post}, values[1:]...), func() sq.Sqlizer {
		return sq.Insert(c.rows.Table("tec_occurrences")).Columns(names...).Values(values...)
	})
	if err != nil {
		return err
	}
	return c.rows.Change(ctx, "occurrences.insert", "tec_occurrences", insert)
}

// hash identifies an occurrence by its dates.
func (d occurrenceDates) hash(post int64) string {
	sum := sha1.Sum([]byte(strings.Join([]string{strconv.FormatInt(post, 10), d.start, d.end, d.startUTC, d.endUTC, strconv.FormatInt(d.duration, 10)}, ":")))
	return hex.EncodeToString(sum[:])
}
