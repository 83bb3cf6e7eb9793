package events

import (
	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// eventDates describes where the dates of events are, in terms of SQL: in the occurrence
// table, or in the metadata.
type eventDates struct {
	table string // with its alias; a row for each start
	post  string // column of the post id
	order string // start that the list is ordered by
	// duration is the shortest one of a post, in seconds.
	duration string
	where    []sq.Sqlizer
}

func (s selector) eventDates(q wpstore.EventQuery) eventDates {
	if q.Occurrences {
		return s.occurrenceDates(q)
	}
	return s.metaDates(q)
}

// dateName returns the column, or the metadata key, of a start or an end.
func dateName(start, end, utcSuffix string, isEnd, utc bool) string {
	name := start
	if isEnd {
		name = end
	}
	if utc {
		name += utcSuffix
	}
	return name
}

func (s selector) occurrenceDates(q wpstore.EventQuery) eventDates {
	column := func(end, utc bool) string { return dateName("o.start_date", "o.end_date", "_utc", end, utc) }
	dates := eventDates{
		table: s.tables.Quoted("tec_occurrences") + " o",
		post:  "o.post_id",
		order: column(false, q.Order.UTC),

		duration: "MIN(o.duration)",
	}
	for _, b := range q.Bounds {
		dates.where = append(dates.where, boundCondition(b, column(b.End, q.UTC)))
	}
	return dates
}

// metaDates reads the dates from the metadata, where they are text. An event without
// the start that orders the list isn't listed, as with the table. Bounds on other keys
// are sets of posts, which cost less than half of a look-up for each event.
func (s selector) metaDates(q wpstore.EventQuery) eventDates {
	key := func(end, utc bool) string { return dateName("_EventStartDate", "_EventEndDate", "UTC", end, utc) }
	orderKey := key(false, q.Order.UTC)
	dates := eventDates{
		table: s.tables.Quoted("postmeta") + " s",
		post:  "s.post_id",
		order: s.dialect.CastDatetime("s.meta_value"),

		duration: "(SELECT MIN(" + s.dialect.CastSigned("d.meta_value") + ") FROM " + s.tables.Quoted("postmeta") +
			" d WHERE d.meta_key = '_EventDuration' AND d.post_id = p.ID)",
		where: []sq.Sqlizer{sq.Eq{"s.meta_key": orderKey}},
	}
	for _, end := range []bool{false, true} {
		set := s.postsWithMeta(sq.Eq{"x.meta_key": key(end, q.UTC)})
		bounded := false
		for _, b := range q.Bounds {
			switch {
			case b.End != end:
			case key(end, q.UTC) == orderKey:
				dates.where = append(dates.where, boundCondition(b, dates.order))
			default:
				set, bounded = set.Where(boundCondition(b, s.dialect.CastDatetime("x.meta_value"))), true
			}
		}
		if bounded {
			dates.where = append(dates.where, sq.Expr(dates.post+" IN (?)", set))
		}
	}
	return dates
}

// boundCondition compares a date expression with a bound.
func boundCondition(b wpstore.Bound, date string) sq.Sqlizer {
	switch b.Op {
	case ">=", ">", "<=", "<":
		return sq.Expr(date+" "+b.Op+" ?", b.Date())
	}
	return sq.Expr("1=0")
}
