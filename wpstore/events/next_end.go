package events

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// NextEnd returns the first end of an occurrence that a bound on ends admits, whatever the
// event, as "2006-01-02 15:04:05" in the zone that utc selects; "" if there is none. One
// query. The site needs the table of occurrences.
func (s *Store) NextEnd(ctx context.Context, b wpstore.Bound, utc bool) (string, error) {
	s.run.Depends().OnSet(invalidation.Events)
	column := dateName("o.start_date", "o.end_date", "_utc", true, utc)
	return s.run.Text(ctx, "events.next_end", sq.
		Select("MIN("+column+")").
		From(s.sql.tables.Quoted("tec_occurrences")+" o").
		Where(boundCondition(b, column)))
}
