package compat

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"time"
)

// reconcile takes out of two documents what differs but does not count: it gives
// them back with equal values in such places, all other bytes untouched.
func (a *activeRules) reconcile(want, got *jsonNode) (*jsonNode, *jsonNode) {
	if a == nil || want.raw() == got.raw() {
		return want, got
	}
	wantText, gotText := a.pair(want, got, nil)
	newWant, errWant := parseJSON(inPlaceOf(want, wantText))
	newGot, errGot := parseJSON(inPlaceOf(got, gotText))
	if errWant != nil || errGot != nil {
		return want, got
	}
	return newWant, newGot
}

// inPlaceOf is the document with another text for the value.
func inPlaceOf(node *jsonNode, text string) string {
	before, after := node.around()
	return before + text + after
}

// pair gives the texts of two values at the same place.
func (a *activeRules) pair(want, got *jsonNode, path jsonPath) (string, string) {
	if want.raw() == got.raw() {
		return want.raw(), got.raw()
	}
	if a.ignores(path) {
		return want.raw(), want.raw()
	}
	switch {
	case want.kind == jsonObject && got.kind == jsonObject:
		return a.pairObjects(want, got, path)
	case want.kind == jsonArray && got.kind == jsonArray:
		return a.pairLists(want, got, path)
	}
	if a.equivalent(want, got, path) {
		return want.raw(), want.raw()
	}
	return want.raw(), got.raw()
}

func (a *activeRules) ignores(path jsonPath) bool {
	return a.first(RuleIgnore, func(r *rule) bool { return r.path != nil && r.path.matches(path) })
}

// equivalent applies the rules about single values.
func (a *activeRules) equivalent(want, got *jsonNode, path jsonPath) bool {
	for _, kind := range []RuleKind{RuleIDs, RuleTolerance, RuleShift} {
		same := a.first(kind, func(r *rule) bool {
			if r.path != nil && !r.path.matches(path) {
				return false
			}
			switch kind {
			case RuleIDs:
				return r.ids.same(want, got)
			case RuleTolerance:
				return withinTolerance(want, got, r.Tolerance)
			}
			return shifted(want, got, r.Seconds, r.Tolerance)
		})
		if same {
			return true
		}
	}
	return false
}

func (a *activeRules) pairObjects(want, got *jsonNode, path jsonPath) (string, string) {
	wantTexts, gotTexts := make([]string, len(want.items)), make([]string, len(got.items))
	wantDrop, gotDrop := make([]bool, len(want.items)), make([]bool, len(got.items))
	paired := make([]bool, len(got.items))
	for i, name := range want.names {
		here := want.step(path, i)
		k := slices.Index(got.names, name)
		if k < 0 || paired[k] {
			wantTexts[i], wantDrop[i] = want.items[i].raw(), k < 0 && a.ignores(here)
			continue
		}
		paired[k] = true
		wantTexts[i], gotTexts[k] = a.pair(want.items[i], got.items[k], here)
	}
	for k := range got.names {
		if !paired[k] {
			gotTexts[k], gotDrop[k] = got.items[k].raw(), !slices.Contains(want.names, got.names[k]) && a.ignores(got.step(path, k))
		}
	}
	return want.with(wantTexts, wantDrop), got.with(gotTexts, gotDrop)
}

func (a *activeRules) pairLists(want, got *jsonNode, path jsonPath) (string, string) {
	wantItems, gotItems := want.items, got.items
	var sorting *rule
	for _, r := range a.rules {
		if r.Kind == RuleSort && r.path.matches(path) {
			sorting = r
			break
		}
	}
	if sorting != nil {
		wantItems, gotItems = sortItems(want.items, sorting.By), sortItems(got.items, sorting.By)
		if !slices.Equal(orderOf(want.items, sorting.By), orderOf(got.items, sorting.By)) {
			sorting.hit()
		}
	}
	wantTexts, gotTexts := make([]string, len(wantItems)), make([]string, len(gotItems))
	for i := range max(len(wantItems), len(gotItems)) {
		switch {
		case i >= len(gotItems):
			wantTexts[i] = wantItems[i].raw()
		case i >= len(wantItems):
			gotTexts[i] = gotItems[i].raw()
		default:
			wantTexts[i], gotTexts[i] = a.pair(wantItems[i], gotItems[i], want.step(path, i))
		}
	}
	return want.with(wantTexts, nil), got.with(gotTexts, nil)
}

// sortKey is what a list is sorted by: a member of its items, or all of the item.
func sortKey(item *jsonNode, by string) string {
	if member := item.member(by); by != "" && member != nil {
		return member.raw()
	}
	return item.raw()
}

func sortItems(items []*jsonNode, by string) []*jsonNode {
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(x, y *jsonNode) int {
		a, b := sortKey(x, by), sortKey(y, by)
		if numberA, ok := rational(a); ok {
			if numberB, ok := rational(b); ok {
				return numberA.Cmp(numberB)
			}
		}
		return cmp.Compare(a, b)
	})
	return sorted
}

func orderOf(items []*jsonNode, by string) []string {
	keys := make([]string, len(items))
	for i, item := range items {
		keys[i] = sortKey(item, by)
	}
	return keys
}

func withinTolerance(want, got *jsonNode, tolerance float64) bool {
	if want.kind != got.kind || math.IsInf(tolerance, 0) || math.IsNaN(tolerance) {
		return false
	}
	x, okX := want.number()
	y, okY := got.number()
	if !okX || !okY {
		return false
	}
	// The tolerance is meant as it is written: 0.1 is a tenth.
	limit, ok := rational(decimal(tolerance))
	return ok && new(big.Rat).Abs(new(big.Rat).Sub(x, y)).Cmp(limit) <= 0
}

// dateLayouts are the spellings of dates in the API.
var dateLayouts = []string{time.DateTime, time.RFC3339, "2006-01-02T15:04:05", time.DateOnly, "2006-01-02 15:04", time.RFC1123}

// shifted reports whether both are dates in the same spelling, the second later
// by so many seconds.
func shifted(want, got *jsonNode, seconds, tolerance float64) bool {
	if want.kind != jsonString || got.kind != jsonString {
		return false
	}
	for _, layout := range dateLayouts {
		x, errX := time.Parse(layout, want.text())
		y, errY := time.Parse(layout, got.text())
		if errX == nil && errY == nil {
			return math.Abs(y.Sub(x).Seconds()-seconds) <= tolerance
		}
	}
	return false
}
