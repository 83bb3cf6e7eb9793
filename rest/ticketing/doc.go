// Package ticketing has the settings of Event Tickets: whether it is active, which providers
// of tickets are on, and how prices of tickets are shown.
//
//   - settings.go: Settings, read from the options of a site
//   - currency.go: Currency, the signs of currencies, prices as text
//
// In come the facts of a site, out come Settings, nil where the plugin isn't active. The
// tickets themselves are read by package wpstore/tickets. It imports only wpstore.
package ticketing
