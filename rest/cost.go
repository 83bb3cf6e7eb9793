package rest

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/sanitize"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// costEntry is one price found in a cost text, with the key that TEC sorts and
// de-duplicates by: an integer where the key is a canonical one.
type costEntry struct {
	key  php.Key
	text string
}

// numbersIn finds what TEC takes for numbers: an optional leading separator,
// digits, an optional separator and more digits. decimals are the digits behind
// the inner separator.
func numbersIn(s string) (numbers []string, decimals int) {
	for i := 0; i < len(s); {
		start := i
		if isSeparator(s[i]) && i+1 < len(s) && isDigitByte(s[i+1]) {
			i++
		}
		if !isDigitByte(s[i]) {
			i++
			continue
		}
		for i < len(s) && isDigitByte(s[i]) {
			i++
		}
		if i < len(s) && isSeparator(s[i]) {
			i++
			frac := i
			for i < len(s) && isDigitByte(s[i]) {
				i++
			}
			decimals = max(decimals, i-frac)
		}
		numbers = append(numbers, s[start:i])
	}
	return numbers, decimals
}

func isDigitByte(c byte) bool { return c >= '0' && c <= '9' }
func isSeparator(c byte) bool { return c == ',' || c == '.' }

// parseCosts reads a list of cost texts as one range: every number in them, or
// the text itself where there is none. Later entries replace earlier ones with
// the same key.
func parseCosts(texts []string, locale string) []costEntry {
	out := costEntries(texts, locale)
	slices.SortStableFunc(out, func(a, b costEntry) int { return compareKeys(a.key, b.key) })
	return out
}

// costEntries is parseCosts in the order of the texts.
func costEntries(texts []string, locale string) []costEntry {
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
	var out []costEntry
	for _, piece := range pieces {
		e := costEntry{key: costKey(piece, decimals, locale), text: piece}
		if i := slices.IndexFunc(out, func(o costEntry) bool { return o.key == e.key }); i >= 0 {
			out[i].text = e.text
		} else {
			out = append(out, e)
		}
	}
	return out
}

// costKey is the number at the given decimals without any separator, or the slug
// of a text that is none.
func costKey(piece string, decimals int, locale string) php.Key {
	n := strings.ReplaceAll(piece, ",", ".")
	if !php.IsNumericString(n) {
		return php.KeyOf(sanitize.Slug(n, locale))
	}
	return php.KeyOf(strings.ReplaceAll(formatDecimals(php.ToFloat(n), decimals), ".", ""))
}

// formatDecimals rounds half away from zero, as PHP's number_format does.
func formatDecimals(f float64, decimals int) string {
	shift := math.Pow10(decimals)
	if r := math.Round(f * shift); !math.IsInf(r, 0) {
		f = r / shift
	}
	return strconv.FormatFloat(f, 'f', decimals, 64)
}

// compareKeys is PHP's order of mixed array keys.
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

// eventCosts is the union of what each cost row says; the first row to bring a
// key keeps it.
func eventCosts(rows []string, locale string) []costEntry {
	var out []costEntry
	for _, row := range rows {
		if row == "" {
			continue
		}
		for _, e := range parseCosts([]string{row}, locale) {
			if !slices.ContainsFunc(out, func(o costEntry) bool { return o.key == e.key }) {
				out = append(out, e)
			}
		}
	}
	return out
}

// pickCost returns the smallest or largest of the costs. A single one that is no
// number is returned as it is; otherwise what PHP does not take for a number is
// left out, and nothing left is zero.
func pickCost(costs []costEntry, locale string, largest bool) string {
	texts := make([]string, len(costs))
	for i, e := range costs {
		texts[i] = e.text
	}
	all := parseCosts(texts, locale)
	if len(all) == 1 && !php.IsNumericString(all[0].text) {
		return all[0].text
	}
	all = slices.DeleteFunc(all, func(e costEntry) bool { return !php.IsNumericString(e.text) })
	if len(all) == 0 {
		return "0"
	}
	best := all[0]
	for _, e := range all[1:] {
		if d := compareKeys(e.key, best.key); largest && d > 0 || !largest && d < 0 {
			best = e
		}
	}
	if php.Empty(best.text) {
		return "0"
	}
	return best.text
}

// currency is how an event shows prices.
type currency struct{ symbol, position string }

func (c *call) currency(m wpstore.Meta) currency {
	symbol, _ := m.First("_EventCurrencySymbol")
	position, _ := m.First("_EventCurrencyPosition")
	if php.Empty(symbol) {
		symbol = c.req.Place.Site.OptionText("defaultCurrencySymbol", "$")
	}
	if php.Empty(position) {
		position = "prefix"
		if php.Truthy(c.req.Place.Site.Option("reverseCurrencyPosition")) {
			position = "suffix"
		}
	}
	return currency{symbol, position}
}

// formatCost writes the range of the costs: one price, or two around a dash. A
// nil currency leaves the symbol out, as structured data wants it.
func (c *call) formatCost(costs []costEntry, cur *currency) string {
	if len(costs) == 0 {
		return ""
	}
	locale := c.req.Place.Site.Facts.WPLang
	low := c.formatPrice(pickCost(costs, locale, false), cur)
	high := c.formatPrice(pickCost(costs, locale, true), cur)
	if low == high || php.IsNumericString(low) && php.IsNumericString(high) && php.ToFloat(low) == php.ToFloat(high) {
		return low
	}
	return low + c.req.Place.Words.Word("range_separator") + high
}

func (c *call) formatPrice(text string, cur *currency) string {
	point := strings.ReplaceAll(text, ",", ".")
	if php.IsNumericString(point) && formatDecimals(php.ToFloat(point), 2) == "0.00" {
		text = c.req.Place.Words.Word("free")
	} else if bare := strings.NewReplacer(",", "", ".", "").Replace(text); cur != nil && php.IsNumericString(bare) {
		if cur.position == "prefix" {
			text = cur.symbol + text
		} else {
			text += cur.symbol
		}
	}
	return escape.HTML(text)
}

// costValues lists the costs as plain numbers, or their keys where they are none,
// in numeric order.
func costValues(costs []costEntry, loc *typography.Locale) []php.Value {
	type value struct {
		show php.Value
		sort float64
	}
	values := make([]value, len(costs))
	for i, e := range costs {
		text := plainNumber(e.text, loc)
		if php.IsNumericString(text) {
			values[i] = value{text, php.ToFloat(text)}
		} else if e.key.IsInt {
			values[i] = value{e.key.Int, float64(e.key.Int)}
		} else {
			values[i] = value{e.key.Str, php.ToFloat(e.key.Str)}
		}
	}
	slices.SortStableFunc(values, func(a, b value) int { return cmp.Compare(a.sort, b.sort) })
	out := make([]php.Value, len(values))
	for i, v := range values {
		out[i] = v.show
	}
	return out
}

// plainNumber removes the thousands separators of a price and writes its decimal
// separator as a point, guessing from the text which is which.
func plainNumber(s string, loc *typography.Locale) string {
	decimal, thousands := loc.DecimalPoint, loc.ThousandsSeparator
	runs := separatorRuns(s)
	switch {
	case len(runs) > 1:
		decimal, thousands = runs[len(runs)-1], runs[0]
	case len(runs) == 1:
		last := s[strings.LastIndex(s, runs[0])+len(runs[0]):]
		if len(last) != 3 {
			decimal = runs[0]
			if decimal == loc.DecimalPoint {
				thousands = loc.ThousandsSeparator
			} else {
				thousands = loc.DecimalPoint
			}
		}
	}
	s = strings.ReplaceAll(s, thousands, "")
	return strings.ReplaceAll(s, decimal, ".")
}

// separatorRuns returns the distinct runs of points and commas, in order.
func separatorRuns(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		if !isSeparator(s[i]) {
			i++
			continue
		}
		j := i
		for j < len(s) && isSeparator(s[j]) {
			j++
		}
		if !slices.Contains(out, s[i:j]) {
			out = append(out, s[i:j])
		}
		i = j
	}
	return out
}

func (c *call) writeCost(w *writer, m wpstore.Meta) {
	costs := eventCosts(m.All("_EventCost"), c.req.Place.Site.Facts.WPLang)
	cur := c.currency(m)
	w.KeyString("cost", c.formatCost(costs, &cur))
	w.Key("cost_details")
	w.BeginObject()
	for _, f := range []struct{ field, key string }{
		{"currency_symbol", "_EventCurrencySymbol"}, {"currency_code", "_EventCurrencyCode"}, {"currency_position", "_EventCurrencyPosition"},
	} {
		v, _ := m.First(f.key)
		w.KeyString(f.field, v)
	}
	w.KeyValue("values", php.List(costValues(costs, c.req.Place.Site.Locale)...))
	w.EndObject()
}
