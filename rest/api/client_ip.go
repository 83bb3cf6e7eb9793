package api

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ClientNetwork returns the network that belongs to one client: the 64-bit network of an IPv6
// address. Other addresses are returned unchanged.
func ClientNetwork(addr string) string {
	if ip, err := netip.ParseAddr(addr); err == nil && ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return addr
}

// UntrustedProxy returns the address of a peer that forwards requests, as its header
// X-Forwarded-For shows, but is not a trusted proxy. It returns false for all other peers.
func UntrustedProxy(r *http.Request, trustedProxies []netip.Prefix) (peer string, client string, found bool) {
	forwarded := r.Header["X-Forwarded-For"]
	if len(forwarded) == 0 {
		return "", "", false
	}
	addr, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || isIn(addr.Addr().Unmap(), trustedProxies) {
		return "", "", false
	}
	last := forwarded[len(forwarded)-1]
	return addr.Addr().Unmap().String(), strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:]), true
}

func isIn(ip netip.Addr, networks []netip.Prefix) bool {
	return slices.ContainsFunc(networks, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// ClientIP returns the address of a request's client, and whether it came over HTTPS.
// X-Forwarded-For and X-Forwarded-Proto count only when the peer is a trusted proxy.
func ClientIP(r *http.Request, trustedProxies []netip.Prefix) (addr string, https bool) {
	trusted := func(ip netip.Addr) bool { return isIn(ip, trustedProxies) }
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
	// The client is the last address that is not a trusted proxy: clients can invent those before
	// it.
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
