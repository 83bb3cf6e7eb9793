package sitedb

import "strings"

// ScansLanguages says whether any list reads all rows of the table of languages.
func (db *DB) ScansLanguages() bool {
	db.templates.mu.Lock()
	defer db.templates.mu.Unlock()
	for _, s := range db.templates.queries {
		if strings.Contains(s.text, ") il ON il.element_id") {
			return true
		}
	}
	return false
}
