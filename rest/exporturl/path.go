package exporturl

import (
	"strings"

	"calbridge/wpstore/php"
)

// Kind is a kind of page.
type Kind int

const (
	// Home is the site's front page.
	Home Kind = iota
	// Archive is a page of events: all, or those of a category or a tag.
	Archive
	// TagPage is WordPress's own page of a tag.
	TagPage
	// Event is the page of one event, by its slug.
	Event
	// ByID is the page of one post, by its id.
	ByID
	// Venue and Organizer are their pages.
	Venue
	Organizer
	// Missing is an address below the calendar's that no rule matches.
	Missing
)

// page is what a path names: the variables that WordPress's rules set.
type page struct {
	kind           Kind
	display        string // the variable eventDisplay
	date           string
	number         int64
	category, tag  string
	slug           string
	featured, ical bool
	// again: the path has a page number of a single event, which WordPress drops.
	again bool
}

// pageOf finds the page of a path below the language root. foreign says that it is one of
// WordPress's own pages, or none.
func (s *Site) pageOf(path string) (p page, foreign bool) {
	if !s.Pretty {
		return page{kind: Home}, false
	}
	if s.Front != "" {
		path = strings.TrimPrefix(path, "/"+strings.TrimSuffix(s.Front, "/"))
	}
	parts := segments(path)
	switch {
	case isFeed(parts):
		return page{}, true
	case len(parts) == 0:
		return page{kind: Home}, false
	case same(parts[0], s.Slugs.Events):
		return s.eventsPage(parts[1:]), false
	case same(parts[0], s.Slugs.Event):
		return s.eventPage(parts[1:])
	case len(parts) == 2 && same(parts[0], s.Slugs.Venue):
		return page{kind: Venue, slug: parts[1]}, false
	case len(parts) == 2 && same(parts[0], s.Slugs.Organizer):
		return page{kind: Organizer, slug: parts[1]}, false
	}
	base := segments(s.Slugs.Tag)
	if len(parts) <= len(base) {
		return page{}, true
	}
	for i, word := range base {
		if parts[i] != word {
			return page{}, true
		}
	}
	return tagPage(parts[len(base):])
}

// tagPage reproduces WordPress's own page of a tag.
func tagPage(parts []string) (p page, foreign bool) {
	p = page{kind: TagPage, tag: parts[0]}
	switch behind := parts[1:]; {
	case len(behind) == 0:
		return p, false
	case len(behind) == 2 && behind[0] == "page" && isNumber(behind[1]):
		p.number = php.ToInt(behind[1])
		return p, false
	}
	return page{}, true
}

// eventPage returns the page of an event, or of all below the same word.
func (s *Site) eventPage(parts []string) (p page, foreign bool) {
	switch {
	case len(parts) == 0:
		return page{kind: Archive}, false
	case len(parts) == 2 && parts[0] == "page" && isNumber(parts[1]):
		return page{kind: Archive, number: php.ToInt(parts[1])}, false
	}
	p = page{kind: Event, slug: parts[0]}
	if php.Empty(p.slug) {
		p = page{kind: Archive, slug: p.slug}
	}
	switch behind := parts[1:]; {
	case len(behind) == 0:
		return p, false
	case len(behind) == 1 && behind[0] == "ical":
		if s.NoEventEnding {
			return page{kind: Missing}, false
		}
		p.ical = true
		return p, false
	case len(behind) == 1 && isNumber(behind[0]):
		p.again = true
		return p, false
	}
	return page{}, true
}

// isFeed reports whether a path is that of a news feed, or of a page to embed.
func isFeed(parts []string) bool {
	n := len(parts)
	return n > 0 && (parts[n-1] == "feed" || parts[n-1] == "embed") || n > 1 && parts[n-2] == "feed"
}

// isNumber reports whether a text has digits only.
func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
