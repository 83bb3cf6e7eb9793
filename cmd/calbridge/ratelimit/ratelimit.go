// Package ratelimit holds each client to a number of requests a second. Of calbridge
// it imports rest alone, which knows whose request it is behind proxies.
package ratelimit

import (
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"calbridge/rest/api"
)

// maxClients bounds the memory of a Limiter. A client that is forgotten gets its
// burst anew.
const maxClients = 1 << 16

// Limiter holds each client to a number of requests a second, with a burst on top
// (the generic cell rate algorithm: one time stamp per client). It is safe for
// concurrent use.
type Limiter struct {
	now      func() time.Time
	client   func(*http.Request) string
	rejected func()

	mu sync.Mutex
	// interval is the time that a request costs, allowance how much of it may be
	// borrowed.
	interval, allowance time.Duration
	paid                map[string]time.Time // until when a client's requests are paid for
}

// New returns a Limiter without a limit. client names the client of a request;
// rejected is called for each request that is refused.
func New(now func() time.Time, client func(*http.Request) string, rejected func()) *Limiter {
	return &Limiter{now: now, client: client, rejected: rejected}
}

// Set changes the rate, in requests a second, and the burst, in requests; no rate
// is no limit.
func (l *Limiter) Set(perSecond float64, burst int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.interval = 0
	if perSecond > 0 {
		l.interval = time.Duration(float64(time.Second) / perSecond)
	}
	l.allowance = l.interval * time.Duration(max(burst, 1))
	l.paid = map[string]time.Time{}
}

// take lets a client's request through, or says how long to wait.
func (l *Limiter) take(client string) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.interval == 0 {
		return 0
	}
	now := l.now()
	until := l.paid[client]
	if until.Before(now) {
		until = now
	}
	until = until.Add(l.interval)
	if ahead := until.Sub(now); ahead > l.allowance {
		return ahead - l.allowance
	}
	if _, known := l.paid[client]; !known && len(l.paid) >= maxClients {
		l.forget(now)
	}
	l.paid[client] = until
	return 0
}

// forget drops the clients that owe nothing, and all of them if that is too few.
func (l *Limiter) forget(now time.Time) {
	for client, until := range l.paid {
		if !until.After(now) {
			delete(l.paid, client)
		}
	}
	if len(l.paid) > maxClients*3/4 {
		clear(l.paid)
	}
}

// Handler answers 429 for clients that are over their limit.
func (l *Limiter) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wait := l.take(l.client(r))
		if wait == 0 {
			next.ServeHTTP(w, r)
			return
		}
		l.rejected()
		h := w.Header()
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(wait.Seconds()))))
		h.Set("Content-Type", "application/json; charset=UTF-8")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		w.WriteHeader(http.StatusTooManyRequests)
		if r.Method != http.MethodHead {
			_, _ = w.Write([]byte(`{"code":"calbridge_too_many_requests","message":"Too many requests; try again later.","data":{"status":429}}`))
		}
	})
}

// ByAddress returns what names the client of a request behind trusted proxies.
func ByAddress(trusted []netip.Prefix) func(*http.Request) string {
	return func(r *http.Request) string {
		addr, _ := api.ClientIP(r, trusted)
		return clientKey(addr)
	}
}

// clientKey counts an IPv6 network of 64 bits as one client: whoever has one of
// its addresses has them all.
func clientKey(addr string) string {
	ip, err := netip.ParseAddr(addr)
	if err != nil || ip.Is4() {
		return addr
	}
	network, err := ip.Prefix(64)
	if err != nil {
		return addr
	}
	return network.String()
}
