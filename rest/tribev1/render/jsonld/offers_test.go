package jsonld

import (
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/ticketing"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// TestOffersOfTickets: price, availability and dates of a ticket by its metadata.
func TestOffersOfTickets(t *testing.T) {
	l := testWriter(func(f *wpstore.SiteFacts) {
		f.ActivePlugins = []string{ticketing.Plugin}
		f.Calendar = php.Pairs("tickets-commerce-currency-code", "CZK")
	})
	for _, c := range []struct {
		meta                       []string
		price, availability, dates string
	}{
		{nil, "0", "InStock", ""},
		{[]string{"_price", "250", "_stock", "6", "_manage_stock", "yes"}, "250", "InStock", ""},
		{[]string{"_price", "99.50", "_stock", "5"}, "99.5", "LimitedAvailability", ""},
		{[]string{"_price", "100.00", "_stock", "1"}, "100", "LimitedAvailability", ""},
		{[]string{"_price", "0.00", "_stock", "0"}, "0", "SoldOut", ""},
		{[]string{"_price", "100", "_stock", "-2"}, "100", "SoldOut", ""},
		{[]string{"_price", "100", "_stock", "0", "_manage_stock", "no"}, "100", "InStock", ""},
		{[]string{"_price", "100", "_stock", "0", "_tribe_ticket_capacity", "-1"}, "100", "InStock", ""},
		{[]string{"_price", "1.200,00", "_stock", ""}, "1.200,00", "InStock", ""},
		{[]string{"_price", "5", "_ticket_start_date", "2026-01-01 23:30:00", "_ticket_end_date", "2027-12-01"}, "5", "InStock", `,"validFrom":"2026-01-01T00:00:00+00:00","validThrough":"2027-12-01T00:00:00+00:00"`},
		{[]string{"_price", "5", "_ticket_start_date", "nonsense", "_ticket_end_date", "1 June 2027"}, "5", "InStock", `,"validThrough":"2027-06-01T00:00:00+00:00"`},
	} {
		p := post(api.Events, "Fair", append([]string{"_EventCost", "12"}, dates...)...)
		p.Tickets = []wpstore.Ticket{{ID: 8, Provider: wpstore.RSVP, Meta: post(api.Events, "", c.meta...).Meta}}
		got := written(func(w *phpjson.Writer) { l.Event(w, p, nil) })
		want := `"url":"https://v.example/event/fair/","offers":[{"@type":"Offer","url":"https://v.example/event/fair/","price":"` + c.price + `","category":"primary","availability":"` +
			c.availability + `","priceCurrency":"CZK"` + c.dates + `}],"eventAttendanceMode"`
		if got = strings.ReplaceAll(got, `\/`, "/"); !strings.Contains(got, want) || strings.Count(got, "offers") != 1 {
			t.Errorf("%v: %s\nwant %s", c.meta, got, want)
		}
	}
}
