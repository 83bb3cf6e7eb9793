package cost

import (
	"cmp"
	"slices"
	"strings"

	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// Entry is one price in a cost text.
type Entry struct {
	// Key sorts and distinguishes prices; it is an integer where its text is a
	// canonical one.
	Key  php.Key
	Text string
}

// Entries reads a list of cost texts as one range: every number in them, or the
// text itself where there is none, in the order of the texts. A later entry replaces
// an earlier one with the same key. locale is WordPress's name of the language.
func Entries(texts []string, locale string) []Entry {
	var pieces []string
	decimals := 0
	for _, s := range texts {
		numbers, d := numbersIn(s)
		decimals = max(decimals, d)
		if numbers == nil {
			numbers = []string{s}
		}
		pieces = append(pieces, numbers...)
	}
	var out []Entry
	for _, piece := range pieces {
		e := Entry{Key: keyOf(piece, decimals, locale), Text: piece}
		if i := slices.IndexFunc(out, func(o Entry) bool { return o.Key == e.Key }); i >= 0 {
			out[i].Text = e.Text
		} else {
			out = append(out, e)
		}
	}
	return out
}

// parse returns Entries sorted by key.
func parse(texts []string, locale string) []Entry {
	out := Entries(texts, locale)
	slices.SortStableFunc(out, func(a, b Entry) int { return compareKeys(a.Key, b.Key) })
	return out
}

// Of returns the union of the stored cost rows of an event. A row may hold a serialized value; each
// element of an array counts as a row. Of entries with the same key, the first counts.
func Of(rows []string, locale string) []Entry {
	var out []Entry
	for _, row := range unserialized(rows) {
		if row == "" {
			continue
		}
		for _, e := range parse([]string{row}, locale) {
			if !slices.ContainsFunc(out, func(o Entry) bool { return o.Key == e.Key }) {
				out = append(out, e)
			}
		}
	}
	return out
}

// unserialized returns the texts of stored rows.
func unserialized(rows []string) []string {
	var out []string
	for _, row := range rows {
		value := phpserial.Maybe(row)
		list, ok := value.(*php.Array)
		if !ok {
			out = append(out, php.ToString(value))
			continue
		}
		for _, v := range list.All() {
			out = append(out, php.ToString(v))
		}
	}
	return out
}

// keyOf returns the number at the given decimals without any separator, or the slug of a
// non-numeric text.
func keyOf(piece string, decimals int, locale string) php.Key {
	n := strings.ReplaceAll(piece, ",", ".")
	if !php.IsNumericString(n) {
		return php.KeyOf(sanitize.Slug(n, locale))
	}
	return php.KeyOf(strings.ReplaceAll(formatDecimals(php.ToFloat(n), decimals), ".", ""))
}

// compareKeys reproduces PHP's order of mixed array keys.
func compareKeys(a, b php.Key) int {
	if a.IsInt && b.IsInt {
		return cmp.Compare(a.Int, b.Int)
	}
	as, bs := a.String(), b.String()
	if php.IsNumericString(as) && php.IsNumericString(bs) {
		return cmp.Compare(php.ToFloat(as), php.ToFloat(bs))
	}
	return strings.Compare(as, bs)
}

// pick returns the smallest or largest of the costs. A single one that is not a number is returned
// as it is; otherwise texts that PHP does not read as numbers are left out, and without any number
// the result is zero.
func pick(costs []Entry, locale string, largest bool) string {
	texts := make([]string, len(costs))
	for i, e := range costs {
		texts[i] = e.Text
	}
	all := parse(texts, locale)
	if len(all) == 1 && !php.IsNumericString(all[0].Text) {
		return all[0].Text
	}
	all = slices.DeleteFunc(all, func(e Entry) bool { return !php.IsNumericString(e.Text) })
	if len(all) == 0 {
		return "0"
	}
	best := all[0]
	for _, e := range all[1:] {
		if d := compareKeys(e.Key, best.Key); largest && d > 0 || !largest && d < 0 {
			best = e
		}
	}
	if php.Empty(best.Text) {
		return "0"
	}
	return best.Text
}
