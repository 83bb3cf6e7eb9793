package eventindex

import (
	"calbridge/i18n"
	"calbridge/wpstore"
)

// snapshot is what was loaded: the rows, and what they were loaded from. It is
// immutable.
type snapshot struct {
	rows   *sortedRows
	tables Tables
	// asked: the dates should be those of the occurrence table, which may be missing.
	asked bool
	terms terms
}

// search answers a query, or returns why it can't.
func (s *snapshot) search(q *wpstore.EventQuery) (answer, Outcome) {
	if q.Occurrences != s.tables.Occurrences {
		return answer{}, OtherDates
	}
	if !s.hasLanguage(q.Language) {
		return answer{}, Language
	}
	return s.rows.search(q)
}

// hasLanguage reports whether the rows have the attribute that a language is found by.
func (s *snapshot) hasLanguage(in wpstore.InLanguage) bool {
	if in.Posts != 0 {
		t, ok := s.terms[in.Posts]
		return ok && t.Taxonomy >= placeLanguage
	}
	return in.Plugin == i18n.NoPlugin || in.Plugin == s.tables.Languages
}
