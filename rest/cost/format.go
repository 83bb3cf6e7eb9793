package cost

import (
	"cmp"
	"slices"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/ticketing"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Currency describes how prices of an event are shown.
type Currency struct {
	Symbol string
	// Position is "prefix", or anything else to put the symbol behind the number.
	Position string
	// Tickets, unless nil, formats numbers as prices of tickets.
	Tickets *ticketing.Currency
}

// ForTickets returns the currency in which the cost of an event with tickets is shown.
func ForTickets(tickets *ticketing.Currency) Currency {
	return Currency{Symbol: tickets.Sign, Position: "prefix", Tickets: tickets}
}

// CurrencyOf returns the currency of an event, or else the site's.
func CurrencyOf(m wpstore.Meta, site *wpsite.Site) Currency {
	symbol := m.Field(wpstore.MetaCurrencySymbol).Text()
	position := m.Field(wpstore.MetaCurrencyPosition).Text()
	if php.Empty(symbol) {
		symbol = site.OptionText("defaultCurrencySymbol", "$")
		if site.Tickets != nil && site.Tickets.Prices {
			symbol = site.Tickets.Currency.Sign
		}
	}
	if php.Empty(position) {
		position = "prefix"
		if php.Truthy(site.Option("reverseCurrencyPosition")) {
			position = "suffix"
		}
	}
	return Currency{Symbol: symbol, Position: position}
}

// Format returns the range of the costs as text: one price, or two with a dash between, and ""
// without any. A nil currency leaves the symbol out, as structured data requires.
func Format(costs []Entry, cur *Currency, locale string, words *api.Wording) string {
	if len(costs) == 0 {
		return ""
	}
	low := formatPrice(pick(costs, locale, false), cur, words)
	high := formatPrice(pick(costs, locale, true), cur, words)
	if low == high || php.IsNumericString(low) && php.IsNumericString(high) && php.ToFloat(low) == php.ToFloat(high) {
		return low
	}
	return low + words.Word("range_separator") + high
}

func formatPrice(text string, cur *Currency, words *api.Wording) string {
	point := strings.ReplaceAll(text, ",", ".")
	if php.IsNumericString(point) && formatDecimals(php.ToFloat(point), 2) == "0.00" {
		text = words.Word("free")
	} else if cur != nil && cur.Tickets != nil && php.IsNumericString(text) {
		text = cur.Tickets.Price(formatDecimals(php.ToFloat(text), cur.Tickets.Decimals))
	} else if bare := strings.ReplaceAll(strings.ReplaceAll(text, ",", ""), ".", ""); cur != nil && php.IsNumericString(bare) {
		if cur.Position == "prefix" {
			text = cur.Symbol + text
		} else {
			text += cur.Symbol
		}
	}
	return escape.HTML(text)
}

// Values returns the costs as plain numbers in numeric order, and the keys of non-numeric ones.
func Values(costs []Entry, loc *typography.Locale) []php.Value {
	type value struct {
		show php.Value
		sort float64
	}
	values := make([]value, len(costs))
	for i, e := range costs {
		text := plainNumber(e.Text, loc)
		if php.IsNumericString(text) {
			values[i] = value{text, php.ToFloat(text)}
		} else if e.Key.IsInt {
			values[i] = value{e.Key.Int, float64(e.Key.Int)}
		} else {
			values[i] = value{e.Key.Str, php.ToFloat(e.Key.Str)}
		}
	}
	slices.SortStableFunc(values, func(a, b value) int { return cmp.Compare(a.sort, b.sort) })
	out := make([]php.Value, len(values))
	for i, v := range values {
		out[i] = v.show
	}
	return out
}
