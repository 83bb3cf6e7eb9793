package events

import "calbridge/wpstore"

// ScansLanguages reports whether a list that is counted in another language reads all
// rows of the table of languages from now on.
func ScansLanguages(s *Store, q wpstore.EventQuery, other wpstore.InLanguage) bool {
	q.Language.Also, q.Language.Scan = other.Code, true
	_, scans := s.run.Templates().Find("events.ids", s.key(&q, nil))
	return scans
}
