package diff

import (
	"fmt"
	"slices"
)

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

// sees reports whether a difference of the other level is seen at this one.
func (l Level) Sees(other Level) bool {
	all := Levels()
	return slices.Index(all, other) <= slices.Index(all, l)
}
