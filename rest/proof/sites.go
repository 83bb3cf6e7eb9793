package proof

import (
	"maps"
	"net/url"
	"strings"
	"sync"
)

const (
	// maxSites bounds the addresses that are proved besides the site's own, because clients can
	// make up host names.
	maxSites = 16
	// maxHost bounds the name of a host, in bytes (RFC 1035).
	maxHost = 255
)

// SiteOf returns the address that a request was sent to, as in Shape: "https://town.example". The
// port doesn't count: no response depends on it, and a client can make up any.
func SiteOf(https bool, host string) string {
	if https {
		return "https://" + nameOf(host)
	}
	return "http://" + nameOf(host)
}

// nameOf returns a host without its port.
func nameOf(host string) string {
	u := url.URL{Host: strings.ToLower(host)}
	return u.Hostname()
}

// ComparisonHost returns the Host header of a comparison in place of a client's: the site's own one
// with its port, else the name alone.
func (p *Prover) ComparisonHost(host string) string {
	s := &p.facts.sites
	s.mu.RLock()
	defer s.mu.RUnlock()
	name := nameOf(host)
	if own := s.own[name]; own != "" {
		return own
	}
	if strings.Contains(name, ":") { // IPv6
		return "[" + name + "]"
	}
	return name
}

// sites are the addresses under which requests are proved. It is safe for concurrent use.
type sites struct {
	mu     sync.RWMutex
	own    map[string]string // hosts by name
	others map[string]bool   // sites
}

// admit reports whether requests to an address are proved: one of the site's own hosts, or one of
// the first maxSites others.
func (s *sites) admit(site string) bool {
	_, host, _ := strings.Cut(site, "://")
	s.mu.RLock()
	known, full := s.own[host] != "" || s.others[site], len(s.others) >= maxSites
	s.mu.RUnlock()
	if known || full || host == "" || len(host) > maxHost {
		return known
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.others == nil {
		s.others = map[string]bool{}
	}
	if len(s.others) < maxSites {
		s.others[site] = true
	}
	return s.others[site]
}

// use takes the site's own hosts from its facts.
func (s *sites) use(f Facts) {
	own := map[string]string{}
	for name := range f {
		if host, is := strings.CutPrefix(name, HostFact+" "); is {
			own[nameOf(host)] = host
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !maps.Equal(own, s.own) {
		s.own, s.others = own, nil
	}
}
