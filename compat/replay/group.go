package replay

import (
	"cmp"
	"slices"

	"calbridge/compat/diff"
	"calbridge/compat/explain"
)

// Group counts the exchanges whose differences have one cause, or are in one place. Its JSON
// form is part of the JSON report.
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

// groupKey identifies a group by what its differences have in common.
type groupKey struct {
	cause      diff.Cause
	part       diff.Part
	where      string
	from, into string // of an address
}

func keyOf(d diff.Difference) groupKey {
	key := groupKey{cause: d.Cause}
	switch {
	case d.Cause.Category == diff.Intended || d.Cause.Name == explain.Wording:
	case d.Cause.Name == explain.Address:
		key.from, key.into = d.Recorded, d.Got
	default:
		key.part, key.where = d.Part, explain.Place(d.Where)
	}
	return key
}

// grouping collects groups.
type grouping map[groupKey]*Group

// add counts an exchange once in each group of its differences, and reports whether one of
// them is new and unexplained.
func (g grouping) add(result *Result) (fresh bool) {
	counted := map[groupKey]bool{}
	for _, d := range result.Differences {
		if d.Known > 0 {
			continue
		}
		key := keyOf(d)
		if counted[key] {
			continue
		}
		counted[key] = true
		if g[key] == nil {
			fresh = fresh || !d.Cause.Explains()
			cause := d.Cause
			cause.Category = cause.Of()
			g[key] = &Group{Cause: cause, What: explain.Describe(d.Cause).What, Remedy: explain.Remedy(d), Part: d.Part, Where: explain.Place(d.Where), Example: result.ID, First: d}
		}
		g[key].Count++
	}
	return fresh
}

// sorted returns the groups, those that need a decision first. Of these, bodies come before
// headers, then the most frequent and the most telling come first.
func (g grouping) sorted() []Group {
	var all []Group
	for _, group := range g {
		all = append(all, *group)
	}
	order := diff.Categories()
	inHeaders := func(g Group) int {
		if g.Part == diff.PartHeaders {
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b Group) int {
		return cmp.Or(slices.Index(order, a.Category)-slices.Index(order, b.Category), inHeaders(a)-inHeaders(b), b.Count-a.Count,
			explain.Rank(a.First)-explain.Rank(b.First), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Where, b.Where), cmp.Compare(a.Example, b.Example))
	})
	return all
}
