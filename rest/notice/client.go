package notice

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Options say where notices go and how hard the [Client] tries.
type Options struct {
	// Site is the address of WordPress's folder as calbridge reaches it, for
	// instance http://127.0.0.1:8081/ — it must lead to PHP, not back to calbridge.
	Site string
	// Host is sent as the Host header if not empty, for a Site that is named by its
	// address.
	Host string
	// Secret is shared with the plugin; at least [MinSecret] bytes.
	Secret string

	// HTTP sends the requests; a client of its own if nil. Redirects are refused.
	HTTP *http.Client
	// Clock is time.Now if nil.
	Clock func() time.Time
	// Logger tells of the first failure in a row and of the recovery; it may be nil.
	Logger *slog.Logger

	// Capacity is how many notices wait at most; 4096 if zero. Beyond that the
	// oldest are lost.
	Capacity int
	// Timeout is for one request; 5 s if zero.
	Timeout time.Duration
	// MaxAge is how long one notice is tried; 5 min if zero. After that it is lost.
	MaxAge time.Duration
	// MinBackoff and MaxBackoff bound the pause after a failure, which doubles with
	// each; 250 ms and 1 min if zero.
	MinBackoff, MaxBackoff time.Duration
	// WakeEvery is how often WordPress is asked to run its due tasks, because the
	// visits that used to do so reach calbridge now; never if zero.
	WakeEvery time.Duration
	// Stale says that notices may have been lost before the start, for instance
	// because the last process was killed: the first one says All.
	Stale bool

	Metrics Metrics
}

// Metrics are told what the [Client] does. Each may be nil; none may block.
type Metrics struct {
	Queued  func(waiting int)                        // after each change of the queue
	Sent    func(notices int, waited time.Duration)  // waited is that of the oldest
	Failed  func(err error)                          // one attempt
	Lost    func(notices int, reason string)         // "overflow", "age" or "closed"; not those that only wake
	Request func(took time.Duration, delivered bool) // one attempt
}

// Client queues notices and delivers them from one goroutine, many in one request
// when they come fast. It is safe for concurrent use.
//
// A notice that is lost leaves something stale in WordPress, so the next one that
// arrives says All, and WordPress flushes its object cache: the client keeps trying
// until that has happened.
type Client struct {
	o      Options
	notice string // URLs
	status string

	mu     sync.Mutex
	queue  []queued
	stale  bool
	closed bool

	wake    chan struct{} // capacity 1
	closing chan struct{}
	cancel  context.CancelFunc
	done    chan struct{}
	left    int // undelivered notices, for Close; read after done
}

// queued is a notice and when it was sent off.
type queued struct {
	Notice
	at time.Time
}

// New starts a Client, which runs until [Client.Close].
func New(o Options) (*Client, error) {
	if err := checkSecret(o.Secret); err != nil {
		return nil, err
	}
	site, err := url.Parse(o.Site)
	if err != nil || (site.Scheme != "http" && site.Scheme != "https") || site.Host == "" {
		return nil, fmt.Errorf("address of WordPress %q: write it in full, like http://127.0.0.1:8081/", o.Site)
	}
	o.defaults()
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{
		o: o, notice: route(site, "notice"), status: route(site, "status"), stale: o.Stale,
		wake: make(chan struct{}, 1), closing: make(chan struct{}), cancel: cancel, done: make(chan struct{}),
	}
	go c.run(ctx)
	return c, nil
}

// route is the address of one of the plugin's routes. By way of index.php it is
// there whatever the permalinks, and no static file or page cache comes before it.
func route(site *url.URL, name string) string {
	at := site.JoinPath("index.php")
	at.RawQuery = "rest_route=/calbridge/v1/" + name
	return at.String()
}

func (o *Options) defaults() {
	if o.HTTP == nil {
		o.HTTP = &http.Client{Transport: &http.Transport{MaxIdleConns: 2, IdleConnTimeout: 30 * time.Second, ForceAttemptHTTP2: true}}
	}
	own := *o.HTTP
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	o.HTTP = &own
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Capacity <= 0 {
		o.Capacity = 4096
	}
	for _, d := range []struct {
		value    *time.Duration
		fallback time.Duration
	}{{&o.Timeout, 5 * time.Second}, {&o.MaxAge, 5 * time.Minute}, {&o.MinBackoff, 250 * time.Millisecond}, {&o.MaxBackoff, time.Minute}} {
		if *d.value <= 0 {
			*d.value = d.fallback
		}
	}
	m := &o.Metrics
	if m.Queued == nil {
		m.Queued = func(int) {}
	}
	if m.Sent == nil {
		m.Sent = func(int, time.Duration) {}
	}
	if m.Failed == nil {
		m.Failed = func(error) {}
	}
	if m.Lost == nil {
		m.Lost = func(int, string) {}
	}
	if m.Request == nil {
		m.Request = func(time.Duration, bool) {}
	}
}

// Send queues a notice and returns at once, whatever the state of WordPress. The
// caller no longer writes to the notice's slices. After Close it is lost.
func (c *Client) Send(n Notice) {
	if n.Empty() {
		return
	}
	if n.check() != nil {
		n = Notice{All: true, Cron: n.Cron}
	}
	now := c.o.Clock()
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		if n.names() {
			c.o.Metrics.Lost(1, "closed")
		}
		return
	}
	dropped := false
	if len(c.queue) >= c.o.Capacity {
		dropped = c.queue[0].names()
		c.stale = c.stale || dropped
		c.queue[0] = queued{} // for the garbage collector
		c.queue = c.queue[1:]
	}
	c.queue = append(c.queue, queued{n, now})
	waiting := len(c.queue)
	c.mu.Unlock()
	if dropped {
		c.o.Metrics.Lost(1, "overflow")
	}
	c.o.Metrics.Queued(waiting)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Close takes no more notices and waits until those that are queued have been
// delivered or the context ends; then it says how many were not.
func (c *Client) Close(ctx context.Context) error {
	c.mu.Lock()
	if !c.closed {
		c.closed = true
		close(c.closing)
	}
	c.mu.Unlock()
	select {
	case <-c.done:
	case <-ctx.Done():
		c.cancel()
		<-c.done
	}
	if c.left > 0 {
		return fmt.Errorf("%d notices did not reach WordPress; its object cache may be stale until it is flushed", c.left)
	}
	return nil
}

// pause is how long to wait after so many failures in a row: doubling, bounded, and
// spread so that several processes do not knock together.
func (o *Options) pause(failures int) time.Duration {
	d := o.MaxBackoff
	if failures < 30 {
		d = min(o.MinBackoff<<(failures-1), o.MaxBackoff)
	}
	return d/2 + rand.N(d/2+1)
}
