package webhook

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
)

// Site is a site of which targets are told.
type Site struct {
	// Name distinguishes it from the others; "" if the process serves only one.
	Name string
	// ID and URL are in the bodies of what targets are told, unless the process serves only one site.
	ID       int64
	URL      string
	Calendar Calendar
}

// served is the calendar of a site that may disappear and return. While it is away, its list is empty, so
// that targets are told that its events are gone. It implements Calendar and is safe for concurrent use.
type served struct {
	mu      sync.Mutex
	site    Site
	away    bool
	changed chan struct{} // closed when the site disappears or returns
}

func newServed(site Site) *served { return &served{site: site, changed: make(chan struct{})} }

// set sets the site that is served, nil for none.
func (s *served) set(site *Site) {
	s.mu.Lock()
	defer s.mu.Unlock()
	away := site == nil
	if !away {
		s.site = *site
	}
	if away != s.away {
		s.away = away
		close(s.changed)
		s.changed = make(chan struct{})
	}
}

// now returns the site as it is, or was last, whether it is away, and the channel that is closed when that
// changes.
func (s *served) now() (site Site, away bool, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.site, s.away, s.changed
}

// Changes implements Calendar. A site without the calendar has an empty list too.
func (s *served) Changes(ctx context.Context, query string) (status int, body []byte, err error) {
	site, away, _ := s.now()
	if away {
		return empty(query)
	}
	status, body, err = site.Calendar.Changes(ctx, query)
	switch {
	case err != nil || site.Name == "":
	case status == http.StatusNotFound:
		return empty(query)
	case strings.HasSuffix(query, "sync_token="+emptyToken): // of the time when it was away
		return http.StatusGone, []byte("{}"), nil
	}
	return status, body, err
}

// emptyToken is the token of an empty list. No calendar gives it out.
const emptyToken = "none"

// empty returns the response of an empty list to a query.
func empty(query string) (status int, body []byte, err error) {
	asked, err := url.ParseQuery(query)
	if err != nil {
		return 0, nil, err
	}
	if asked.Has("page_token") || asked.Has("sync_token") && asked.Get("sync_token") != emptyToken {
		return http.StatusGone, []byte("{}"), nil
	}
	return http.StatusOK, []byte(`{"events":[],"sync_token":"` + emptyToken + `"}`), nil
}

// Moved implements Calendar.
func (s *served) Moved() <-chan struct{} {
	site, away, changed := s.now()
	if away {
		return changed
	}
	return site.Calendar.Moved()
}

// Source implements Calendar. Of a site that disappeared before the process began, it is a relative
// address.
func (s *served) Source() string {
	site, _, _ := s.now()
	if site.Calendar == nil {
		return "sites/" + site.Name
	}
	return site.Calendar.Source()
}
