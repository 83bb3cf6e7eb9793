package events

import (
	"context"
	"fmt"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Store lists events. It is for one request, or for one transaction.
type Store struct {
	run *sqlconn.Runner
	sql selector
	indexed
	searches
	starts wpstore.StartIndexes
}

// New returns a Store.
func New(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins) Store {
	return Store{run: run, sql: selector{run.Dialect(), tables, plugins}}
}

// UseStartIndexes allows lists by start to be read in the order of an index of the
// occurrence table.
func (s *Store) UseStartIndexes(starts wpstore.StartIndexes) { s.starts = starts }

// Events returns a page of event ids in order, how many events match in all, and how many
// match another query, unless that is nil. Events hidden from listings (any row of
// _EventHideFromUpcoming) are left out unless the query asks for them, as are events without
// the dates that the query needs; an event with several occurrences is listed once, by its first one that matches.
// Equal starts are ordered by publication date, then by id.
//
// The event index may answer without a query, or with one that compares the texts of a search's
// candidates. Otherwise it is one query, a second one for the totals of a page beyond the end or
// without window functions (MySQL before 8.0), and one more where an index by start was of no use.
func (s *Store) Events(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, err error) {
	s.run.Depends().OnSet(invalidation.Events)
	if len(q.Search) > 0 || other != nil && len(other.Search) > 0 {
		s.run.Depends().OnSet(invalidation.Posts)
	}
	// The index, by which Events change, has neither hidden events nor durations, nor all filters.
	if q.Hidden || q.Order.ByDuration || other != nil && other.Hidden || !eventindex.IndexesAll(q.Filters) || other != nil && !eventindex.IndexesAll(other.Filters) {
		s.run.Depends().OnSet(invalidation.Posts)
	}
	if q.Tickets != nil || other != nil && other.Tickets != nil {
		s.run.Depends().OnSet(invalidation.Tickets)
	}
	many := false
	if len(q.Search) > 0 || other != nil && len(other.Search) > 0 {
		if q, other, many = s.narrowBoth(s.run, q, other); matchesNone(&q) && (other == nil || matchesNone(other)) {
			return page, nil
		}
		page, found, err := s.search(ctx, q, other)
		if found || err != nil {
			return page, err
		}
	} else if page, found := s.find(ctx, q, other); found {
		return page, nil
	}
	if many || slow(&q) || other != nil && slow(other) {
		s.run.Classify(wpstore.CostSlow)
	}
	return s.eventsQueried(ctx, q, other)
}

// matchesNone reports whether a search has no candidates.
func matchesNone(q *wpstore.EventQuery) bool {
	return len(q.Search) > 0 && q.Include != nil && len(q.Include) == 0
}

// slow reports whether the database must collect and sort many events for one page.
func slow(q *wpstore.EventQuery) bool {
	return q.Tickets != nil || q.Order.ByDuration || max(q.Offset, 0)+q.Limit > maxWalked
}

func (s *Store) key(q, other *wpstore.EventQuery) string {
	return eventKey(s.sql.plugins.JoinVariant(), q, other)
}

// eventsQueried returns what Events does, from the database.
func (s *Store) eventsQueried(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, err error) {
	if other != nil && q.Limit > 0 && s.differInLanguage(q, *other) {
		page, known, err := s.eventsCountedInAnother(ctx, q, other.Language)
		if known || err != nil {
			return page, err
		}
		q.Limit = 0
	}
	key := s.key(&q, other)
	windows := s.sql.dialect.Windows()
	if windows && other == nil && s.starts.By(q.Order.UTC) != "" && walkable(q) {
		// A list in the cache was walked in vain before.
		if _, vain := s.run.Templates().Find("events.ids", key); !vain {
			if page, complete, err := s.eventsWalked(ctx, q); complete || err != nil {
				return page, err
			}
		}
	}
	if q.Limit > 0 {
		statement, err := s.run.Templates().Once("events.ids", key, func() sq.Sqlizer { return s.sql.eventPage(q, other) })
		if err != nil {
			return page, err
		}
		rows, err := s.run.Rows(ctx, "events.ids", statement)
		if err != nil {
			return page, err
		}
		into := []*int64{nil}
		if windows {
			into = append(into, &page.Total)
		}
		if other != nil {
			into = append(into, &page.Counted)
		}
		if n := rows.Len(); n > 0 {
			page.IDs = make([]int64, n)
		}
		for i := range page.IDs {
			into[0] = &page.IDs[i]
			if err := rows.Numbers(i, into...); err != nil {
				return page, fmt.Errorf("query events.ids: %w", err)
			}
		}
	}
	if len(page.IDs) == 0 && (q.Limit <= 0 || q.Offset > 0) || len(page.IDs) > 0 && !windows {
		if page.Total, err = s.run.Number(ctx, "events.count", s.sql.eventCount(q)); err != nil {
			return page, err
		}
	}
	switch {
	case other == nil:
		page.Counted = page.Total
	case len(page.IDs) == 0:
		page.Counted, err = s.run.Number(ctx, "events.count", s.sql.eventCount(*other))
	}
	return page, err
}
