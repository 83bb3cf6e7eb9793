// Package wpsite is the immutable view of the WordPress site from which responses are built.
//
//   - settings.go: Settings, what the database does not have; the offered languages
//   - site.go: Builder, and [Site]: facts, rights, options, wordings
//   - links.go: the URLs in responses
//   - place.go: [Place], the root and language of one response
//
// It turns the facts from the database and the settings into a Site, which serves many requests. It
// reads nothing itself. Of a request it uses only host, path and language, and of rest it imports
// only api and leaf packages.
package wpsite
