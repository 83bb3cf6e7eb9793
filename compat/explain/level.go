package explain

import (
	"fmt"
	"slices"
	"strings"

	"calbridge/compat/recording"
)

// Level is the --compat level of a target.
type Level string

// The levels. Unknown is that of a target whose answers do not show it; it counts as exact.
const (
	Unknown Level = ""
	Exact   Level = "exact"
	Safe    Level = "safe"
	Fixed   Level = "fixed"
)

// ParseLevel parses the name of a level; "" and "auto" mean Unknown.
func ParseLevel(name string) (Level, error) {
	if name == "auto" {
		return Unknown, nil
	}
	if !slices.Contains([]Level{Unknown, Exact, Safe, Fixed}, Level(name)) {
		return Unknown, fmt.Errorf("level %q is not one of auto, exact, safe, fixed", name)
	}
	return Level(name), nil
}

// Safe reports whether the level closes the reference's holes.
func (l Level) Safe() bool { return l == Safe || l == Fixed }

// LevelOf returns the level that an answer shows: the caching headers of calbridge come with
// safe and fixed only. It is Unknown if the answer does not show one.
func LevelOf(got recording.Response) Level {
	list := words(got.Headers["vary"])
	if slices.Contains(list, "authorization") && slices.Contains(list, "x-wp-nonce") {
		return Safe
	}
	return Unknown
}

// LevelOfDocument returns the level that the answer of the route /doc shows: only fixed has
// a document of OpenAPI 3.1 (known difference F6).
func LevelOfDocument(got recording.Response) Level {
	if got.Status == 200 && strings.Contains(got.Body, `"openapi":"3.1`) {
		return Fixed
	}
	return LevelOf(got)
}
