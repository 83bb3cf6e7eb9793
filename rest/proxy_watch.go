package rest

import (
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"

	"calbridge/rest/api"
)

// proxyWatch warns once if a peer that is not a trusted proxy forwards the requests of several
// clients. The login throttle and the rate limit then count them all as one client.
type proxyWatch struct {
	trusted []netip.Prefix
	logger  *slog.Logger
	warned  atomic.Bool

	mu      sync.Mutex
	clients map[string]map[string]bool // of each peer
}

const (
	// manyClients is the number of clients from which on a peer looks like a proxy.
	manyClients = 10
	// maxPeers bounds the peers in memory.
	maxPeers = 100
	// maxClientName, in bytes, is longer than any address: clients choose the header.
	maxClientName = 64
)

func (w *proxyWatch) see(r *http.Request) {
	if w.warned.Load() {
		return
	}
	peer, client, found := api.UntrustedProxy(r, w.trusted)
	if !found || len(client) > maxClientName {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.clients == nil || len(w.clients) >= maxPeers {
		w.clients = map[string]map[string]bool{}
	}
	if w.clients[peer] == nil {
		w.clients[peer] = map[string]bool{}
	}
	w.clients[peer][client] = true
	if len(w.clients[peer]) >= manyClients && !w.warned.Swap(true) {
		w.clients = nil
		w.logger.Warn("one address sends the requests of many clients, but --trusted-proxies lacks it: if it is a proxy of yours, its clients are one to --login-tries and --rate-limit, and their HTTPS is not seen", "address", peer)
	}
}
