package wpsite

import (
	"slices"
	"strconv"
	"strings"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// TicketsPlugin is the main file of Event Tickets.
const TicketsPlugin = "event-tickets/event-tickets.php"

// Tickets are the settings of Event Tickets.
type Tickets struct {
	// Providers are those that are on, in the order of answers; none where events have no
	// tickets.
	Providers []wpstore.TicketProvider
	// Currency is that of all tickets.
	Currency TicketCurrency
	// Prices says that the costs of events are shown in the currency of the tickets: Tickets
	// Commerce is on.
	Prices bool
}

// TicketCurrency is how prices of tickets are shown.
type TicketCurrency struct {
	Code                    string // such as "USD"
	Sign                    string // in HTML
	Known                   bool   // the sign is that of the reference, not only a likely one
	DecimalPoint, Thousands string
	Decimals                int
}

// maxTicketDecimals bounds the setting.
const maxTicketDecimals = 20

// NewTickets reads the settings of Event Tickets, nil where it isn't active.
func NewTickets(facts *wpstore.SiteFacts) *Tickets {
	if !slices.Contains(facts.ActivePlugins, TicketsPlugin) {
		return nil
	}
	option := func(name string) php.Value { return facts.Calendar.At(name) }
	text := func(name, fallback string) string {
		if v := option(name); v != nil {
			return php.ToString(v)
		}
		return fallback
	}
	t := &Tickets{Prices: php.Truthy(option("tickets_commerce_enabled"))}
	types, limited := option("ticket-enabled-post-types").(*php.Array)
	if !limited || slices.Contains(types.Texts(), wpstore.EventType) {
		if t.Prices {
			t.Providers = append(t.Providers, wpstore.TicketsCommerce)
		}
		t.Providers = append(t.Providers, wpstore.RSVP)
	}
	c := TicketCurrency{
		Code:         strings.ToUpper(text("tickets-commerce-currency-code", "")),
		DecimalPoint: text("tickets-commerce-currency-decimal-separator", "."),
		Thousands:    text("tickets-commerce-currency-thousands-separator", ","),
		Decimals:     int(min(max(php.ToInt(text("tickets-commerce-currency-number-of-decimals", "2")), 0), maxTicketDecimals)),
	}
	if c.Code == "" {
		c.Code = "USD"
	}
	c.Sign, c.Known = currencySign(c.Code)
	t.Currency = c
	return t
}

// currencySign is the sign of a currency in HTML. Those of the reference are recorded for
// some codes; others are the sign of Unicode as a numeric entity, or the code itself.
func currencySign(code string) (sign string, known bool) {
	switch code {
	case "USD":
		return "&#x24;", true
	case "EUR":
		return "&#8364;", true
	}
	for _, c := range []struct {
		codes string
		sign  rune
	}{
		{"AUD CAD HKD MXN NZD SGD TWD", '$'}, {"GBP", '£'}, {"JPY CNY", '¥'}, {"INR", '₹'}, {"ILS", '₪'},
		{"KRW", '₩'}, {"PHP", '₱'}, {"RUB", '₽'}, {"THB", '฿'}, {"TRY", '₺'}, {"UAH", '₴'}, {"VND", '₫'},
	} {
		if slices.Contains(strings.Fields(c.codes), code) {
			return "&#" + strconv.Itoa(int(c.sign)) + ";", false
		}
	}
	return code, false
}
