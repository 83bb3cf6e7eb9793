package rest

import (
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/routes"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore/php"
)

func TestUnslash(t *testing.T) {
	for _, tt := range [][2]string{{`a\b`, "ab"}, {`\\`, `\`}, {`a\`, "a"}, {`a\0b`, "a\x00b"}, {"plain", "plain"}, {`\"q\"`, `"q"`}} {
		if got := escape.StripSlashes(tt[0]); got != tt[1] {
			t.Errorf("escape.StripSlashes(%q) = %q, want %q", tt[0], got, tt[1])
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
		{"gratis, $5", "$", "prefix"}, // a part without a number says nothing
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

func TestTermName(t *testing.T) {
	for _, tt := range []struct{ given, name, code string }{
		{"Rock & Roll", "Rock &amp; Roll", ""},
		{"  two   words ", "two words", ""},
		{"<i>x</i>", "x", ""},
		{" ", "", "empty_term_name"},
		{"<i></i>", "", "invalid_term_name"},
	} {
		name, err := termName(tt.given)
		code := ""
		if e, ok := err.(*api.Error); ok {
			code = e.Code
		}
		if name != tt.name || code != tt.code {
			t.Errorf("termName(%q) = %q, %q", tt.given, name, code)
		}
	}
}

func TestConvertedDays(t *testing.T) {
	c := &call{req: &routes.Request{Place: &wpsite.Place{Site: &wpsite.Site{Calendar: &php.Array{}}}, Clock: &api.Clock{At: time.Unix(0, 0)}}}
	w := &eventWrite{call: c}
	if start, end := w.wholeDays("2027-03-01 15:00:00", "2027-03-02 01:00:00"); start != "2027-03-01 00:00:00" || end != "2027-03-02 23:59:59" {
		t.Errorf("whole days %s to %s", start, end)
	}
	c.req.Place.Site.Calendar.SetString("multiDayCutoff", "06:00")
	if start, end := w.wholeDays("2027-03-01 15:00:00", "2027-03-01 16:00:00"); start != "2027-03-01 06:00:00" || end != "2027-03-02 05:59:59" {
		t.Errorf("with a cutoff %s to %s", start, end)
	}
}
