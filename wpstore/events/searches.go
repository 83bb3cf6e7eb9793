package events

import (
	"slices"

	"calbridge/wpstore"
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

// narrowed returns the query restricted to the candidates of its search, if the index has them. many
// reports that the database must compare the texts of many events.
func (s *searches) narrowed(run *sqlconn.Runner, q wpstore.EventQuery) (narrowed wpstore.EventQuery, many bool) {
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
