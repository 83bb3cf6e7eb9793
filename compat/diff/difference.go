package diff

import (
	"fmt"
	"slices"
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

// Level says how closely answers are compared. Each level sees all that the ones
// before it see.
type Level string

// The levels, from the coarsest to the finest.
const (
	// LevelStatus looks at the status only.
	LevelStatus Level = "status"
	// LevelHeaders adds the headers, except those of the connection.
	LevelHeaders Level = "headers"
	// LevelSchema adds the keys of objects and the types of values; an empty list
	// in the place of an object is another type.
	LevelSchema Level = "schema"
	// LevelSemantic adds the values of the JSON, however it is spelt: order of
	// keys, escapes, white space and the spelling of numbers do not count. The
	// order of lists does.
	LevelSemantic Level = "semantic"
	// LevelBytes adds every byte of the body.
	LevelBytes Level = "bytes"
)

// Levels lists all levels from the coarsest to the finest.
func Levels() []Level {
	return []Level{LevelStatus, LevelHeaders, LevelSchema, LevelSemantic, LevelBytes}
}

// ParseLevel reads a level's name; "" is LevelBytes.
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
