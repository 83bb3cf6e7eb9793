package ticketing

import (
	"cmp"
	"slices"
	"strings"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Plugin is the main file of Event Tickets.
const Plugin = "event-tickets/event-tickets.php"

// Settings are the settings of Event Tickets.
type Settings struct {
	// Providers are the enabled providers, in the order of responses. There are none if the
	// settings give events no tickets.
	Providers []wpstore.TicketProvider
	// Currency is that of all tickets.
	Currency Currency
	// Prices reports that the costs of events are shown in the currency of the tickets, as they are
	// if Tickets Commerce is on.
	Prices bool
}

// maxDecimals bounds the setting.
const maxDecimals = 20

// Read returns the settings, nil where Event Tickets isn't active.
func Read(facts *wpstore.SiteFacts) *Settings {
	if !slices.Contains(facts.ActivePlugins, Plugin) {
		return nil
	}
	text := func(name, fallback string) string {
		if v, ok := facts.Calendar.Lookup(name); ok {
			return php.ToString(v)
		}
		return fallback
	}
	code := strings.ToUpper(cmp.Or(text("tickets-commerce-currency-code", ""), "USD"))
	sign, recorded := signOf(code)
	s := &Settings{
		Prices: php.Truthy(facts.Calendar.At("tickets_commerce_enabled")),
		Currency: Currency{
			Code: code, Sign: sign, Recorded: recorded,
			DecimalPoint: text("tickets-commerce-currency-decimal-separator", "."),
			Thousands:    text("tickets-commerce-currency-thousands-separator", ","),
			Decimals:     int(min(max(php.ToInt(text("tickets-commerce-currency-number-of-decimals", "2")), 0), maxDecimals)),
		},
	}
	if types, ok := facts.Calendar.At("ticket-enabled-post-types").(*php.Array); ok && !slices.Contains(types.Texts(), wpstore.EventType) {
		return s
	}
	if s.Prices {
		s.Providers = append(s.Providers, wpstore.TicketsCommerce)
	}
	s.Providers = append(s.Providers, wpstore.RSVP)
	return s
}
