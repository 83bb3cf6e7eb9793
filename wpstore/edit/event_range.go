package edit

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sqlconn"
)

// Options that saving an event sets.
const (
	calendarOption = "tribe_events_calendar_options"
	lastSave       = "tribe_last_save_post"
	lastUpdated    = "tribe_last_updated_option"
)

// rangeEnd is one end of the span of all public events.
type rangeEnd struct {
	key, markers, column, order string
}

func rangeEnds() []rangeEnd {
	return []rangeEnd{
		{"earliest_date", "earliest_date_markers", "start_date_utc", "ASC"},
		{"latest_date", "latest_date_markers", "end_date_utc", "DESC"},
	}
}

// before reports whether a date lies outside of another one, seen from this end.
func (e rangeEnd) before(a, b string) bool {
	if e.order == "DESC" {
		a, b = b, a
	}
	return a < b
}

// sorted sorts occurrences from this end.
func (e rangeEnd) sorted(all []datedPost) []datedPost {
	slices.SortFunc(all, func(a, b datedPost) int {
		switch {
		case e.before(a.date, b.date):
			return -1
		case e.before(b.date, a.date):
			return 1
		}
		return cmp.Compare(a.occurrence, b.occurrence)
	})
	return all
}

// set sets this end to the date of a post.
func (e rangeEnd) set(options *php.Array, d datedPost) {
	options.SetString(e.key, d.date)
	options.SetString(e.markers, php.List(d.post))
}

// UpdateRange updates the options with the start of the first public event, the end of the
// last one, and the ids of both.
func (c *Calendar) UpdateRange(ctx context.Context) error {
	b := sqlconn.NewBatch(c.rows.Runner)
	update, err := c.queueRange(b, nil)
	if err != nil {
		return err
	}
	if err := b.Send(ctx); err != nil {
		return err
	}
	return update.write(ctx)
}

// RangeOption is the option that has the range of all events.
const RangeOption = calendarOption

// IsRange reports whether a text of [RangeOption] has the range of all events. It takes no locks.
func (c *Calendar) IsRange(ctx context.Context, text string) (bool, error) {
	options := phpserial.Array(text)
	if options == nil {
		return false, nil
	}
	u := &rangeUpdate{Calendar: c}
	b := sqlconn.NewBatch(c.rows.Runner)
	if err := u.queueOutermost(b); err != nil {
		return false, err
	}
	if err := b.Send(ctx); err != nil {
		return false, err
	}
	differs, err := u.replace(ctx, options)
	return err == nil && !differs, err
}

// rangeUpdate is an update of the range of all events: a batch reads the options and the dates,
// then write compares them.
type rangeUpdate struct {
	*Calendar
	options map[string]string // their texts
	// few reports that the range was right before some posts changed: those are compared with it.
	// Otherwise outermost has the first occurrences from either end, by the keys of the ends.
	few       bool
	changed   []int64
	dates     [2][]datedPost // of their public occurrences, by end
	outermost map[string][]datedPost
}

// queueRange queues what an update reads where only these posts have changed since the last one;
// nil for any.
func (c *Calendar) queueRange(b *sqlconn.Batch, changed []int64) (*rangeUpdate, error) {
	u := &rangeUpdate{Calendar: c, few: c.rows.Known.Range("") && len(changed) > 0}
	touched := c.rows.Known.Touched()
	var err error
	if u.options, err = c.options.QueueLocked(b, calendarOption, lastSave, lastUpdated); err != nil {
		return nil, err
	}
	if !u.few {
		return u, u.queueOutermost(b)
	}
	u.changed = sqlconn.DistinctIDs(slices.Concat(changed, touched))
	return u, u.queueChanged(b)
}

// queueChanged queues the dates of the posts that have changed, unless this transaction has written
// all that counts. Of several posts, the ids of occurrences would matter.
func (u *rangeUpdate) queueChanged(b *sqlconn.Batch) error {
	if len(u.changed) == 1 {
		if ends, known := u.written[u.changed[0]]; known {
			for i, end := range ends {
				u.dates[i] = []datedPost{end}
			}
			return nil
		}
	}
	query, err := u.rows.Templates().ByIDs("events.changed", "", "o.post_id", u.changed, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return u.publicOccurrences("o.occurrence_id", "o.post_id", "o.start_date_utc", "o.end_date_utc").Where(onIDs)
	})
	if err != nil {
		return err
	}
	var d datedPost
	var start, finish string
	b.Query("events.changed", query, sqlconn.EachRow(func() {
		for i, date := range []string{start, finish} {
			u.dates[i] = append(u.dates[i], datedPost{d.occurrence, d.post, date, true})
		}
	}, &d.occurrence, &d.post, &start, &finish))
	return nil
}

// write writes the range if it has changed.
func (u *rangeUpdate) write(ctx context.Context) error {
	stored := u.options[calendarOption]
	parse := func() *php.Array {
		if options := phpserial.Array(stored); options != nil || stored != "" {
			return options
		}
		return &php.Array{}
	}
	options := parse()
	if options == nil {
		return nil // unreadable: leave it alone
	}
	updated, known := false, u.few
	if known {
		updated, known = u.extend(options)
		known = known && u.rows.Known.Range(stored)
	}
	if !known {
		options = parse()
		var err error
		if updated, err = u.replace(ctx, options); err != nil {
			return err
		}
	}
	if !updated {
		u.rows.Known.SetRange(stored)
		return nil
	}
	text := phpserial.Serialize(options)
	u.rows.Known.SetRange(text)
	if err := u.Calendar.options.Set(ctx, calendarOption, text); err != nil {
		return err
	}
	return u.Calendar.options.Set(ctx, lastUpdated, changeTime(u.rows.Now))
}

// replace sets both ends by all events.
func (u *rangeUpdate) replace(ctx context.Context, options *php.Array) (updated bool, err error) {
	if u.few {
		b := sqlconn.NewBatch(u.rows.Runner)
		if err := u.queueOutermost(b); err != nil {
			return false, err
		}
		if err := b.Send(ctx); err != nil {
			return false, err
		}
	}
	for _, end := range rangeEnds() {
		did, err := u.updateEnd(ctx, options, end, end.sorted(u.outermost[end.key]))
		if err != nil {
			return false, err
		}
		updated = updated || did
	}
	return updated, nil
}

// extend sets both ends, which were right before these posts changed. known is false where
// the posts don't tell what they are now.
func (u *rangeUpdate) extend(options *php.Array) (updated, known bool) {
	for i, end := range rangeEnds() {
		date, _ := options.At(end.key).(string)
		markers := options.Array(end.markers)
		if date == "" || markers.Len() != 1 {
			return false, false
		}
		marker, ok := markers.Values()[0].(int64)
		if !ok {
			return false, false
		}
		if first := end.sorted(u.dates[i]); len(first) > 0 && end.before(first[0].date, date) {
			end.set(options, first[0])
			updated = true
		} else if slices.Contains(u.changed, marker) && !slices.ContainsFunc(first, func(d datedPost) bool { return d.post == marker && d.date == date }) {
			return false, false // it was the first or the last one
		}
	}
	return updated, true
}

// datedPost is an occurrence at one end of the span.
type datedPost struct {
	occurrence, post int64
	date             string
	public           bool
}

// maxOutermost is how many occurrences outermost reads for each end. Nearly always the
// first one is public, and no other has its date.
const maxOutermost = 8

// queueOutermost queues the first occurrences from either end. It reads one index of the
// occurrences, which is far smaller than the table of posts.
func (u *rangeUpdate) queueOutermost(b *sqlconn.Batch) error {
	query, err := u.rows.Templates().Once("events.outermost", "", func() sq.Sqlizer { return u.selectOutermost() })
	if err != nil {
		return err
	}
	u.outermost = map[string][]datedPost{}
	var key string
	var d datedPost
	b.Query("events.outermost", query,
		sqlconn.EachRow(func() { u.outermost[key] = append(u.outermost[key], d) }, &key, &d.occurrence, &d.post, &d.date, &d.public))
	return nil
}

func (c *Calendar) selectOutermost() (query sq.SelectBuilder) {
	for i, end := range rangeEnds() {
		first := sq.Select("occurrence_id", "post_id", end.column+" AS date").From(c.rows.Table("tec_occurrences")).
			OrderBy(end.column+" "+end.order, "occurrence_id").Limit(maxOutermost)
		one := sq.Select("'"+end.key+"'", "o.occurrence_id", "o.post_id", "o.date", "CASE WHEN p.ID IS NULL THEN 0 ELSE 1 END").
			FromSelect(first, "o").JoinClause(sq.ConcatExpr("LEFT JOIN "+c.rows.Table("posts")+" p ON p.ID = o.post_id AND ", publicEvents()))
		if i == 0 {
			query = one
		} else {
			query = query.SuffixExpr(sq.ConcatExpr("UNION ALL ", one))
		}
	}
	return query
}

// publicEvents returns a condition on posts p.
func publicEvents() sq.Sqlizer {
	return sq.Eq{"p.post_type": wpstore.EventType, "p.post_status": publicStatuses}
}

// publicStatuses are those of the events that count for the range.
var publicStatuses = []string{"publish", "private", "protected"}

func (c *Calendar) updateEnd(ctx context.Context, options *php.Array, end rangeEnd, outermost []datedPost) (changed bool, err error) {
	first, err := c.endOf(ctx, end, outermost)
	if err != nil {
		return false, err
	}
	if first.date == "" {
		_, had := options.Lookup(end.key)
		_, marked := options.Lookup(end.markers)
		options.Delete(php.KeyOf(end.key))
		options.Delete(php.KeyOf(end.markers))
		return had || marked, nil
	}
	if options.At(end.key) == first.date {
		if markers := options.Array(end.markers); markers.Len() == 1 {
			if id, ok := markers.Values()[0].(int64); ok {
				if has, err := c.hasDate(ctx, end, id, first, outermost); has || err != nil {
					return false, err
				}
			}
		}
	}
	end.set(options, first)
	return true, nil
}

// hasDate reports whether a post is public and has the date of the first one.
func (c *Calendar) hasDate(ctx context.Context, end rangeEnd, id int64, first datedPost, outermost []datedPost) (bool, error) {
	if slices.ContainsFunc(outermost, func(d datedPost) bool { return d.public && d.post == id && d.date == first.date }) || id == first.post {
		return true, nil
	}
	n, err := c.rows.Number(ctx, "events.range_marker", c.publicOccurrences("COUNT(*)").Where(sq.Eq{"o.post_id": id, "o." + end.column: first.date}))
	return n > 0, err
}

func (c *Calendar) publicOccurrences(columns ...string) sq.SelectBuilder {
	return sq.Select(columns...).From(c.rows.Table("tec_occurrences") + " o").
		Join(c.rows.Table("posts") + " p ON p.ID = o.post_id").Where(publicEvents())
}

// endOf returns the first public occurrence from one end, of the lowest id where several have
// its date. Where the outermost occurrences don't show it, it reads all with their posts. The
// date is "" without public events.
func (c *Calendar) endOf(ctx context.Context, end rangeEnd, outermost []datedPost) (first datedPost, err error) {
	if at := slices.IndexFunc(outermost, func(d datedPost) bool { return d.public }); at >= 0 {
		return outermost[at], nil
	}
	if len(outermost) < maxOutermost {
		return first, nil
	}
	query := c.publicOccurrences("o.occurrence_id", "o.post_id", "o."+end.column).OrderBy("o."+end.column+" "+end.order, "o.occurrence_id").Limit(1)
	err = c.rows.Query(ctx, "events.range", query, sqlconn.EachRow(func() {}, &first.occurrence, &first.post, &first.date))
	return first, err
}

// SaveRange does what UpdateRange and MarkSaved do, and writes the counts that are due in the same
// round trips. The posts are those that have changed, nil for any: where the range was right
// before, it reads no others, unless the first or the last event was among them.
func (c *Calendar) SaveRange(ctx context.Context, changed []int64) error {
	saved := changeTime(c.rows.Now)
	var update *rangeUpdate
	err := c.rows.Counts.Write(ctx, func(b *sqlconn.Batch) (err error) {
		if err = c.options.Update(ctx, lastSave, saved); err == nil {
			update, err = c.queueRange(b, changed)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := update.write(ctx); err != nil || c.options.Exists(lastSave) {
		return err
	}
	return c.options.Set(ctx, lastSave, saved)
}

// MarkSaved stores the time of the last change, which invalidates The Events Calendar's
// caches.
func (c *Calendar) MarkSaved(ctx context.Context) error {
	return c.options.Set(ctx, lastSave, changeTime(c.rows.Now))
}

// MarkPublished stores the time of the last change of a public event among the sites of the network.
func (c *Calendar) MarkPublished(ctx context.Context) error {
	return c.rows.Change(ctx, "blogs.last_updated", "blogs", sq.Update(c.rows.Table("blogs")).
		Set("last_updated", c.rows.UTCTime()).Where(sq.Eq{"blog_id": c.rows.Tables.Blog()}))
}

// changeTime returns Unix time with up to four decimals, as PHP writes
// microtime(true) with a precision of 14 digits.
func changeTime(now time.Time) string {
	s := strconv.FormatFloat(float64(now.UnixMicro())/1e6, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
