package replay

import "calbridge/compat/diff"

// Group counts the differences of all exchanges that have one cause and are in one place. Its
// JSON form is part of the JSON report.
type Group struct {
	diff.Cause
	// What describes the cause in a sentence, Remedy what to do about it: the rule to add or
	// the flag to set. Both may be empty.
	What   string `json:"what,omitempty"`
	Remedy string `json:"remedy,omitempty"`
	// Part and Where are the place, without indexes: body $.events[*].title.
	Part  diff.Part `json:"part"`
	Where string    `json:"where,omitempty"`
	// Count is the number of exchanges, Example the id of the first of them.
	Count   int             `json:"count"`
	Example string          `json:"example"`
	First   diff.Difference `json:"first"`
}
