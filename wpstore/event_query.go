package wpstore

import "time"

// Bound is a condition on the start (or end) of an event. Value is a date
// "2006-01-02 15:04:05" on the clock that EventQuery.UTC chooses; anything else
// counts as the zero date, which comes before all others, as on the servers that
// take such a comparison at all.
type Bound struct {
	End   bool   // the end of the event instead of its start
	Op    string // ">=", ">", "<=", "<"
	Value string
}

// NoDate is the zero date, which comes before all others.
const NoDate = "0000-00-00 00:00:00"

// Date returns the value if it is a date of the form "2006-01-02 15:04:05", else
// NoDate. MySQL 8 refuses to compare a date with anything else, MariaDB compares as
// if it were the zero date (a year of five digits, say).
func (b Bound) Date() string {
	if _, err := time.Parse(time.DateTime, b.Value); err != nil || len(b.Value) != len(time.DateTime) {
		return NoDate
	}
	return b.Value
}

// SearchTerm is a text that the title, the excerpt or the content must contain,
// or, with Exclude, that none of them may contain. Letter case and accents count
// as the database's collation says.
type SearchTerm struct {
	Text    string
	Exclude bool
}

// Own says which statuses the posts of one author may have, where they are other
// ones than for everybody's.
type Own struct {
	Author   int64
	Statuses []string
}

// EventOrder is the order of a list of events: by start, the earliest first, then
// by publication date and id, unless a field says otherwise.
type EventOrder struct {
	ByPublication bool // by publication date, then id
	UTC           bool // by the start in UTC instead of the local one
	Descending    bool // the latest start (or publication) first
}

// EventQuery selects events for a list. All conditions are joined by AND. Lists
// of ids: nil is no condition, an empty list matches nothing.
type EventQuery struct {
	Statuses []string // nil: any but trash and auto-draft
	Own      *Own     // what holds instead for the posts of one author
	Bounds   []Bound  // on one and the same occurrence
	UTC      bool     // the bounds are compared with the UTC dates

	Order EventOrder

	Search          []SearchTerm
	UnprotectedOnly bool // only events without a password
	// Passwords, when not nil, admits only events without a password, with one of
	// these, or, where UnlockedFor is not 0, of this author.
	Passwords   []string
	UnlockedFor int64

	Categories, Tags   []int64 // term ids, any of them; descendants are the caller's
	Venues, Organizers []int64 // post ids, any of them
	Featured           *bool   // a row of _tribe_featured exists, or none does
	Parent             *int64
	Include            []int64 // post ids

	Language InLanguage

	// Occurrences says that the occurrence table holds the dates. Otherwise they
	// come from the metadata of the events, as before that table existed.
	Occurrences bool

	Limit, Offset int64 // Limit 0 or less: only the total
}

// EventPage is a page of events.
type EventPage struct {
	IDs   []int64
	Total int64 // of the query
	// Counted is the total of the other query; without one it is Total.
	Counted int64
}
