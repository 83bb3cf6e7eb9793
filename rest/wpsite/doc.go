// Package wpsite is the immutable view of the WordPress site that answers are made from.
//
//   - settings.go: Settings, what the database does not have; the offered languages
//   - site.go: Builder, and [Site]: facts, rights, options, wordings
//   - links.go: the URLs in answers
//   - place.go: [Place], the root and language of one answer
//
// In go the facts from the database and the settings, out comes a Site, once for many
// requests. It reads nothing itself, gets of a request only host, path and language, and
// imports of rest only api and leaf packages.
package wpsite
