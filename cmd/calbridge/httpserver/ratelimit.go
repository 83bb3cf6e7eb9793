package httpserver

import (
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/time/rate"

	"calbridge/rest/api"
)

// maxClients limits the memory of a Limiter. An evicted client starts with a new burst.
const maxClients = 1 << 16

// Limiter limits each client to a number of requests per second, with a burst. It is safe
// for concurrent use.
type Limiter struct {
	now      func() time.Time
	client   func(*http.Request) string
	rejected func()
	current  atomic.Pointer[buckets]
}

// buckets holds the token buckets of all clients for one rate.
type buckets struct {
	*otter.Cache[string, *rate.Limiter]
	limit rate.Limit
	burst int
}

// NewLimiter returns a Limiter that has no limit yet. client returns the key of a request's client.
// rejected is called for each rejected request.
func NewLimiter(now func() time.Time, client func(*http.Request) string, rejected func()) *Limiter {
	l := &Limiter{now: now, client: client, rejected: rejected}
	l.Set(0, 1)
	return l
}

// Set changes the rate, in requests per second, and the burst, in requests. A rate of 0 means
// no limit.
func (l *Limiter) Set(perSecond float64, burst int64) {
	limit := rate.Limit(perSecond)
	if perSecond <= 0 {
		limit = rate.Inf
	}
	l.current.Store(&buckets{otter.Must(&otter.Options[string, *rate.Limiter]{MaximumSize: maxClients}), limit, int(burst)})
}

// take admits a client's request, or returns how long the client has to wait.
func (l *Limiter) take(client string) (wait time.Duration) {
	b, now := l.current.Load(), l.now()
	bucket, _ := b.ComputeIfAbsent(client, func() (*rate.Limiter, bool) { return rate.NewLimiter(b.limit, b.burst), false })
	r := bucket.ReserveN(now, 1)
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// Handler responds with status 429 to clients over their limit.
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

// ByAddress returns a function that returns the key of a request's client: its IP address as
// seen by trusted proxies. For IPv6 the key is the network of 64 bits, which usually belongs
// to one client.
func ByAddress(trusted []netip.Prefix) func(*http.Request) string {
	return func(r *http.Request) string {
		addr, _ := api.ClientIP(r, trusted)
		return api.ClientNetwork(addr)
	}
}
