package site

import (
	"context"
	"net/http"
	"sync"

	"calbridge/rest/notice"
)

// Live answers with the latest Site.
type Live struct {
	mu      sync.RWMutex
	current *Site
}

// NewLive answers with the Site until another one replaces it.
func NewLive(s *Site) *Live { return &Live{current: s} }

// enter returns the Site to use; its users.Done ends the use.
func (l *Live) enter() *Site {
	l.mu.RLock()
	defer l.mu.RUnlock()
	l.current.users.Add(1)
	return l.current
}

// Replace lets next answer from now on and returns what answered until now, for the
// caller to close.
func (l *Live) Replace(next *Site) *Site {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := l.current
	l.current = next
	return last
}

// Close closes the latest Site. No request may come any more.
func (l *Live) Close() error { return l.current.Close() }

// ServeHTTP implements http.Handler.
func (l *Live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := l.enter()
	defer s.users.Done()
	s.rollout.ServeHTTP(w, r)
}

// Cached is how many bytes are cached, and how many may be.
func (l *Live) Cached() (bytes, mayCache uint64) {
	s := l.enter()
	defer s.users.Done()
	return s.sizes().Bytes(), s.mayCache
}

// Ask reads the site's facts, to see whether requests can be answered.
func (l *Live) Ask(ctx context.Context) error {
	s := l.enter()
	defer s.users.Done()
	_, err := s.Store.Session(nil).Options.SiteFacts(ctx)
	return err
}

// Notice takes a notice of the companion plugin.
func (l *Live) Notice(n notice.Notice) {
	s := l.enter()
	defer s.users.Done()
	s.Cache.Invalidate(n)
}

// Database says which engine answers queries, and which server it is.
func (l *Live) Database() (engine, version string) {
	s := l.enter()
	defer s.users.Done()
	return s.Store.Engine(), s.Store.Version()
}
