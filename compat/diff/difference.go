package diff

import (
	"fmt"
)

// Part names the part of an answer that a difference is in.
type Part string

// The parts of an answer, in the order in which they are compared.
const (
	PartAnswer  Part = "answer" // none came, or none that could be read
	PartStatus  Part = "status"
	PartHeaders Part = "headers"
	PartBody    Part = "body"
	// PartKnown is a known difference that was not there.
	PartKnown Part = "known difference"
)

// Absent stands in a difference for a value that one side does not have.
const Absent = "(absent)"

// Difference is one thing that differs between the recorded and the given answer.
type Difference struct {
	Part Part `json:"part"`
	// Level is the coarsest level at which the difference is seen.
	Level Level `json:"level"`
	// Where is the header's name, the JSON path or the byte offset in the body.
	Where string `json:"where,omitempty"`
	// Recorded and Got are the two values, shortened to the place that differs.
	Recorded string `json:"recorded"`
	Got      string `json:"got"`
	// Known is the number of the known difference that this is, or 0.
	Known int `json:"known,omitempty"`
}

func (d Difference) String() string {
	where := string(d.Part)
	if d.Where != "" {
		where += " " + d.Where
	}
	text := fmt.Sprintf("%s: recorded %s, got %s", where, d.Recorded, d.Got)
	if d.Known > 0 {
		text += fmt.Sprintf(" (known difference %d)", d.Known)
	}
	return text
}
