package api

import (
	"iter"
	"slices"
	"strings"

	"calbridge/rest/phpform"
	"calbridge/wpstore/php"
)

// Object returns a map. pairs alternate between names and values.
func Object(pairs ...php.Value) *php.Array {
	out := &php.Array{}
	for i := 0; i+1 < len(pairs); i += 2 {
		out.SetString(pairs[i].(string), pairs[i+1])
	}
	return out
}

// JoinValues joins the values of a list as text, with commas.
func JoinValues(a *php.Array) string {
	parts := make([]string, 0, a.Len())
	for _, v := range a.All() {
		parts = append(parts, php.ToString(v))
	}
	return strings.Join(parts, ",")
}

// Bounds of lists that are looked up in the database (known difference D8). The reference makes a
// query for each entry, and runs out of time with fewer entries.
const (
	// MaxListItems bounds lists of ids: one statement looks them all up.
	MaxListItems = 10_000
	// MaxTerms bounds lists of terms, whose names and slugs take a statement for every
	// 200.
	MaxTerms = 1000
	// MaxMade bounds the entries of one list that create a post or a term.
	MaxMade = 50
)

// SplitList reads a list argument as TEC does. Arrays stay as they are; text is url-decoded once
// more and split at commas. Empty entries are dropped, and numeric texts become numbers. It returns
// at most one entry more than MaxListItems.
func SplitList(v php.Value) []php.Value {
	var items iter.Seq[php.Value]
	if list, ok := v.(*php.Array); ok {
		items = slices.Values(list.Values())
	} else if !php.Empty(v) {
		items = pieces(phpform.URLDecode(php.ToString(v)))
	} else {
		return nil
	}
	var out []php.Value
	for item := range items {
		if s, ok := item.(string); ok && php.IsNumericString(s) {
			item = toNumber(s)
		}
		if item != "" {
			out = append(out, item)
		}
		if len(out) > MaxListItems {
			break
		}
	}
	return out
}

// SplitIDs reads a list argument as ids, as SplitList and PHP's (int) do; never nil.
func SplitIDs(v php.Value) []int64 {
	ids := []int64{}
	for _, item := range SplitList(v) {
		ids = append(ids, php.ToInt(item))
	}
	return ids
}

// toNumber returns the result of adding zero to a numeric string in PHP: an integer if the text is
// one that fits, otherwise a float.
func toNumber(s string) php.Value {
	if n := php.ToInt(s); php.ToString(n) == strings.TrimLeft(strings.TrimSpace(s), "+") || !strings.ContainsAny(s, ".eE") && float64(n) == php.ToFloat(s) {
		return n
	}
	return php.ToFloat(s)
}

// SplitCommas splits at commas and removes the white space around them; white space at both ends of
// s stays. It returns at most one piece more than MaxListItems.
func SplitCommas(s string) []php.Value {
	var out []php.Value
	for piece := range pieces(s) {
		if out = append(out, piece); len(out) > MaxListItems {
			break
		}
	}
	return out
}

// pieces yields the pieces of SplitCommas, without a bound.
func pieces(s string) iter.Seq[php.Value] {
	const space = " \t\n\v\f\r"
	return func(yield func(php.Value) bool) {
		for more := true; more; {
			var piece string
			if piece, s, more = strings.Cut(s, ","); more {
				piece, s = strings.TrimRight(piece, space), strings.TrimLeft(s, space)
			}
			if !yield(piece) {
				return
			}
		}
	}
}

// AllEmpty reports whether a list has no value that PHP calls non-empty.
func AllEmpty(a *php.Array) bool {
	for _, v := range a.All() {
		if !php.Empty(v) {
			return false
		}
	}
	return true
}
