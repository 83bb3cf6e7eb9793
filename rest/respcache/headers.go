package respcache

import (
	"net/http"
	"sync"
)

// sharedHeaders lets answers share equal header values, so that the garbage collector has
// fewer objects to scan. It is safe for concurrent use.
type sharedHeaders struct {
	mu     sync.Mutex
	values map[string][]string
}

// maxShared bounds the number of values.
const maxShared = 1000

// share returns equal headers with shared values.
func (s *sharedHeaders) share(h http.Header) http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	shared := make(http.Header, len(h))
	for name, values := range h {
		if len(values) == 1 {
			values = s.same(values)
		}
		shared[name] = values
	}
	return shared
}

func (s *sharedHeaders) same(values []string) []string {
	if known, ok := s.values[values[0]]; ok {
		return known
	}
	if s.values == nil || len(s.values) >= maxShared {
		s.values = map[string][]string{}
	}
	s.values[values[0]] = values
	return values
}
