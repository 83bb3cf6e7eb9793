package events

import (
	"context"
	"fmt"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Index answers lists of events from memory.
type Index interface {
	// Events is [Store.Events]; ok is false where the database has to answer.
	Events(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, ok bool)
}

// Store lists events. It is for one request, or for one transaction.
type Store struct {
	run   *sqlconn.Runner
	sql   selector
	index Index // nil for none
}

// New returns a Store.
func New(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins) Store {
	return Store{run: run, sql: selector{run.Dialect(), tables, plugins}}
}

// UseIndex lets lists be answered from memory.
func (s *Store) UseIndex(index Index) { s.index = index }

// EventIDs returns a page of event ids in order, and how many events match in
// all. Events hidden from listings (any row of _EventHideFromUpcoming) are never
// among them, nor are events without the dates the query looks at; an event with
// several occurrences is listed once, by its first one that matches. Equal starts
// go by publication date, then by id.
//
// One query; a second one for the total where a page beyond the end is asked.
func (s *Store) EventIDs(ctx context.Context, q wpstore.EventQuery) (ids []int64, total int64, err error) {
	page, err := s.Events(ctx, q, nil)
	return page.IDs, page.Total, err
}

// Events returns the page of EventIDs, and on the way how many events match
// another query, nil for none. An [Index] may answer it without a query.
func (s *Store) Events(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, err error) {
	s.run.Depends().OnSet(invalidation.Events)
	if len(q.Search) > 0 || other != nil && len(other.Search) > 0 {
		s.run.Depends().OnSet(invalidation.Posts)
	}
	if s.index != nil {
		if page, ok := s.index.Events(ctx, q, other); ok {
			return page, nil
		}
	}
	return s.eventsQueried(ctx, q, other)
}

func (s *Store) key(q, other *wpstore.EventQuery) string {
	return eventKey(s.sql.plugins.JoinVariant(), q, other)
}

// eventsQueried has the database answer Events.
func (s *Store) eventsQueried(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, err error) {
	if other != nil && q.Limit > 0 && s.differInLanguage(q, *other) {
		page, known, err := s.eventsCountedInAnother(ctx, q, other.Language)
		if known || err != nil {
			return page, err
		}
		q.Limit = 0
	}
	if q.Limit > 0 {
		statement, err := s.run.Templates().Once("events.ids", s.key(&q, other), func() sq.Sqlizer { return s.sql.eventPage(q, other) })
		if err != nil {
			return page, err
		}
		rows, err := s.run.Rows(ctx, "events.ids", statement)
		if err != nil {
			return page, err
		}
		into := []*int64{nil, &page.Total, &page.Counted}[:rows.Columns()]
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
	if len(page.IDs) == 0 && (q.Limit <= 0 || q.Offset > 0) {
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
