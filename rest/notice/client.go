package notice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync"
	"time"

	"calbridge/wpstore/guard"
)

// Options configure a [Client].
type Options struct {
	// Site is the URL of WordPress's folder, for instance http://127.0.0.1:8081/. It must
	// lead to PHP, not back to calbridge.
	Site string
	// Host is the Host header where Site is a bare address; may be empty.
	Host string
	// Agent is the User-Agent; "calbridge" if empty.
	Agent string
	// Secret is the shared secret, at least [MinSecret] bytes.
	Secret string
	Logger *slog.Logger
	Guard  *guard.Guard
	// Timeout is for one request; 5 s if zero.
	Timeout time.Duration
	// WakeEvery is the interval at which WordPress is told to run its due tasks. The visits that
	// used to trigger them now reach calbridge. 0 means never.
	WakeEvery time.Duration
	// Stale reports that notices may have been lost before the start, for instance because the last
	// process was killed. The first notice then has All.
	Stale bool
	// Outbox is the folder for saves that WordPress has not received, which survive a restart
	// there; "" keeps them only in memory.
	Outbox string

	limits limits
}

// limits bound the queue and the retries of a Client.
type limits struct {
	capacity               int           // maximum of notices in the queue; beyond it the oldest is lost
	maxAge                 time.Duration // after which a notice is lost, except for its saves
	minBackoff, maxBackoff time.Duration
}

func defaultLimits() limits {
	return limits{capacity: 4096, maxAge: 5 * time.Minute, minBackoff: 250 * time.Millisecond, maxBackoff: time.Minute}
}

// Client queues notices and delivers them from one goroutine, many in one request when they come
// fast. It is safe for concurrent use.
//
// A lost notice leaves stale entries in WordPress's object cache, so the next notice says All, and
// the client retries until WordPress has flushed its cache. All can't make up for lost saves. They
// are lost only if the queue is full, or if the client ends without an outbox and without a
// successor ([Client.HandOver]).
type Client struct {
	Options
	http                  *http.Client
	notice, status, facts string // URLs

	mu     sync.Mutex
	queue  []queued
	stale  bool
	closed bool
	outbox *outbox // nil without Outbox
	next   *Client // delivers what is left; may be nil

	wake    chan struct{} // capacity 1
	closing chan struct{}
	cancel  context.CancelFunc
	work    sync.WaitGroup
	done    chan struct{} // closed when work has ended
	left    int           // undelivered notices, for Close; read after done
}

// queued is a notice and when it was queued. savedBytes is the length of its saves as JSON.
type queued struct {
	Notice
	at         time.Time
	savedBytes int
}

// task is what the guard calls the work of a Client.
const task = "sending notices to WordPress"

// address returns the address of WordPress. Its error describes a wrong address or secret.
func (o *Options) address() (*url.URL, error) {
	if err := checkSecret(o.Secret); err != nil {
		return nil, err
	}
	site, err := url.Parse(o.Site)
	if err != nil || (site.Scheme != "http" && site.Scheme != "https") || site.Host == "" {
		return nil, fmt.Errorf("address of WordPress %q: write it in full, like http://127.0.0.1:8081/", o.Site)
	}
	return site, nil
}

// Check returns the error that New would return, without starting anything.
func (o *Options) Check() error {
	_, err := o.address()
	return err
}

// New starts a Client, which runs until [Client.Close].
func New(o Options) (*Client, error) {
	site, err := o.address()
	if err != nil {
		return nil, err
	}
	o.Timeout = cmp.Or(o.Timeout, 5*time.Second)
	o.limits = cmp.Or(o.limits, defaultLimits())
	ctx, cancel := context.WithCancel(context.Background())
	c := &Client{
		Options: o, notice: route(site, "notice"), status: route(site, "status"), facts: route(site, "facts"), stale: o.Stale,
		http: &http.Client{
			Transport:     &http.Transport{MaxIdleConns: 2, IdleConnTimeout: 30 * time.Second, ForceAttemptHTTP2: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		wake: make(chan struct{}, 1), closing: make(chan struct{}), cancel: cancel, done: make(chan struct{}),
	}
	if o.Outbox != "" {
		var earlier []Saved
		c.outbox, earlier, err = openOutbox(o.Outbox)
		switch {
		case errors.Is(err, errNewerOutbox):
			o.Logger.Warn("saves that WordPress has not received stay in --state-dir: start the newer version again, and it delivers them", "error", err)
		case err != nil:
			o.Logger.Warn("saves that WordPress has not received will not survive a restart: make --state-dir writable", "error", err)
		}
		c.enqueue(Notice{Saved: earlier}.split())
	}
	o.Guard.Go(&c.work, task, func() {
		defer close(c.done)
		defer c.finish()
		o.Guard.Repeat(ctx, task, c.run)
	})
	return c, nil
}

// route returns the URL of one of the plugin's routes. It leads through index.php, so that it
// exists with any permalinks, and no static file or page cache hides it.
func route(site *url.URL, name string) string {
	at := site.JoinPath("index.php")
	at.RawQuery = "rest_route=/calbridge/v1/" + name
	return at.String()
}

// Send queues a notice and returns at once, whatever the state of WordPress. The caller must not
// change the notice's slices afterwards. After Close, notices are lost.
func (c *Client) Send(n Notice) {
	if n.Empty() {
		return
	}
	saved := n.Saved
	n.Saved = nil
	if n.check() != nil {
		n = Notice{All: true, Cron: n.Cron}
	}
	n.Saved = saved
	parts := n.split()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		c.lost("closed", parts...)
		if c.next != nil {
			c.next.Send(n)
		} else {
			c.losesSaved("closed", parts...)
		}
		return
	}
	for _, part := range parts {
		if err := c.outbox.add(part.Saved); err != nil {
			c.Logger.Warn("saves that WordPress has not received would not survive a restart", "error", err)
		}
	}
	c.enqueue(parts)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// enqueue adds notices to the queue. The caller holds the lock.
func (c *Client) enqueue(parts []queued) {
	for _, part := range parts {
		if part.Empty() {
			continue
		}
		if len(c.queue) >= c.limits.capacity {
			c.lost("overflow", c.queue[0])
			c.losesSaved("overflow", c.queue[0])
			c.queue[0] = queued{} // for the garbage collector
			c.queue = c.queue[1:]
		}
		part.at = time.Now()
		c.queue = append(c.queue, part)
	}
}

// losesSaved logs the saves that are lost with notices: WordPress won't call its listeners for
// them.
func (c *Client) losesSaved(reason string, notices ...queued) {
	count := 0
	for _, q := range notices {
		count += len(q.Saved)
	}
	if count > 0 {
		c.Logger.Warn("WordPress will not run the hooks of some saves", "saves", count, "reason", reason)
	}
}

// HandOver makes next deliver the saves that this Client has not delivered when it ends.
func (c *Client) HandOver(next *Client) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next = next
}

// end hands over the remaining saves, or leaves them in the outbox. The caller holds the lock.
func (c *Client) end(left []queued) {
	if c.next != nil {
		for _, q := range left {
			c.next.Send(Notice{Saved: q.Saved})
		}
		left = nil
	}
	if c.outbox == nil {
		c.losesSaved("closed", left...)
	}
	if err := c.outbox.end(len(left) > 0); err != nil {
		c.Logger.Warn("closing the file of saves that WordPress has not received", "error", err)
	}
}

// lost counts the notices that name something, and makes the next one say All. The caller
// holds the lock.
func (c *Client) lost(reason string, notices ...queued) (count int) {
	for _, q := range notices {
		if q.names() {
			count++
		}
	}
	if count > 0 {
		c.stale = true
		c.Logger.Debug("notices to WordPress were lost", "notices", count, "reason", reason)
	}
	return count
}

// Close accepts no more notices and waits until the queue is delivered or the context ends. In
// the latter case the error has the number of notices left.
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

// backoff returns the pause after so many failures in a row: exponential, bounded, with jitter.
func (l limits) backoff(failures int) time.Duration {
	d := l.maxBackoff
	if failures < 30 {
		d = min(l.minBackoff<<(failures-1), l.maxBackoff)
	}
	return d/2 + rand.N(d/2+1)
}
