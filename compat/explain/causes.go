package explain

import (
	"fmt"

	"calbridge/compat/diff"
)

// Names of causes that are not known differences.
const (
	WebServer   = "web-server"
	Compression = "compression"
	Caching     = "caching"
	Clock       = "clock"
	Changed     = "changed"
	Address     = "address"
	Wording     = "wording"
)

// Description is a row of the table of causes.
type Description struct {
	Name     string
	Category diff.Category
	// What describes the cause in a sentence, Remedy what removes or allows its differences.
	What, Remedy string
}

// otherLevel is the remedy that gives the answers of the reference.
const otherLevel = "calbridge serve --compat exact answers as the reference does"

// safeLevel is the remedy that gives the answers of the reference where only faults differ.
const safeLevel = "calbridge serve --compat safe answers as the reference does"

// Causes returns the table of causes. The known differences are those of README that a
// comparison of reads can recognize.
func Causes() []Description {
	return []Description{
		{"S1", diff.Intended, "lists show a user only what that user could read individually", otherLevel},
		{"S2", diff.Intended, "lists leave out events whose password the request lacks", otherLevel},
		{"S8", diff.Intended, "on Polylang the language roots and parameter work", otherLevel},
		{"S9", diff.Intended, "entries that a user can't read directly don't show anywhere else", otherLevel},
		{"S13", diff.Intended, "a list as the parameter _method is refused with 400", otherLevel},
		{"S15", diff.Intended, "holes that later versions of The Events Calendar closed are closed", otherLevel},
		{"S16", diff.Intended, "no text of an iCalendar export ends its line", otherLevel},
		{"S17", diff.Intended, "pages of other origins may read totals and entity tags", otherLevel},
		{"F5", diff.Intended, "WPML's language parameter decides everything in an answer", safeLevel},
		{"F6", diff.Intended, "/doc is a valid OpenAPI 3.1 document", safeLevel},
		{"F9", diff.Intended, "iCalendar exports follow RFC 5545", safeLevel},
		{"F10", diff.Intended, "iCalendar exports describe each zone once, with local onsets", safeLevel},
		{"F11", diff.Intended, "iCalendar exports have dates of all-day events, and no region of another event's venue", safeLevel},
		{"D1", diff.Intended, "the order among equal sort keys is undefined", ""},
		{"D12", diff.Intended, "a ticket counts also when its sale is over", ""},
		{"D14", diff.Intended, "exports of pages that only WordPress knows", "calbridge serve --upstream URL lets WordPress answer them"},
		{WebServer, diff.Headers, "a web server, PHP or a CDN adds the header", ""},
		{Compression, diff.Headers, "a web server compresses, and says so in Vary", ""},
		{Caching, diff.Headers, "calbridge lets its answers be cached and revalidated", otherLevel},
		{Clock, diff.Raced, "the value is the time of the answer", ""},
		{Changed, diff.Raced, "the data changed between the two answers", ""},
		{Address, diff.Unexplained, "the same answers under another address", ""},
		{Wording, diff.Unexplained, "the texts of messages and descriptions are the site's own", "calbridge serve --profile FILE; calbridge record --profile FILE makes it"},
	}
}

// Describe returns the row of a cause, and a zero row for one that is not in the table.
func Describe(c diff.Cause) Description {
	for _, d := range Causes() {
		if d.Name == c.Name {
			return d
		}
	}
	return Description{Name: c.Name, Category: c.Of()}
}

// causeOf returns the cause of that name.
func causeOf(name string) diff.Cause {
	d := Describe(diff.Cause{Name: name})
	return diff.Cause{Category: d.Category, Name: d.Name}
}

// Remedy returns what removes or allows a difference: a rule for the rules file or a flag.
// It is "" where there is nothing to suggest.
func Remedy(d diff.Difference) string {
	row := Describe(d.Cause)
	switch {
	case d.Cause.Name == Address:
		return fmt.Sprintf(`rule {"kind": "replace", "from": %q, "to": %q, "reason": "…"}`, d.Recorded, d.Got)
	case row.Remedy != "" || d.Cause.Explains():
		return row.Remedy
	case d.Part == diff.PartHeaders:
		return fmt.Sprintf(`rule {"kind": "ignore", "header": %q, "reason": "…"}`, d.Where)
	case d.Part == diff.PartStatus:
		return `rule {"kind": "ignore", "status": true, "match": {…}, "reason": "…"}`
	case d.Part == diff.PartBody && len(d.Where) > 1 && d.Where[0] == '$':
		return fmt.Sprintf(`rule {"kind": "ignore", "path": %q, "reason": "…"}`, Place(d.Where))
	}
	return ""
}
