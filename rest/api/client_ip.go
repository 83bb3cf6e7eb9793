package api

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ClientIP returns the address of a request's client, and whether it came over HTTPS.
// X-Forwarded-For and X-Forwarded-Proto count only when the peer is a trusted proxy.
func ClientIP(r *http.Request, trustedProxies []netip.Prefix) (addr string, https bool) {
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
	// The client is the last address that is no trusted proxy: clients can invent those
	// before it.
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(hops) {
		hop, err := netip.ParseAddr(strings.TrimSpace(text))
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
