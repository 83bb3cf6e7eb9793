package sitedb

import (
	"strings"

	"calbridge/wpstore/listing"
)

// ReadyFor says whether lists in an order are found without sorting them.
func (l *Listing) ReadyFor(o listing.Order) bool {
	x := l.current.Load()
	return x != nil && x.index.Ready(o)
}

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
