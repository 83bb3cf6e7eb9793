package wpstore

import (
	"slices"

	sq "github.com/Masterminds/squirrel"
)

// eventDates says where the dates of events are: in the occurrence table, or in
// the metadata.
type eventDates struct {
	from func(sq.SelectBuilder) sq.SelectBuilder

	post       string // column of the post id
	order      string // start that the list is ordered by
	start, end string // what the bounds compare with
}

func (db *DB) eventDates(q EventQuery) eventDates {
	if q.Occurrences {
		return db.occurrenceDates(q)
	}
	return db.metaDates(q)
}

func (db *DB) occurrenceDates(q EventQuery) eventDates {
	column := func(name string, utc bool) string {
		if utc {
			name += "_utc"
		}
		return "o." + name
	}
	return eventDates{
		from: func(b sq.SelectBuilder) sq.SelectBuilder {
			return b.From(db.table("tec_occurrences") + " o")
		},
		post:  "o.post_id",
		order: column("start_date", q.OrderUTC),
		start: column("start_date", q.UTC),
		end:   column("end_date", q.UTC),
	}
}

// metaDates reads the dates from the metadata, where they are text. Only the keys
// that the query needs are joined; the start that orders the list is always among
// them, so that an event without dates is not listed, as with the table.
func (db *DB) metaDates(q EventQuery) eventDates {
	key := func(name string, utc bool) string {
		if utc {
			name += "UTC"
		}
		return name
	}
	orderKey := key("_EventStartDate", q.OrderUTC)
	startKey, endKey := key("_EventStartDate", q.UTC), key("_EventEndDate", q.UTC)
	dates := eventDates{
		post:  "s.post_id",
		order: db.d.castDatetime("s.meta_value"),
		start: db.d.castDatetime("s.meta_value"),
		end:   db.d.castDatetime("e.meta_value"),
	}
	var joins []string
	join := func(alias, key string) {
		joins = append(joins, db.joinInOrder()+" "+db.table("postmeta")+" "+alias+
			" ON "+alias+".post_id = s.post_id AND "+alias+".meta_key = '"+key+"'")
	}
	if startKey != orderKey && slices.ContainsFunc(q.Bounds, func(b Bound) bool { return !b.End }) {
		dates.start = db.d.castDatetime("b.meta_value")
		join("b", startKey)
	}
	if slices.ContainsFunc(q.Bounds, func(b Bound) bool { return b.End }) {
		join("e", endKey)
	}
	dates.from = func(b sq.SelectBuilder) sq.SelectBuilder {
		b = b.From(db.table("postmeta") + " s").Where(sq.Eq{"s.meta_key": orderKey})
		for _, clause := range joins {
			b = b.JoinClause(clause)
		}
		return b
	}
	return dates
}

// bound is the condition of a Bound.
func (d eventDates) bound(b Bound) sq.Sqlizer {
	column := d.start
	if b.End {
		column = d.end
	}
	switch b.Op {
	case ">=", ">", "<=", "<":
		return sq.Expr(column+" "+b.Op+" ?", comparableDate(b.Value))
	}
	return sq.Expr("1=0")
}

const zeroDate = "0000-00-00 00:00:00"

// comparableDate returns the date if it has the form "2006-01-02 15:04:05", else
// the zero date. MySQL 8 refuses to compare a date with anything else, MariaDB
// compares as if it were the zero date (a year of five digits, say).
func comparableDate(s string) string {
	const form = "0000-00-00 00:00:00"
	if len(s) != len(form) {
		return zeroDate
	}
	for i := range len(form) {
		if form[i] == '0' && (s[i] < '0' || s[i] > '9') || form[i] != '0' && s[i] != form[i] {
			return zeroDate
		}
	}
	return s
}
