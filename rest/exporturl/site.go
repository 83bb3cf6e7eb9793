package exporturl

import (
	"strings"

	"calbridge/rest/phpform"
)

// Site is what the addresses of a site depend on, for one language root.
type Site struct {
	// Root is the directory of the language, "/en", or "".
	Root string
	// Slugs are the words of addresses.
	Slugs Slugs
	// Front is "index.php/" where permalinks begin with it.
	Front string
	// Pretty: the site has permalinks. Slash: they end in a slash.
	Pretty, Slash bool
	// NoEventEnding: addresses of single events have no ending "ical".
	NoEventEnding bool
	// DefaultView is the view of pages that name none.
	DefaultView string
	// PerPage is the number of events of a page.
	PerPage int64
}

// Slugs are the words of addresses, percent-encoded or not.
type Slugs struct {
	Events, Event, Category string
	// Tag is the path of WordPress's own pages of tags: "tag" or "blog/tag".
	Tag              string
	Venue, Organizer string
}

// same compares a segment of a path with a slug.
func same(segment, slug string) bool {
	return slug != "" && segment == phpform.RawURLDecode(slug)
}

// segments splits a path and decodes its parts.
func segments(path string) []string {
	path = strings.Trim(path, "/")
	if path == "" {
		return nil
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		parts[i] = phpform.URLDecode(part)
	}
	return parts
}
