package api

import (
	"math"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"calbridge/rest/phpform"
)

// PlainGET says that a request is a GET and nothing else: without a body, and
// without a word by which WordPress would take it for another method.
func PlainGET(r *http.Request) bool {
	if r.Method != http.MethodGet || r.ContentLength != 0 || r.Header.Get("X-Http-Method-Override") != "" {
		return false
	}
	_, rawQuery := SplitTarget(r.RequestURI)
	_, overridden := phpform.Parse(rawQuery, phpform.Limits{MaxVars: math.MaxInt}).Lookup("_method")
	return !overridden
}

// splitTarget splits a request target into path and query, as they were sent. An
// absolute target loses its scheme and host.
func SplitTarget(target string) (path, query string) {
	if !strings.HasPrefix(target, "/") {
		if i := strings.Index(target, "://"); i >= 0 {
			target = target[i+3:]
			if j := strings.IndexAny(target, "/?"); j >= 0 {
				target = target[j:]
			} else {
				target = "/"
			}
		}
	}
	path, query, _ = strings.Cut(target, "?")
	return path, query
}

// Client tells a request's client: its address, and whether it came over HTTPS.
// Forwarding headers count only when the peer is a trusted proxy.
func Client(r *http.Request, trustedProxies []netip.Prefix) (addr string, https bool) {
	trusted := func(ip netip.Addr) bool {
		return slices.ContainsFunc(trustedProxies, func(p netip.Prefix) bool { return p.Contains(ip) })
	}
	https = r.TLS != nil
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr, https
	}
	ip := peer.Addr().Unmap()
	if !trusted(ip) {
		return ip.String(), https
	}
	if proto := r.Header.Get("X-Forwarded-Proto"); proto != "" {
		first, _, _ := strings.Cut(proto, ",")
		https = strings.EqualFold(strings.TrimSpace(first), "https")
	}
	// The last address that is no trusted proxy is the client: what stands left
	// of it may be invented.
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		ip = hop.Unmap()
		if !trusted(ip) {
			break
		}
	}
	return ip.String(), https
}
