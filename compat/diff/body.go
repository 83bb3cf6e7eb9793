package diff

import (
	"fmt"

	"calbridge/compat/jsontree"
)

// MaxDifferences limits the number of differences reported for one body.
const MaxDifferences = 25

// Bodies returns up to most differences between two bodies whose bytes differ. If both
// are JSON (or JSONP of the same function), they are compared value by value. reconcile,
// if not nil, first removes what does not count.
func Bodies(recorded, got string, noise *Noise, level Level, most int, reconcile func(want, got *jsontree.Node) (*jsontree.Node, *jsontree.Node)) []Difference {
	beforeWant, jsonWant, afterWant := jsontree.UnwrapJSONP(recorded)
	beforeGot, jsonGot, afterGot := jsontree.UnwrapJSONP(got)
	want, errWant := jsontree.Parse(jsonWant)
	have, errGot := jsontree.Parse(jsonGot)
	if errWant != nil || errGot != nil || beforeWant != beforeGot || afterWant != afterGot {
		if (errWant == nil) != (errGot == nil) { // JSON in the place of something else is another type
			return byteDifference(recorded, got, LevelSchema, level)
		}
		return byteDifference(recorded, got, LevelSemantic, level)
	}
	if reconcile != nil {
		want, have = reconcile(want, have)
	}
	beforeRoot, afterRoot := want.Around()
	beforeHave, afterHave := have.Around()
	if noise.canonical(want, nil) == noise.canonical(have, nil) && beforeRoot == beforeHave && afterRoot == afterHave {
		return nil
	}
	found, seen := trees(want, have, noise, level, most)
	if seen == 0 { // white space, or the spelling of equal values
		return byteDifference(recorded, got, LevelBytes, level)
	}
	return found
}

// byteDifference returns the first byte at which two texts differ, with its
// surroundings.
func byteDifference(recorded, got string, of, level Level) []Difference {
	if !level.Sees(of) {
		return nil
	}
	at := CommonPrefix(recorded, got)
	return []Difference{{Part: PartBody, Level: of, Where: fmt.Sprintf("byte %d", at), Recorded: Around(recorded, at), Got: Around(got, at)}}
}
