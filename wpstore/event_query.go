package wpstore

import "time"

// Bound is a condition on the start or end of an event. Value is a date
// "2006-01-02 15:04:05" in the zone that EventQuery.UTC selects; anything else is the zero
// date, which comes before all others.
type Bound struct {
	End   bool   // the end of the event instead of its start
	Op    string // ">=", ">", "<=", "<"
	Value string
}

// NoDate is the zero date, which comes before all others.
const NoDate = "0000-00-00 00:00:00"

// Date returns the value if it is a date of the form "2006-01-02 15:04:05", else NoDate.
// MariaDB treats anything else as the zero date in comparisons; MySQL 8 refuses to compare
// it.
func (b Bound) Date() string {
	if _, err := time.Parse(time.DateTime, b.Value); err != nil || len(b.Value) != len(time.DateTime) {
		return NoDate
	}
	return b.Value
}

// SearchTerm is a text that the title, the excerpt or the content must contain or, with
// Exclude, that none of them may contain, under the database's collation.
type SearchTerm struct {
	Text    string
	Exclude bool
}

// Own holds the statuses that posts of one author may have, where they differ from those of
// other authors.
type Own struct {
	Author   int64
	Statuses []string
}

// Readable admits the posts that a user may read, contents and all. Its fields are those of
// EventQuery.
type Readable struct {
	Statuses    []string
	Own         *Own
	Passwords   []string
	UnlockedFor int64
}

// EventOrder is the sort order of a list of events. The zero value orders by start, then by
// publication date and id, ascending.
type EventOrder struct {
	ByPublication bool // by publication date, then id
	ByDuration    bool // by start, duration, publication date, all in one direction, then id
	UTC           bool // by the start in UTC instead of the local one
	Descending    bool // the latest start (or publication) first
}

// EventQuery selects events for a list. All conditions are joined by AND. A nil list of ids
// is no condition; an empty one matches nothing.
type EventQuery struct {
	Statuses []string // nil: any but trash and auto-draft
	Own      *Own     // overrides Statuses for the posts of one author
	Bounds   []Bound  // on the same occurrence
	UTC      bool     // compare the bounds with the UTC dates

	Order EventOrder

	Search          []SearchTerm
	UnprotectedOnly bool // only events without a password
	// Passwords, unless nil, admits only events without a password, with one of these
	// passwords, or of the author UnlockedFor, unless that is 0.
	Passwords   []string
	UnlockedFor int64

	Categories, Tags   []int64 // term ids, any of them, without their descendants
	Venues, Organizers []int64 // post ids, any of them
	Include            []int64 // ids of events, any of them
	Hidden             bool    // also events hidden from listings
	Tickets            *TicketFilter
	Filters            []EventFilter // further conditions
	Language           InLanguage

	// Occurrences is set if the occurrence table has the dates. Otherwise they come from
	// the metadata, as in versions without that table.
	Occurrences bool

	Limit, Offset int64 // Limit 0 or less: only the total
}

// EventFilter is a condition on events by its name in the table of package events. Cache keys,
// indexes and walks treat all of them alike, so that a new one needs a row there, and one for
// its argument in package tribev1.
type EventFilter struct {
	Name string
	// Lacks selects the events that do not meet the condition.
	Lacks bool
	// IDs are those that the condition names, where it names any.
	IDs []int64
}

// Names of filters that several packages use.
const (
	FilterFeatured = "featured"    // has a row of _tribe_featured
	FilterParent   = "post_parent" // is a child of one of the posts
	FilterIDs      = "ids"         // is one of the posts
)

// EventPage is a page of events.
type EventPage struct {
	IDs   []int64
	Total int64 // of the query
	// Counted is the total of the other query, and Total if there is none.
	Counted int64
}
