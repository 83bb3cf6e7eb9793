package ticketing

import (
	"fmt"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

func TestRead(t *testing.T) {
	for name, c := range map[string]struct {
		plugins []string
		options []any
		want    string
	}{
		"not active":     {[]string{"event-tickets-plus/event-tickets-plus.php"}, []any{"tickets_commerce_enabled", true}, "<nil>"},
		"never set up":   {[]string{"a/a.php", Plugin}, nil, "&{[rsvp] {USD &#x24; true . , 2} false}"},
		"no option":      {[]string{Plugin}, nil, "&{[rsvp] {USD &#x24; true . , 2} false}"},
		"commerce":       {[]string{Plugin}, []any{"tickets_commerce_enabled", "1"}, "&{[tc rsvp] {USD &#x24; true . , 2} true}"},
		"not for events": {[]string{Plugin}, []any{"tickets_commerce_enabled", true, "ticket-enabled-post-types", php.Strings("page")}, "&{[] {USD &#x24; true . , 2} true}"},
		"for nothing":    {[]string{Plugin}, []any{"ticket-enabled-post-types", php.Strings()}, "&{[] {USD &#x24; true . , 2} false}"},
		"euro": {[]string{Plugin}, []any{"tickets-commerce-currency-code", "eur", "tickets-commerce-currency-decimal-separator", ",",
			"tickets-commerce-currency-thousands-separator", "", "tickets-commerce-currency-number-of-decimals", "0"}, "&{[rsvp] {EUR &#8364; true ,  0} false}"},
		"pound":            {[]string{Plugin}, []any{"tickets-commerce-currency-code", "GBP"}, "&{[rsvp] {GBP &#163; false . , 2} false}"},
		"no sign":          {[]string{Plugin}, []any{"tickets-commerce-currency-code", "CHF", "tickets-commerce-currency-number-of-decimals", "-3"}, "&{[rsvp] {CHF CHF false . , 0} false}"},
		"hostile decimals": {[]string{Plugin}, []any{"tickets-commerce-currency-code", "", "tickets-commerce-currency-number-of-decimals", "99999999999"}, "&{[rsvp] {USD &#x24; true . , 20} false}"},
	} {
		facts := &wpstore.SiteFacts{ActivePlugins: c.plugins}
		if name != "no option" {
			facts.Calendar = &php.Array{}
		}
		for i := 0; i < len(c.options); i += 2 {
			facts.Calendar.SetString(c.options[i].(string), c.options[i+1])
		}
		if got := fmt.Sprint(Read(facts)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestPrice(t *testing.T) {
	dollar, euro := Currency{Sign: "$", DecimalPoint: ".", Thousands: ","}, Currency{Sign: "€", DecimalPoint: ",", Thousands: "&nbsp;"}
	for number, want := range map[string][2]string{
		"0": {"$0", "€0"}, "5.00": {"$5.00", "€5,00"}, "999": {"$999", "€999"}, "1000.5": {"$1,000.5", "€1&nbsp;000,5"},
		"1234567.89": {"$1,234,567.89", "€1&nbsp;234&nbsp;567,89"}, "-1200.00": {"$-1,200.00", "€-1&nbsp;200,00"}, "-0.00": {"$0.00", "€0,00"}, "": {"$", "€"},
	} {
		if got := [2]string{dollar.Price(number), euro.Price(number)}; got != want {
			t.Errorf("%s: %v, want %v", number, got, want)
		}
	}
}
