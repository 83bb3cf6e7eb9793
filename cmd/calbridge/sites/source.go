package sites

import (
	"context"

	"calbridge/cmd/calbridge/settings"
)

// Site is one of the sites that a process serves.
type Site struct {
	// Name distinguishes it from the others: the number of a site of a network, or the name that a
	// file gives it.
	Name string
	// Address is the site's address without the scheme, such as "example.org/folder/".
	Address string
	// URL is the address with its scheme and without a slash at its end.
	URL string
	// Public reports that the site shows itself to everybody: search engines may index it, and
	// WordPress answers its requests.
	Public bool
	// Closed is the reason why WordPress answers the site's requests with 410, such as "archived"; "" for a
	// site that is open.
	Closed string
	// Settings are those that the site is opened with.
	Settings *settings.Settings
}

// Match is the result of a search for an address.
type Match struct {
	// Site is nil if no site has the address.
	Site *Site
	// Redirect is the address to which WordPress sends the clients of an unknown host; "" if it answers
	// itself.
	Redirect string
}

// Source finds sites. It is safe for concurrent use.
type Source interface {
	// Find searches for the site that answers a host and a path.
	Find(host, path string) Match
	// All returns all sites. The first one is the main one.
	All() []*Site
	// Renew reads the sites again with settings of the process that were reread.
	Renew(ctx context.Context, s *settings.Settings) error
	// Moved returns a channel that is closed when sites appear, change or disappear after the call.
	Moved() <-chan struct{}
	// Close ends what the source does.
	Close() error
}
