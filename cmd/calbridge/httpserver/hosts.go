package httpserver

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Hosts is the set of names that a listener accepts as Host. It prevents DNS rebinding: a page
// of another site whose name resolves to the listener sends its own name as Host and must not
// read what the listener serves. An IP address can't be used for this attack.
type Hosts struct {
	names   map[string]bool
	setting string
}

// NewHosts returns the names of a listener: localhost, the host of its address, and others.
// "*" accepts any name. setting is the setting that error messages recommend.
func NewHosts(address string, others []string, setting string) *Hosts {
	h := &Hosts{names: map[string]bool{"localhost": true}, setting: setting}
	for _, name := range append([]string{hostOf(address)}, others...) {
		h.names[canonical(name)] = true
	}
	delete(h.names, "") // the listener is on all addresses
	return h
}

// Allow reports whether a Host header names the listener. The port is optional. An empty
// header is allowed, because browsers always send one and health checks with HTTP/1.0 don't.
func (h *Hosts) Allow(host string) bool {
	name := hostOf(host)
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return host == "" || name != "" && (h.names["*"] || h.names[canonical(name)])
}

// Handler responds with status 403 to requests with other names.
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

// canonical returns a name in lower case and without a trailing dot.
func canonical(name string) string { return strings.ToLower(strings.TrimSuffix(name, ".")) }
