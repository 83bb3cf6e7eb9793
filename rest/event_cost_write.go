package rest

import (
	"strings"

	"calbridge/wpstore/php"
)

// writeCost stores the cost and what can be told of its currency.
func (w *eventWrite) writeCost() {
	m := w.edit.Meta
	cost := w.req.get("cost")
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
// on which it stands.
func currencyOf(cost php.Value) (symbol, position string) {
	var parts []string
	if list, ok := cost.(*php.Array); ok {
		for _, v := range list.All() {
			parts = append(parts, php.ToString(v))
		}
	} else {
		parts = strings.Split(php.ToString(cost), ",")
	}
	seen := map[float64]bool{}
	k := 0
	for _, part := range parts {
		numbers, _ := numbersIn(part)
		for _, number := range numbers {
			value := php.ToFloat(strings.ReplaceAll(number, ",", "."))
			if seen[value] {
				continue
			}
			seen[value] = true
			if k >= len(parts) {
				return "", ""
			}
			left := php.Trim(strings.ReplaceAll(parts[k], number, ""))
			if k > 0 && left != symbol {
				return "", ""
			}
			symbol = left
			k++
		}
	}
	if symbol == "" {
		return "", ""
	}
	for i, part := range parts {
		part = php.Trim(part)
		at := "postfix"
		switch {
		case !strings.Contains(part, symbol):
			return symbol, ""
		case strings.HasPrefix(part, symbol):
			at = "prefix"
		}
		if i > 0 && at != position {
			return symbol, ""
		}
		position = at
	}
	return symbol, position
}
