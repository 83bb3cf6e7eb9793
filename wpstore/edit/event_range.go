package edit

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

const calendarOption = "tribe_events_calendar_options"

// rangeEnd is one end of the span of all public events.
type rangeEnd struct {
	key, markers, column, function string
}

func rangeEnds() []rangeEnd {
	return []rangeEnd{
		{"earliest_date", "earliest_date_markers", "start_date_utc", "MIN"},
		{"latest_date", "latest_date_markers", "end_date_utc", "MAX"},
	}
}

// UpdateRange updates the options with the start of the first public event, the end of the
// last one, and the ids of both.
func (c *Calendar) UpdateRange(ctx context.Context) error {
	stored, err := c.options.Locked(ctx, calendarOption)
	if err != nil {
		return err
	}
	options := phpserial.Array(stored)
	if options == nil {
		if stored != "" {
			return nil // unreadable: leave it alone
		}
		options = &php.Array{}
	}
	changed := false
	for _, end := range rangeEnds() {
		did, err := c.updateEnd(ctx, options, end)
		if err != nil {
			return err
		}
		changed = changed || did
	}
	if !changed {
		return nil
	}
	if err := c.options.Set(ctx, calendarOption, phpserial.Serialize(options)); err != nil {
		return err
	}
	return c.options.Set(ctx, "tribe_last_updated_option", changeTime(c.rows.Now))
}

func (c *Calendar) updateEnd(ctx context.Context, options *php.Array, end rangeEnd) (changed bool, err error) {
	public := func(columns string) sq.SelectBuilder {
		return sq.Select(columns).From(c.rows.Table("tec_occurrences") + " o").
			Join(c.rows.Table("posts") + " p ON p.ID = o.post_id").
			Where(sq.Eq{"p.post_type": wpstore.EventType, "p.post_status": []string{"publish", "private", "protected"}})
	}
	date, err := c.rows.Text(ctx, "events.range", public(end.function+"(o."+end.column+")"))
	if err != nil {
		return false, err
	}
	if date == "" {
		_, had := options.Lookup(end.key)
		_, marked := options.Lookup(end.markers)
		options.Delete(php.KeyOf(end.key))
		options.Delete(php.KeyOf(end.markers))
		return had || marked, nil
	}
	posts, err := c.rows.IDs(ctx, "events.range_posts", public("o.post_id").Where(sq.Eq{"o." + end.column: date}).OrderBy("o.occurrence_id"))
	if err != nil || len(posts) == 0 {
		return false, err
	}
	if options.At(end.key) == date {
		if markers := options.Array(end.markers); markers.Len() == 1 {
			if id, ok := markers.Values()[0].(int64); ok && slices.Contains(posts, id) {
				return false, nil
			}
		}
	}
	options.SetString(end.key, date)
	options.SetString(end.markers, php.List(posts[0]))
	return true, nil
}

// MarkSaved stores the time of the last change, which invalidates The Events Calendar's
// caches.
func (c *Calendar) MarkSaved(ctx context.Context) error {
	return c.options.Set(ctx, "tribe_last_save_post", changeTime(c.rows.Now))
}

// changeTime is Unix time with up to four decimals, as PHP writes
// microtime(true) with a precision of 14 digits.
func changeTime(now time.Time) string {
	s := strconv.FormatFloat(float64(now.UnixMicro())/1e6, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
