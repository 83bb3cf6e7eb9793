package events

import (
	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// eventDates says where the dates of events are, in terms of SQL: in the
// occurrence table, or in the metadata.
type eventDates struct {
	table string // with its alias; a row for each start
	post  string // column of the post id
	order string // start that the list is ordered by
	where []sq.Sqlizer
}

func (s selector) eventDates(q wpstore.EventQuery) eventDates {
	if q.Occurrences {
		return s.occurrenceDates(q)
	}
	return s.metaDates(q)
}

func (s selector) occurrenceDates(q wpstore.EventQuery) eventDates {
	column := func(end, utc bool) string {
		name := "o.start_date"
		if end {
			name = "o.end_date"
		}
		if utc {
			name += "_utc"
		}
		return name
	}
	dates := eventDates{
		table: s.tables.Quoted("tec_occurrences") + " o",
		post:  "o.post_id",
		order: column(false, q.Order.UTC),
	}
	for _, b := range q.Bounds {
		dates.where = append(dates.where, boundCondition(b, column(b.End, q.UTC)))
	}
	return dates
}

// metaDates reads the dates from the metadata, where they are text. The start
// that orders the list must be there, so that an event without dates is not
// listed, as with the table. Bounds on other keys are sets of posts: read in one
// go, they cost less than half of a look-up for each event.
func (s selector) metaDates(q wpstore.EventQuery) eventDates {
	key := func(end, utc bool) string {
		name := "_EventStartDate"
		if end {
			name = "_EventEndDate"
		}
		if utc {
			name += "UTC"
		}
		return name
	}
	orderKey := key(false, q.Order.UTC)
	dates := eventDates{
		table: s.tables.Quoted("postmeta") + " s",
		post:  "s.post_id",
		order: s.dialect.CastDatetime("s.meta_value"),
		where: []sq.Sqlizer{sq.Eq{"s.meta_key": orderKey}},
	}
	others := make(map[string]sq.SelectBuilder)
	for _, b := range q.Bounds {
		boundKey := key(b.End, q.UTC)
		if boundKey == orderKey {
			dates.where = append(dates.where, boundCondition(b, dates.order))
			continue
		}
		set, ok := others[boundKey]
		if !ok {
			set = sq.Select("e.post_id").From(s.tables.Quoted("postmeta") + " e").Where(sq.Eq{"e.meta_key": boundKey})
		}
		others[boundKey] = set.Where(boundCondition(b, s.dialect.CastDatetime("e.meta_value")))
	}
	for _, boundKey := range []string{key(false, q.UTC), key(true, q.UTC)} {
		if set, ok := others[boundKey]; ok {
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
