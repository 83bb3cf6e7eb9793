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
	key, markers, column, function, order string
}

func rangeEnds() []rangeEnd {
	return []rangeEnd{
		{"earliest_date", "earliest_date_markers", "start_date_utc", "MIN", "ASC"},
		{"latest_date", "latest_date_markers", "end_date_utc", "MAX", "DESC"},
	}
}

// UpdateRange updates the options with the start of the first public event, the end of the
// last one, and the ids of both.
func (c *Calendar) UpdateRange(ctx context.Context) error {
	ends := c.outermostQuery()
	if err := c.options.Announce([]string{calendarOption, lastSave, lastUpdated}, "events.outermost", ends); err != nil {
		return err
	}
	defer sqlconn.AnnounceNothing(c.rows.Runner)
	stored, err := c.options.Locked(ctx, calendarOption, lastSave, lastUpdated)
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
	outermost, err := c.outermost(ctx, ends)
	if err != nil {
		return err
	}
	changed := false
	for _, end := range rangeEnds() {
		did, err := c.updateEnd(ctx, options, end, outermost[end.key])
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
	return c.options.Set(ctx, lastUpdated, changeTime(c.rows.Now))
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

// outermostQuery selects the first occurrences from either end. It reads one index of the
// occurrences, which is far smaller than the table of posts.
func (c *Calendar) outermostQuery() (query sq.SelectBuilder) {
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

// outermost reads the first occurrences from either end, by the keys of the ends.
func (c *Calendar) outermost(ctx context.Context, query sq.Sqlizer) (map[string][]datedPost, error) {
	found := map[string][]datedPost{}
	var key string
	var d datedPost
	err := c.rows.Query(ctx, "events.outermost", query,
		sqlconn.EachRow(func() { found[key] = append(found[key], d) }, &key, &d.occurrence, &d.post, &d.date, &d.public))
	for _, end := range rangeEnds() {
		slices.SortFunc(found[end.key], func(a, b datedPost) int {
			byDate := strings.Compare(a.date, b.date)
			if end.order == "DESC" {
				byDate = -byDate
			}
			return cmp.Or(byDate, cmp.Compare(a.occurrence, b.occurrence))
		})
	}
	return found, err
}

// publicEvents is a condition on posts p.
func publicEvents() sq.Sqlizer {
	return sq.Eq{"p.post_type": wpstore.EventType, "p.post_status": []string{"publish", "private", "protected"}}
}

func (c *Calendar) updateEnd(ctx context.Context, options *php.Array, end rangeEnd, outermost []datedPost) (changed bool, err error) {
	date, posts, err := c.endOf(ctx, end, outermost)
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
	if len(posts) == 0 {
		return false, nil
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

// endOf is the date of one end, "" without public events, and the posts that have it in
// the order of their occurrences. Where the outermost occurrences don't show it, it reads
// all occurrences with their posts.
func (c *Calendar) endOf(ctx context.Context, end rangeEnd, outermost []datedPost) (date string, posts []int64, err error) {
	whole := len(outermost) < maxOutermost
	for _, d := range outermost {
		switch {
		case !d.public:
		case date == "", date == d.date:
			date = d.date
			posts = append(posts, d.post)
		}
	}
	if whole || date != "" && outermost[len(outermost)-1].date != date {
		return date, posts, nil
	}
	public := func(columns string) sq.SelectBuilder {
		return sq.Select(columns).From(c.rows.Table("tec_occurrences") + " o").
			Join(c.rows.Table("posts") + " p ON p.ID = o.post_id").Where(publicEvents())
	}
	if date == "" {
		if date, err = c.rows.Text(ctx, "events.range", public(end.function+"(o."+end.column+")")); err != nil || date == "" {
			return "", nil, err
		}
	}
	posts, err = c.rows.IDs(ctx, "events.range_posts", public("o.post_id").Where(sq.Eq{"o." + end.column: date}).OrderBy("o.occurrence_id"))
	return date, posts, err
}

// SaveRange is UpdateRange, then MarkSaved, in as few round trips.
func (c *Calendar) SaveRange(ctx context.Context) error {
	saved := changeTime(c.rows.Now)
	if err := c.options.Update(ctx, lastSave, saved); err != nil {
		return err
	}
	if err := c.UpdateRange(ctx); err != nil || c.options.Exists(lastSave) {
		return err
	}
	return c.options.Set(ctx, lastSave, saved)
}

// MarkSaved stores the time of the last change, which invalidates The Events Calendar's
// caches.
func (c *Calendar) MarkSaved(ctx context.Context) error {
	return c.options.Set(ctx, lastSave, changeTime(c.rows.Now))
}

// changeTime is Unix time with up to four decimals, as PHP writes
// microtime(true) with a precision of 14 digits.
func changeTime(now time.Time) string {
	s := strconv.FormatFloat(float64(now.UnixMicro())/1e6, 'f', 4, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
