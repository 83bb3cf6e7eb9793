package verdict

import (
	"slices"

	"calbridge/compat/diff"
)

// Outcome is what became of one exchange.
type Outcome string

// The outcomes.
const (
	Same      Outcome = "same"
	Different Outcome = "different"
	// Known exchanges differ in nothing but what the rules file names as known.
	Known Outcome = "known"
	// Skipped exchanges were not sent; Result.Reason says why.
	Skipped Outcome = "skipped"
)

// outcomeOf is the outcome of an exchange with these differences, those that are known
// being numbered.
func OutcomeOf(differences []diff.Difference) Outcome {
	if len(differences) == 0 {
		return Same
	}
	if slices.ContainsFunc(differences, func(d diff.Difference) bool { return d.Known == 0 }) {
		return Different
	}
	return Known
}
