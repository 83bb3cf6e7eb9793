package rules

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"calbridge/compat/jsontree"
)

// Reconcile returns two documents with equal values in the places that the rules ignore.
// All other bytes stay untouched.
func (a *Active) Reconcile(want, got *jsontree.Node) (*jsontree.Node, *jsontree.Node) {
	if a == nil || want.Raw() == got.Raw() {
		return want, got
	}
	wantText, gotText := a.pair(want, got, nil)
	newWant, errWant := want.Replaced(wantText)
	newGot, errGot := got.Replaced(gotText)
	if errWant != nil || errGot != nil {
		return want, got
	}
	return newWant, newGot
}

// pair returns the texts of two values at the same place.
func (a *Active) pair(want, got *jsontree.Node, path jsontree.Path) (string, string) {
	if want.Raw() == got.Raw() {
		return want.Raw(), got.Raw()
	}
	if a.ignores(path) {
		return want.Raw(), want.Raw()
	}
	switch {
	case want.Kind == jsontree.Object && got.Kind == jsontree.Object:
		return a.pairObjects(want, got, path)
	case want.Kind == jsontree.Array && got.Kind == jsontree.Array:
		return a.pairLists(want, got, path)
	}
	if a.equivalent(want, got, path) {
		return want.Raw(), want.Raw()
	}
	return want.Raw(), got.Raw()
}

func (a *Active) ignores(path jsontree.Path) bool {
	return a.first(Ignore, func(r *rule) bool { return r.path != nil && r.path.Matches(path) })
}

// equivalent applies the rules for single values.
func (a *Active) equivalent(want, got *jsontree.Node, path jsontree.Path) bool {
	for _, kind := range []Kind{IDs, Tolerance, Shift} {
		same := a.first(kind, func(r *rule) bool {
			if r.path != nil && !r.path.Matches(path) {
				return false
			}
			switch kind {
			case IDs:
				return r.ids.same(want, got)
			case Tolerance:
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

func (a *Active) pairObjects(want, got *jsontree.Node, path jsontree.Path) (string, string) {
	wantTexts, gotTexts := make([]string, len(want.Items)), make([]string, len(got.Items))
	wantDrop, gotDrop := make([]bool, len(want.Items)), make([]bool, len(got.Items))
	paired := make([]bool, len(got.Items))
	for i, name := range want.Names {
		here := want.Step(path, i)
		k := slices.Index(got.Names, name)
		if k < 0 || paired[k] {
			wantTexts[i], wantDrop[i] = want.Items[i].Raw(), k < 0 && a.ignores(here)
			continue
		}
		paired[k] = true
		wantTexts[i], gotTexts[k] = a.pair(want.Items[i], got.Items[k], here)
	}
	for k := range got.Names {
		if !paired[k] {
			gotTexts[k], gotDrop[k] = got.Items[k].Raw(), !slices.Contains(want.Names, got.Names[k]) && a.ignores(got.Step(path, k))
		}
	}
	return want.With(wantTexts, wantDrop), got.With(gotTexts, gotDrop)
}

func (a *Active) pairLists(want, got *jsontree.Node, path jsontree.Path) (string, string) {
	wantItems, gotItems := want.Items, got.Items
	if i := slices.IndexFunc(a.rules, func(r *rule) bool { return r.Kind == Sort && r.path.Matches(path) }); i >= 0 {
		by := a.rules[i].By
		wantItems, gotItems = sortItems(want.Items, by), sortItems(got.Items, by)
		if !slices.EqualFunc(want.Items, got.Items, func(x, y *jsontree.Node) bool { return sortKey(x, by) == sortKey(y, by) }) {
			a.rules[i].hit()
		}
	}
	wantTexts, gotTexts := make([]string, len(wantItems)), make([]string, len(gotItems))
	for i := range max(len(wantItems), len(gotItems)) {
		switch {
		case i >= len(gotItems):
			wantTexts[i] = wantItems[i].Raw()
		case i >= len(wantItems):
			gotTexts[i] = gotItems[i].Raw()
		default:
			wantTexts[i], gotTexts[i] = a.pair(wantItems[i], gotItems[i], want.Step(path, i))
		}
	}
	return want.With(wantTexts, nil), got.With(gotTexts, nil)
}

// sortKey returns the sort key of an item of a list: one of its members, or the whole
// item.
func sortKey(item *jsontree.Node, by string) string {
	if member := item.Member(by); by != "" && member != nil {
		return member.Raw()
	}
	return item.Raw()
}

func sortItems(items []*jsontree.Node, by string) []*jsontree.Node {
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(x, y *jsontree.Node) int {
		a, b := sortKey(x, by), sortKey(y, by)
		if numberA, ok := jsontree.Rational(a); ok {
			if numberB, ok := jsontree.Rational(b); ok {
				return numberA.Cmp(numberB)
			}
		}
		return cmp.Compare(a, b)
	})
	return sorted
}

func withinTolerance(want, got *jsontree.Node, tolerance float64) bool {
	if want.Kind != got.Kind || math.IsInf(tolerance, 0) || math.IsNaN(tolerance) {
		return false
	}
	x, okX := want.Number()
	y, okY := got.Number()
	if !okX || !okY {
		return false
	}
	// The tolerance is an exact decimal: 0.1 is a tenth.
	limit, ok := jsontree.Rational(strconv.FormatFloat(tolerance, 'f', -1, 64))
	return ok && new(big.Rat).Abs(new(big.Rat).Sub(x, y)).Cmp(limit) <= 0
}

// dateLayouts are the spellings of dates in the API.
var dateLayouts = []string{time.DateTime, time.RFC3339, "2006-01-02T15:04:05", time.DateOnly, "2006-01-02 15:04", time.RFC1123}

// shifted reports whether both are dates in the same spelling and the second is later by
// that many seconds.
func shifted(want, got *jsontree.Node, seconds, tolerance float64) bool {
	if want.Kind != jsontree.String || got.Kind != jsontree.String {
		return false
	}
	for _, layout := range dateLayouts {
		x, errX := time.Parse(layout, want.Text())
		y, errY := time.Parse(layout, got.Text())
		if errX == nil && errY == nil {
			return math.Abs(y.Sub(x).Seconds()-seconds) <= tolerance
		}
	}
	return false
}
