package events

import (
	"context"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/searchindex"
	"calbridge/wpstore/sqlconn"
)

// searches narrows searches by an index. The zero value has none: the database looks at all
// texts.
type searches struct {
	narrower *searchindex.Index
	searched func(searchindex.Outcome) // may be nil
}

// UseSearches allows searches among the candidates of an index. searched, which may be nil, is called
// with the outcome for each search.
func (s *searches) UseSearches(index *searchindex.Index, searched func(searchindex.Outcome)) {
	s.narrower, s.searched = index, searched
}

// candidates returns the posts that may contain all required texts. narrowed is false where the
// database must look at all: also on a replica, whose texts may be older than the index.
func (s *searches) candidates(run *sqlconn.Runner, required, excluded []string) (ids []int64, narrowed bool) {
	if s.narrower == nil || run.OnReplica() {
		return nil, false
	}
	ids, outcome := s.narrower.Search(required, excluded)
	if s.searched != nil {
		s.searched(outcome)
	}
	return ids, outcome == searchindex.Narrowed
}

// manyTexts is the number of candidates from which on a search counts as slow.
const manyTexts = 1000

// search answers a query with a text search from both indexes, and counts the events of another one unless
// that is nil. The queries are restricted to the candidates of the search index. The event index lists
// those that match otherwise, and the database compares their texts: the others are left out of the list.
// found is false where an index can't tell, or the queries search for different texts.
func (s *Store) search(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, found bool, err error) {
	if s.index == nil || q.Include == nil || other != nil && (other.Include == nil || !slices.Equal(other.Search, q.Search)) {
		s.observed(eventindex.TextSearch)
		return page, false, nil
	}
	listed, outcome := s.matching(ctx, q)
	var counted []int64
	if other != nil && outcome == eventindex.FromIndex {
		counted, outcome = s.matching(ctx, *other)
	}
	s.observed(outcome)
	if outcome != eventindex.FromIndex {
		return page, false, nil
	}
	ids := slices.Concat(listed, counted)
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) >= manyTexts {
		s.run.Classify(wpstore.CostSlow)
	}
	if ids, err = s.withTexts(ctx, ids, q.Search); err != nil {
		return page, false, err
	}
	listed, counted = common(listed, ids), common(counted, ids)
	page.Total, page.Counted = int64(len(listed)), int64(len(listed))
	if other != nil {
		page.Counted = int64(len(counted))
	}
	from := min(max(q.Offset, 0), page.Total)
	page.IDs = listed[from : from+min(max(q.Limit, 0), page.Total-from)]
	return page, true, nil
}

// matching returns the ids of all events, in the order of the list, that match a query which names some, whatever
// their texts, if the outcome is [eventindex.FromIndex].
func (s *Store) matching(ctx context.Context, q wpstore.EventQuery) ([]int64, eventindex.Outcome) {
	q.Search, q.Limit, q.Offset = nil, int64(len(q.Include)), 0
	page, outcome := s.index.Find(ctx, s.source, q, nil)
	return page.IDs, outcome
}

// withTexts returns those of the events, ascending, whose texts match a search. At most one query.
func (s *Store) withTexts(ctx context.Context, ids []int64, search []wpstore.SearchTerm) ([]int64, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	query := sq.Select("p.ID").
		From(s.sql.tables.Quoted("posts") + " p").
		Where(sqlconn.IDList("p.ID", ids))
	for _, term := range search {
		query = query.Where(searchCondition(term))
	}
	ids, err := s.run.IDs(ctx, "events.texts", query)
	slices.Sort(ids)
	return ids, err
}

// common returns those of some ids, in their order, that are among others, which ascend.
func common(ids, others []int64) []int64 {
	return slices.DeleteFunc(ids, func(id int64) bool {
		_, found := slices.BinarySearch(others, id)
		return !found
	})
}

// narrowBoth returns the queries restricted to the candidates of their searches, where the index has
// them; the second one may be nil. many reports that the database must compare the texts of many events.
func (s *searches) narrowBoth(run *sqlconn.Runner, q wpstore.EventQuery, other *wpstore.EventQuery) (narrowed wpstore.EventQuery, alsoNarrowed *wpstore.EventQuery, many bool) {
	narrowed, many = s.narrow(run, q)
	if other == nil {
		return narrowed, nil, many
	}
	also := *other
	if slices.Equal(other.Search, q.Search) && (other.Include == nil) == (q.Include == nil) && slices.Equal(other.Include, q.Include) {
		also.Include = narrowed.Include
		return narrowed, &also, many
	}
	also, alsoMany := s.narrow(run, also)
	return narrowed, &also, many || alsoMany
}

// narrow returns the query restricted to the candidates of its search, ascending, if the index has
// them. many reports that the database must compare the texts of many events.
func (s *searches) narrow(run *sqlconn.Runner, q wpstore.EventQuery) (narrowed wpstore.EventQuery, many bool) {
	if len(q.Search) == 0 {
		return q, false
	}
	var required, excluded []string
	for _, term := range q.Search {
		switch {
		case !sqlconn.Searchable(term.Text):
			return q, true
		case term.Exclude:
			excluded = append(excluded, term.Text)
		default:
			required = append(required, term.Text)
		}
	}
	ids, found := s.candidates(run, required, excluded)
	if !found {
		return q, true
	}
	if q.Include != nil {
		ids = slices.DeleteFunc(ids, func(id int64) bool { return !slices.Contains(q.Include, id) })
	}
	q.Include = append([]int64{}, ids...) // not nil: none matches
	return q, len(ids) >= manyTexts
}
