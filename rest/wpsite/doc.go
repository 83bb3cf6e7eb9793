// Package wpsite is the immutable view of the WordPress site that answers are made from.
//
// In go the facts from the database and the Settings; out comes a [Site] (site.go), by a
// Builder, once for many requests. links.go makes the URLs that answers carry, languages.go
// says which languages are offered, settings.go what no table tells. place.go: [Place] is
// where and in which language one answer is made: the site with links, wording and texts
// chosen.
//
// It reads nothing itself, knows no request but its host and path, and imports of rest only
// api and leafs.
package wpsite
