package compat

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"
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
func (l Level) sees(other Level) bool {
	all := Levels()
	return slices.Index(all, other) <= slices.Index(all, l)
}

// leafLevel is the coarsest level at which two different spellings of values of
// the same type are a difference.
func leafLevel(want, got *jsonNode) Level {
	if sameValue(want, got) {
		return LevelBytes
	}
	return LevelSemantic
}

func sameValue(want, got *jsonNode) bool {
	if want.kind != got.kind {
		return false
	}
	switch want.kind {
	case jsonString:
		return want.text() == got.text()
	case jsonNumber:
		return sameNumber(want.raw(), got.raw())
	}
	return want.raw() == got.raw()
}

// sameNumber compares numbers exactly, as long as their exponents are sane.
func sameNumber(a, b string) bool {
	if a == b {
		return true
	}
	x, okX := rational(a)
	y, okY := rational(b)
	return okX && okY && x.Cmp(y) == 0
}

// rational reads a JSON number. Numbers whose exact value would take much room
// are not read.
func rational(text string) (*big.Rat, bool) {
	if _, exponent, found := strings.Cut(strings.ToLower(text), "e"); found && len(strings.TrimLeft(exponent, "+-0")) > 3 {
		return nil, false
	}
	if len(text) > 1000 || !json.Valid([]byte(text)) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// textLevel is the level at which two bodies differ that are not both JSON: JSON
// in the place of something else is another type.
func textLevel(oneIsJSON bool) Level {
	if oneIsJSON {
		return LevelSchema
	}
	return LevelSemantic
}
