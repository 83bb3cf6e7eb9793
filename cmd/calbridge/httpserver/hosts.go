package httpserver

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Hosts are the names by which a listener answers. A page elsewhere whose name is made to lead
// to the listener (DNS rebinding) must not read what it serves; it sends its own name as Host.
// An IP address is no such name.
type Hosts struct {
	names   map[string]bool
	setting string
}

// NewHosts returns the names of a listener: localhost, the host of its address, and others.
// "*" stands for any name. setting is what refusals advise to set.
func NewHosts(address string, others []string, setting string) *Hosts {
	h := &Hosts{names: map[string]bool{"localhost": true}, setting: setting}
	for _, name := range append([]string{hostOf(address)}, others...) {
		h.names[canonical(name)] = true
	}
	delete(h.names, "") // a listener on all addresses
	return h
}

// Allow reports whether a Host header names the listener. The port may be missing, and so may
// the header: browsers always send it, health checks by HTTP/1.0 don't.
func (h *Hosts) Allow(host string) bool {
	name := hostOf(host)
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return host == "" || name != "" && (h.names["*"] || h.names[canonical(name)])
}

// Handler refuses requests with other names with status 403.
func (h *Hosts) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !h.Allow(r.Host) {
			SecurePage(w.Header())
			http.Error(w, "This listener does not answer by this name: use an IP address or localhost, or add the name to "+h.setting+".", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostOf returns an address without port and brackets.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(address, "["), "]")
	}
	return host
}

// canonical returns a name in lower case, without the dot of the root.
func canonical(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }
