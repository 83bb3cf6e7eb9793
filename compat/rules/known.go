package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// known is a compiled Known with its use in the run.
type known struct {
	Known
	match matcher
	path  jsontree.Path
	use   KnownUse
}

func compileKnown(k Known, now time.Time) (*known, error) {
	out := &known{Known: k, use: KnownUse{Number: k.Number, Reason: k.Reason}}
	switch {
	case k.Number <= 0:
		return nil, errors.New("a \"number\" above 0 is missing")
	case k.Reason == "":
		return nil, errors.New("a \"reason\" is missing")
	case len(k.IDs) == 0 && k.Match == nil:
		return nil, errors.New("\"ids\" or \"match\" is missing")
	}
	var err error
	if out.use.Expired, err = expired(k.Expires, now); err != nil {
		return nil, err
	}
	if out.match, err = compileMatch(k.Match); err != nil {
		return nil, err
	}
	if strings.HasPrefix(k.Where, "$") {
		out.path, err = jsontree.ParsePath(k.Where)
	}
	return out, err
}

// about reports whether the exchange is expected to show the difference.
func (k *known) about(x *recording.Exchange) bool {
	return !k.use.Expired && (slices.Contains(k.IDs, x.ID) || k.Match != nil && k.match.matches(x))
}

// covers reports whether a difference matches the known one.
func (k *known) covers(d diff.Difference) bool {
	switch {
	case k.Where == "":
		return true
	case k.path != nil:
		path, err := jsontree.ParsePath(d.Where)
		return d.Part == diff.PartBody && err == nil && k.path.Matches(path)
	}
	return strings.EqualFold(k.Where, d.Where) || k.Where == string(d.Part)
}

// mark numbers the differences that match the known one and have no number yet. It
// reports whether there are any.
func (k *known) mark(differences []diff.Difference) bool {
	found := false
	for i, d := range differences {
		if d.Known == 0 && k.covers(d) {
			differences[i].Known, found = k.Number, true
		}
	}
	return found
}

// Mark numbers the known differences of an exchange.
func (s *Set) Mark(x *recording.Exchange, differences []diff.Difference) {
	for _, k := range s.known {
		if k.about(x) {
			k.mark(differences)
		}
	}
}

// Settle numbers the known differences of an exchange, and adds a difference for each
// expected one that is missing. One goroutine calls it, in the order of the recordings.
func (s *Set) Settle(x *recording.Exchange, differences []diff.Difference) []diff.Difference {
	for _, k := range s.known {
		if !k.about(x) {
			continue
		}
		if k.mark(differences) {
			k.use.Seen++
			continue
		}
		k.use.Passed++
		if slices.Contains(k.IDs, x.ID) {
			differences = append(differences, diff.Difference{Part: diff.PartKnown, Level: diff.LevelStatus, Where: fmt.Sprint(k.Number),
				Recorded: "a known difference (" + k.Reason + ")", Got: "none: take it out of the rules"})
		}
	}
	return differences
}

// KnownUse counts how often a comparison found one known difference.
type KnownUse struct {
	Number int    `json:"number"`
	Reason string `json:"reason"`
	// Seen counts the exchanges that showed it, Passed those that should have.
	Seen    int  `json:"seen"`
	Passed  int  `json:"passed"`
	Expired bool `json:"expired"`
}

func (u KnownUse) String() string {
	if u.Expired {
		return fmt.Sprintf("known difference %d (%s): expired, not applied", u.Number, u.Reason)
	}
	return fmt.Sprintf("known difference %d (%s): seen %s, absent %s", u.Number, u.Reason, times(int64(u.Seen)), times(int64(u.Passed)))
}
