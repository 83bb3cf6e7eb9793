package api

import (
	"strings"

	"calbridge/rest/phpform"
	"calbridge/wpstore/php"
)

func JoinValues(a *php.Array, sep string) string {
	parts := make([]string, 0, a.Len())
	for _, v := range a.All() {
		parts = append(parts, php.ToString(v))
	}
	return strings.Join(parts, sep)
}

// maxListItems bounds the lists that are looked up in the database. The reference
// asks about each entry on its own and would run out of time on fewer.
const MaxListItems = 10_000

// splitList is TEC's reading of a list argument: arrays as they are, text
// url-decoded once more and split at commas, empty entries dropped, numbers
// turned into numbers.
func SplitList(v php.Value) []php.Value {
	var raw []php.Value
	switch v := v.(type) {
	case *php.Array:
		raw = v.Values()
	default:
		if php.Empty(v) {
			return nil
		}
		for _, piece := range SplitCommas(phpform.URLDecode(php.ToString(v))) {
			raw = append(raw, piece)
		}
	}
	out := make([]php.Value, 0, len(raw))
	for _, item := range raw {
		s, ok := item.(string)
		if !ok {
			out = append(out, item)
			continue
		}
		switch {
		case s == "":
		case php.IsNumericString(s):
			out = append(out, toNumber(s))
		default:
			out = append(out, s)
		}
	}
	return out
}

// toNumber is what adding zero to a numeric string gives in PHP: an integer
// where the text is one that fits, a float otherwise.
func toNumber(s string) php.Value {
	if n := php.ToInt(s); php.ToString(n) == strings.TrimLeft(strings.TrimSpace(s), "+") || !strings.ContainsAny(s, ".eE") && float64(n) == php.ToFloat(s) {
		return n
	}
	return php.ToFloat(s)
}

// splitCommas splits at commas with the white space around them; white space at
// the two ends of s stays.
func SplitCommas(s string) []string {
	const space = " \t\n\v\f\r"
	pieces := strings.Split(s, ",")
	for i := range pieces {
		if i > 0 {
			pieces[i] = strings.TrimLeft(pieces[i], space)
		}
		if i < len(pieces)-1 {
			pieces[i] = strings.TrimRight(pieces[i], space)
		}
	}
	return pieces
}

func AllEmpty(a *php.Array) bool {
	for _, v := range a.All() {
		if !php.Empty(v) {
			return false
		}
	}
	return true
}
