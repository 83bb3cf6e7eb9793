package eventindex

import (
	"calbridge/i18n"
	"calbridge/wpstore"
)

// snapshot is what was loaded: the rows, and what they are about. It never changes.
type snapshot struct {
	rows *sortedRows
	// tables are those that it was loaded from. asked says that the dates should be
	// those of the occurrence table, which may be missing.
	tables Tables
	asked  bool
	terms  terms
}

// search answers a query, or says why it cannot.
func (s *snapshot) search(q *wpstore.EventQuery) (answer, Outcome) {
	if q.Occurrences != s.tables.Occurrences {
		return answer{}, OtherDates
	}
	if !s.knows(q.Language) {
		return answer{}, Language
	}
	a, outcome := s.rows.search(q)
	if len(a.IDs) == 0 {
		a.IDs = nil
	}
	return a, outcome
}

// knows says whether events have what tells their language.
func (s *snapshot) knows(in wpstore.InLanguage) bool {
	if in.Posts != 0 {
		t, ok := s.terms[in.Posts]
		return ok && t.Taxonomy >= placeLanguage
	}
	return in.Plugin == i18n.NoPlugin || in.Plugin == s.tables.Languages
}
