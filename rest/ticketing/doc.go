// Package ticketing has the settings of Event Tickets: whether it is active, which providers
// of tickets are on, and how prices of tickets are shown.
//
//   - settings.go: Settings, read from the options of a site
//   - currency.go: Currency, the signs of currencies, prices as text
//
// It turns the facts of a site into Settings, nil where the plugin isn't active. Package
// wpstore/tickets reads the tickets themselves. It imports only wpstore.
package ticketing
