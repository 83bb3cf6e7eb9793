// Package render turns rows into the JSON of the interface.
package render

// Override is what the answer to a write of an event shows instead of what is
// stored by then: under WPML the reference has remembered some of it from before.
// Known difference F7.
type Override struct {
	// ID is the event.
	ID int64
	// Links replace the links of the event, by meta key.
	Links map[string][]string
	// Counts of terms, by term id.
	Counts map[int64]int64
	// Date and DateGMT replace the publication date, "" for the stored one.
	Date, DateGMT string
}
