package sitedb

// CountKnown reports whether the next write of a term, by its term_taxonomy id, need not count.
func (db *DB) CountKnown(term int64) bool {
	known, _ := db.counts.Known([]int64{term})
	return len(known[term]) > 0
}
