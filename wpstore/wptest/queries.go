package wptest

import (
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/synthetic"
)

// TypicalQueries returns typical requests for lists of a generated calendar.
func TypicalQueries() map[string]wpstore.EventQuery {
	now := synthetic.Now.Format(time.DateTime)
	from := wpstore.Bound{Op: ">=", Value: now}
	until := func(days int) wpstore.Bound {
		return wpstore.Bound{End: true, Op: "<=", Value: synthetic.Now.AddDate(0, 0, days).Format(time.DateTime)}
	}
	base := wpstore.EventQuery{Statuses: []string{"publish"}, Occurrences: true, Limit: 10, Bounds: []wpstore.Bound{from, until(730)}}
	with := func(change func(*wpstore.EventQuery)) wpstore.EventQuery {
		q := base
		change(&q)
		return q
	}
	return map[string]wpstore.EventQuery{
		"upcoming":     base,
		"last_page":    with(func(q *wpstore.EventQuery) { q.Offset = 4_900 }),
		"everything":   with(func(q *wpstore.EventQuery) { q.Bounds = nil }),
		"month":        with(func(q *wpstore.EventQuery) { q.Bounds = []wpstore.Bound{from, until(30)} }),
		"category":     with(func(q *wpstore.EventQuery) { q.Categories = []int64{3} }),
		"venue":        with(func(q *wpstore.EventQuery) { q.Venues = []int64{1001} }),
		"featured":     with(func(q *wpstore.EventQuery) { q.Filters = []wpstore.EventFilter{{Name: wpstore.FilterFeatured}} }),
		"search":       with(func(q *wpstore.EventQuery) { q.Search = []wpstore.SearchTerm{{Text: "koncert"}} }),
		"include":      with(func(q *wpstore.EventQuery) { q.Include = []int64{15_001, 15_002}; q.Order.ByPublication = true }),
		"any_status":   with(func(q *wpstore.EventQuery) { q.Statuses = nil }),
		"no_table":     with(func(q *wpstore.EventQuery) { q.Occurrences = false }),
		"beyond_pages": with(func(q *wpstore.EventQuery) { q.Offset = 1_000_000 }),
	}
}
