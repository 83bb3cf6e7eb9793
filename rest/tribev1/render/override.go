package render

import "calbridge/wpstore"

// Written is an event that was written.
type Written struct {
	ID int64
	// RefersTo are its venue, organizers and picture.
	RefersTo []int64
	// Shown is what the response shows instead of the rows; may be nil.
	Shown *Override
	// Rows are its rows, nil where they must be read.
	Rows *wpstore.PostSet
	// SelfLanguage is the language whose root its rest_url has, "" for that of the request.
	SelfLanguage string
}

// Override holds what the response to a write of an event shows instead of the rows: under WPML the
// reference takes some of it from its caches (known difference F7).
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

// amend changes the rows of the event.
func (o *Override) amend(rows wpstore.PostSet) {
	p := rows.Posts[o.ID]
	if p == nil {
		return
	}
	m := rows.Meta[o.ID]
	for key, values := range o.Links {
		m = m.With(key, values)
	}
	rows.Meta[o.ID] = m
	for i := range rows.Terms[o.ID] {
		t := &rows.Terms[o.ID][i]
		if count, ok := o.Counts[t.ID]; ok {
			t.Count = count
		}
	}
	if o.Date != "" {
		p.Date, p.DateGMT = o.Date, o.DateGMT
	}
}
