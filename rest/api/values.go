package api

import (
	"iter"
	"slices"
	"strings"

	"calbridge/rest/phpform"
	"calbridge/wpstore/php"
)

// Object returns a map; pairs alternate names and values.
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

// Bounds of lists that are looked up in the database (known difference D8). The reference
// makes a query for each entry and would run out of time on fewer.
const (
	// MaxListItems bounds lists of ids: one statement looks them all up.
	MaxListItems = 10_000
	// MaxTerms bounds lists of terms, whose names and slugs take a statement for every
	// 200.
	MaxTerms = 1000
	// MaxMade bounds the entries of one list that make a post or a term.
	MaxMade = 50
)

// SplitList reads a list argument as TEC does: arrays as they are, text url-decoded
// once more and split at commas. Empty entries are dropped, numeric texts become
// numbers. At most one entry more than MaxListItems is returned.
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

// toNumber returns what adding zero to a numeric string gives in PHP: an integer
// where the text is one that fits, a float otherwise.
func toNumber(s string) php.Value {
	if n := php.ToInt(s); php.ToString(n) == strings.TrimLeft(strings.TrimSpace(s), "+") || !strings.ContainsAny(s, ".eE") && float64(n) == php.ToFloat(s) {
		return n
	}
	return php.ToFloat(s)
}

// SplitCommas splits at commas with the white space around them; white space at
// the two ends of s stays. At most one piece more than MaxListItems is returned.
func SplitCommas(s string) []php.Value {
	var out []php.Value
	for piece := range pieces(s) {
		if out = append(out, piece); len(out) > MaxListItems {
			break
		}
	}
	return out
}

// pieces yields what SplitCommas returns, without a bound.
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
