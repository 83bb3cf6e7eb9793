package options

import (
	"context"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sqlconn"
)

// recurrenceOption is the option by which the free plugin switches recurring events on.
const recurrenceOption = "tec_events_recurrence_active"

// provisionalOption is the option with the lowest id by which the calendar names a single
// occurrence of a recurring event as if it were a post.
const provisionalOption = "tec_custom_tables_v1_provisional_post_base_provisional_id"

// Recurrence returns the first sign of recurring events on the site. Without one it takes three
// queries, the last of which reads the whole index of the occurrences by post.
func (s *Store) Recurrence(ctx context.Context, facts *wpstore.SiteFacts) (found wpstore.Recurrence, err error) {
	found.Active = php.ToBool(facts.Raw[recurrenceOption])
	if found.Active || !facts.Occurrences {
		return found, nil
	}
	one := func(name string, q sq.SelectBuilder) (id int64, err error) {
		var read int64
		err = s.run.Query(ctx, name, q, sqlconn.EachRow(func() { id = read }, &read))
		return id, err
	}
	ruled, err := s.hasColumn(ctx, "tec_events", "rset")
	if err != nil {
		return found, err
	}
	if ruled { // other versions of the table lack the column
		q := sq.Select("post_id").From(s.tables.Quoted("tec_events")).Where(sq.NotEq{"rset": ""}).Limit(1)
		if found.Ruled, err = one("recurrence.rules", q); err != nil || found.Ruled != 0 {
			return found, err
		}
	}
	q := sq.Select("post_id").From(s.tables.Quoted("tec_occurrences")).GroupBy("post_id").Having("COUNT(*) > 1").Limit(1)
	found.Several, err = one("recurrence.occurrences", q)
	return found, err
}

// hasColumn reports whether a table has a column.
func (s *Store) hasColumn(ctx context.Context, table, column string) (found bool, err error) {
	var in, name string
	columns := s.run.Dialect().ColumnsOf([]string{s.tables.Plain(table)})
	err = s.run.Query(ctx, "site.columns", columns, sqlconn.EachRow(func() { found = found || strings.EqualFold(name, column) }, &in, &name))
	return found, err
}
