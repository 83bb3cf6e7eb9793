package rest

import (
	"testing"

	"calbridge/wpstore/php"
)

func TestGuessedCurrency(t *testing.T) {
	for _, tt := range []struct {
		cost             php.Value
		symbol, position string
	}{
		{"", "", ""},
		{"12", "", ""},
		{"$12", "$", "prefix"},
		{"12 $", "$", "postfix"},
		{" CHF  12 ", "CHF", "prefix"},
		{"by donation", "", ""},
		// two prices in one part leave different rests
		{"$5 - $8", "", ""},
		// the comma splits, also where it is a decimal or a thousands separator
		{"$5,$8", "$", "prefix"},
		{"4,500 Ft", "", ""},
		// a part without a number says nothing of the currency
		{"gratis, £5", "£", "prefix"},
		{"£5,gratis", "£", "prefix"},
		// the same number twice counts once
		{"7 zł,7 zł", "zł", "postfix"},
		{"€5,5 €", "€", ""},
		{"€5,8 €", "€", ""},
		// parts of a list are not split
		{php.Strings("$5", "$8"), "$", "prefix"},
		{php.Strings("$5", "£8"), "", ""},
		{php.Strings("1,5 Kč", "2,5 Kč"), "Kč", "postfix"},
		{int64(5), "", ""},
	} {
		symbol, position := currencyOf(tt.cost)
		if symbol != tt.symbol || position != tt.position {
			t.Errorf("currencyOf(%v) = %q, %q, want %q, %q", tt.cost, symbol, position, tt.symbol, tt.position)
		}
	}
}
