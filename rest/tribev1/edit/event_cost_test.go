package edit

import (
	"testing"

	"calbridge/rest/wptext/escape"
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
		// a part without a number does not show the currency
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

func TestCurrencyOf(t *testing.T) {
	for _, tt := range []struct {
		cost             php.Value
		symbol, position string
	}{
		{"$20", "$", "prefix"},
		{"20 Fr.", "Fr.", "postfix"},
		{"free", "", ""},
		{"10-20", "", ""},
		{"5 EUR, 9 EUR", "EUR", "postfix"},
		{"EUR 5, 9 EUR", "EUR", ""},
		{"$5, 9 EUR", "", ""},
		{"5 EUR, 6.0 EUR", "EUR", "postfix"},
		{"gratis, $5", "$", "prefix"}, // a part without a number shows nothing
		{"", "", ""},
		{",", "", ""},
		{int64(7), "", ""},
		{php.Strings("£1", "£2"), "£", "prefix"},
		{php.Strings("£1", "¥2"), "", ""},
	} {
		if symbol, position := currencyOf(tt.cost); symbol != tt.symbol || position != tt.position {
			t.Errorf("currencyOf(%v) = %q, %q, want %q, %q", tt.cost, symbol, position, tt.symbol, tt.position)
		}
	}
}

func FuzzCurrencyOf(f *testing.F) {
	f.Add("$20, $30")
	f.Add("1,5 € 2.")
	f.Fuzz(func(t *testing.T, cost string) {
		symbol, position := currencyOf(cost)
		if symbol == "" && position != "" {
			t.Errorf("currencyOf(%q) = %q, %q", cost, symbol, position)
		}
		escape.StripSlashes(cost)
	})
}
