package record

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/compat/recording"
	"calbridge/compat/wire"
)

// politeClient asks a site that is in use: not too often, saying what it is, and
// waiting when the site asks for it.
type politeClient struct {
	endpoint     wire.Endpoint
	host, scheme string
	userAgent    string
	timeout      time.Duration
	logins       map[string]string
	idle         chan *wire.Conn
	sent         atomic.Int64
	answered     atomic.Bool

	mu    sync.Mutex
	delay time.Duration
	next  time.Time // the earliest start of the next request
}

// maxTries bounds how often one request is tried while the site is busy.
const maxTries = 5

func newPoliteClient(o Options, site *url.URL) (*politeClient, error) {
	e, err := wire.ParseTarget(site.Scheme + "://" + site.Host)
	if err != nil {
		return nil, fmt.Errorf("site %q is not a URL such as https://town.example", o.URL)
	}
	c := &politeClient{endpoint: e, host: site.Host, scheme: site.Scheme, userAgent: o.UserAgent, timeout: o.Timeout,
		logins: o.Logins, delay: max(o.Delay, 0), idle: make(chan *wire.Conn, o.Concurrency)}
	if o.Host != "" {
		scheme, host, found := strings.Cut(o.Host, "://")
		if !found {
			scheme, host = site.Scheme, o.Host
		}
		if (scheme != "http" && scheme != "https") || host == "" || strings.ContainsAny(host, "/ \r\n") {
			return nil, fmt.Errorf("host %q is no host name", o.Host)
		}
		c.scheme, c.host = scheme, host
		if e.TLS != nil {
			name, _, _ := strings.Cut(host, ":")
			e.TLS.ServerName = name
		}
	}
	for range o.Concurrency {
		c.idle <- &wire.Conn{Endpoint: e, Timeout: o.Timeout}
	}
	return c, nil
}

func (c *politeClient) close() {
	for range cap(c.idle) {
		(<-c.idle).Close()
	}
}

// ask sends a request as a login. Answers that say that the site is busy are
// waited out, and slow all later requests down.
func (c *politeClient) ask(ctx context.Context, as string, r recording.Request) (recording.Response, time.Duration, error) {
	authorization := ""
	if as != recording.Anonymous {
		authorization = recording.BasicAuthorization(as, c.logins[as])
	}
	headers := map[string]string{"User-Agent": c.userAgent}
	for name, value := range r.Headers {
		headers[name] = value
	}
	r.Headers = headers
	raw, err := wire.RequestBytes(r, c.host, c.scheme, authorization)
	if err != nil {
		return recording.Response{}, 0, err
	}
	var w *wire.Conn
	select {
	case w = <-c.idle:
	case <-ctx.Done():
		return recording.Response{}, 0, ctx.Err()
	}
	defer func() { c.idle <- w }()
	for try := 1; ; try++ {
		if err := c.pace(ctx); err != nil {
			return recording.Response{}, 0, err
		}
		c.sent.Add(1)
		answer, took, err := w.Send(ctx, raw, r.Method)
		if err == nil {
			c.answered.Store(true)
		}
		busy := err == nil && (answer.Status == http.StatusTooManyRequests || answer.Status == http.StatusServiceUnavailable ||
			answer.Status == http.StatusBadGateway || answer.Status == http.StatusGatewayTimeout)
		if (err == nil && !busy) || ctx.Err() != nil || (err != nil && r.Body != nil) {
			return answer, took, errors.Join(err, ctx.Err())
		}
		var unreachable *wire.UnreachableError
		if errors.As(err, &unreachable) && !c.answered.Load() {
			return answer, took, err // most likely the address is wrong
		}
		if try == maxTries {
			if err == nil {
				err = fmt.Errorf("the site is busy: status %d to %s %s, %d times", answer.Status, r.Method, r.Path, try)
			}
			return answer, took, fmt.Errorf("%w; run it again later, it goes on from here", err)
		}
		if err := c.backOff(ctx, answer, try); err != nil {
			return recording.Response{}, 0, err
		}
	}
}

// pace waits for this request's turn.
func (c *politeClient) pace(ctx context.Context) error {
	c.mu.Lock()
	now := time.Now()
	start := now
	if c.next.After(now) {
		start = c.next
	}
	c.next = start.Add(c.delay)
	c.mu.Unlock()
	return sleep(ctx, start.Sub(now))
}

// backOff waits as long as the site asks for, or longer each time, up to two
// minutes.
func (c *politeClient) backOff(ctx context.Context, answer recording.Response, try int) error {
	wait := time.Duration(1<<(try-1)) * 500 * time.Millisecond
	if values := answer.Headers["retry-after"]; len(values) > 0 {
		if asked, err := strconv.Atoi(values[0]); err == nil && asked >= 0 {
			wait = time.Duration(min(asked, 120)) * time.Second
		}
	}
	c.mu.Lock()
	c.delay = min(c.delay*2, 5*time.Second)
	c.mu.Unlock()
	return sleep(ctx, wait)
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
