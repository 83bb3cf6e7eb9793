package diff

import (
	"fmt"
	"slices"
)

// Part names the part of an answer that a difference is in.
type Part string

// The parts of an answer, in the order in which they are compared.
const (
	PartAnswer  Part = "answer" // no answer, or an unreadable one
	PartStatus  Part = "status"
	PartHeaders Part = "headers"
	PartBody    Part = "body"
	// PartKnown is a known difference that did not occur.
	PartKnown Part = "known difference"
)

// Absent stands for a value that is missing on one side of a difference.
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
	// Known is the number of the matching known difference of the rules file, or 0.
	Known int `json:"known,omitempty"`
	// Cause explains the difference; its zero value explains nothing.
	Cause Cause `json:"cause,omitzero"`
}

// Explained reports whether a known difference of the rules file or a cause accounts for the
// difference, so that it doesn't fail a comparison.
func (d Difference) Explained() bool { return d.Known > 0 || d.Cause.Explains() }

func (d Difference) String() string {
	where := string(d.Part)
	if d.Where != "" {
		where += " " + d.Where
	}
	text := fmt.Sprintf("%s: recorded %s, got %s", where, d.Recorded, d.Got)
	switch {
	case d.Known > 0:
		text += fmt.Sprintf(" (known difference %d)", d.Known)
	case d.Cause.Category == Intended:
		text += " (intended, " + d.Cause.Name + ")"
	case d.Cause.Explains():
		text += " (" + d.Cause.Name + ")"
	}
	return text
}

// Level is how closely answers are compared. Each level includes all coarser ones.
type Level string

// The levels, from the coarsest to the finest.
const (
	// LevelStatus compares only the status.
	LevelStatus Level = "status"
	// LevelHeaders adds the headers, except those of the connection.
	LevelHeaders Level = "headers"
	// LevelSchema adds the keys of objects and the types of values. An empty list in
	// place of an object is a different type.
	LevelSchema Level = "schema"
	// LevelSemantic adds the values of the JSON. Order of keys, escapes, white space
	// and the spelling of numbers do not count; the order of lists does.
	LevelSemantic Level = "semantic"
	// LevelBytes adds every byte of the body.
	LevelBytes Level = "bytes"
)

// Levels returns all levels, from the coarsest to the finest.
func Levels() []Level {
	return []Level{LevelStatus, LevelHeaders, LevelSchema, LevelSemantic, LevelBytes}
}

// ParseLevel parses the name of a level; "" means LevelBytes.
func ParseLevel(name string) (Level, error) {
	if name == "" {
		return LevelBytes, nil
	}
	if !slices.Contains(Levels(), Level(name)) {
		return "", fmt.Errorf("unknown level %q, expected one of status, headers, schema, semantic, bytes", name)
	}
	return Level(name), nil
}

// Sees reports whether a difference of the other level is seen at this one.
func (l Level) Sees(other Level) bool {
	all := Levels()
	return slices.Index(all, other) <= slices.Index(all, l)
}
