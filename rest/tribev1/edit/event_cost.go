package edit

import (
	"strings"

	"calbridge/rest/cost"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
)

// writeCost stores a cost, and the currency that its text shows, with an event.
func writeCost(m *rowedit.MetaEdit, given php.Value, text metaText, created bool) {
	list, isList := given.(*php.Array)
	if created && php.Empty(given) || given == nil || isList && list.Len() == 0 {
		if !created {
			m.Update("_EventCurrencySymbol", "")
			m.Update("_EventCurrencyPosition", "")
			m.Delete("_EventCost")
		}
		return
	}
	if isList && list.Len() == 1 {
		given, isList = list.Values()[0], false
	}
	symbol, position := currencyOf(given)
	for _, row := range [][2]string{{"_EventCurrencySymbol", text.plain(symbol)}, {"_EventCurrencyPosition", position}} {
		if row[1] != "" || !created {
			m.Update(row[0], row[1])
		}
	}
	if !isList {
		m.Update("_EventCost", text.plain(php.ToString(given)))
		return
	}
	m.Delete("_EventCost")
	for _, v := range list.All() {
		m.Add("_EventCost", text.saved(markup.Replace(php.ToString(v))))
	}
}

// currencyOf guesses the currency of a cost as The Events Calendar does. The symbol is what remains
// of each price without its number, if it is the same for all prices. The position is its side,
// "prefix" or "postfix". A text is split at commas first. Parts without a number are prices too,
// but do not show a currency.
func currencyOf(given php.Value) (symbol, position string) {
	var parts []string
	if list, ok := given.(*php.Array); ok {
		for _, v := range list.All() {
			parts = append(parts, php.ToString(v))
		}
	} else {
		parts = strings.Split(php.ToString(given), ",")
	}
	found := false
	for i, e := range cost.Entries(parts, "") {
		if !php.IsNumericString(e.Key.String()) {
			continue
		}
		left := "" // there may be more prices than parts
		if i < len(parts) {
			left = php.Trim(strings.ReplaceAll(parts[i], e.Text, ""))
		}
		if found && left != symbol {
			return "", ""
		}
		symbol, found = left, true
	}
	if symbol == "" {
		return "", ""
	}
	for _, part := range parts {
		part, side := php.Trim(part), "postfix"
		if !strings.Contains(part, symbol) {
			continue
		}
		if strings.HasPrefix(part, symbol) {
			side = "prefix"
		}
		if position != "" && position != side {
			return symbol, ""
		}
		position = side
	}
	return symbol, position
}
