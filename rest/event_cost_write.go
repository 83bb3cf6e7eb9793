package rest

import (
	"strings"

	"calbridge/rest/cost"
	"calbridge/wpstore/php"
)

// writeCost stores the cost and what can be told of its currency.
func (w *eventWrite) writeCost() {
	m := w.edit.Meta
	cost := w.req.Get("cost")
	list, isList := cost.(*php.Array)
	if w.created && php.Empty(cost) || cost == nil || isList && list.Len() == 0 {
		if !w.created {
			m.Update("_EventCurrencySymbol", "")
			m.Update("_EventCurrencyPosition", "")
			m.Delete("_EventCost")
		}
		return
	}
	if isList && list.Len() == 1 {
		cost, isList = list.Values()[0], false
	}
	symbol, position := currencyOf(cost)
	if symbol = w.text1(symbol); symbol != "" || !w.created {
		m.Update("_EventCurrencySymbol", symbol)
	}
	if position != "" || !w.created {
		m.Update("_EventCurrencyPosition", position)
	}
	if !isList {
		m.Update("_EventCost", w.text1(php.ToString(cost)))
		return
	}
	m.Delete("_EventCost")
	for _, v := range list.All() {
		m.Add("_EventCost", w.stored(markup.Replace(php.ToString(v))))
	}
}

// currencyOf guesses the currency of a cost as The Events Calendar does: what is
// left of each price without its number, if that is the same for all, and the side
// on which it stands, "prefix" or "postfix". A text is split at commas first. Parts
// without a number count as prices too, but say nothing of the currency.
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
		left := "" // of more prices than parts
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
		side := "postfix"
		switch at := strings.Index(php.Trim(part), symbol); {
		case at < 0:
			continue
		case at == 0:
			side = "prefix"
		}
		if position != "" && position != side {
			return symbol, ""
		}
		position = side
	}
	return symbol, position
}
