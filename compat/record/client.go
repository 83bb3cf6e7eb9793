package record

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"calbridge/compat/recording"
	"calbridge/compat/replay"
)

// politeClient sends requests to a site in use: at a limited rate, with a descriptive
// User-Agent, and waiting when the site asks for it.
type politeClient struct {
	endpoint     replay.Endpoint
	host, scheme string
	agent        string // identifies the recorder to the site
	timeout      time.Duration
	logins       map[string]string
	idle         chan *replay.Conn
	sent         atomic.Int64
	answered     atomic.Bool

	mu    sync.Mutex
	delay time.Duration
	next  time.Time // the earliest start of the next request
}

// maxTries limits the attempts at one request while the site is busy.
const maxTries = 5

func newPoliteClient(o Options, site *url.URL) (*politeClient, error) {
	e, err := replay.ParseTarget(site.Scheme + "://" + site.Host)
	if err != nil {
		return nil, fmt.Errorf("site %q is not a URL such as https://town.example", o.URL)
	}
	c := &politeClient{endpoint: e, host: site.Host, scheme: site.Scheme, agent: cmp.Or(o.Agent, "calbridge-record") + " (records the public calendar API, for comparison)", timeout: o.Timeout,
		logins: o.logins(), delay: max(o.Delay, 0), idle: make(chan *replay.Conn, o.Concurrency)}
	if o.Host != "" {
		if c.scheme, c.host, err = replay.ParseHost(o.Host, site.Scheme); err != nil {
			return nil, err
		}
		if e.TLS != nil {
			name, _, _ := strings.Cut(c.host, ":")
			e.TLS.ServerName = name
		}
	}
	for range o.Concurrency {
		c.idle <- &replay.Conn{Endpoint: e, Timeout: o.Timeout}
	}
	return c, nil
}

func (c *politeClient) close() {
	for range cap(c.idle) {
		(<-c.idle).Close()
	}
}

// ask sends a request as a login. If the site responds that it is busy, ask retries
// later and slows down all later requests.
func (c *politeClient) ask(ctx context.Context, as string, r recording.Request) (recording.Response, time.Duration, error) {
	authorization := ""
	if as != recording.Anonymous {
		authorization = recording.BasicAuthorization(as, c.logins[as])
	}
	headers := map[string]string{"User-Agent": c.agent}
	maps.Copy(headers, r.Headers)
	r.Headers = headers
	raw, err := replay.RequestBytes(r, c.host, c.scheme, authorization)
	if err != nil {
		return recording.Response{}, 0, err
	}
	var w *replay.Conn
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
		busy := err == nil && slices.Contains([]int{http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout}, answer.Status)
		if (err == nil && !busy) || ctx.Err() != nil || (err != nil && r.Body != nil) {
			return answer, took, errors.Join(err, ctx.Err())
		}
		var unreachable *replay.UnreachableError
		if errors.As(err, &unreachable) && !c.answered.Load() {
			return answer, took, err // most likely the address is wrong
		}
		if try == maxTries {
			if err == nil {
				err = fmt.Errorf("the site is busy: status %d to %s %s, %d times", answer.Status, r.Method, r.Path, try)
			}
			return answer, took, fmt.Errorf("%w; run it again later to continue", err)
		}
		if err := c.backOff(ctx, answer, try); err != nil {
			return recording.Response{}, 0, err
		}
	}
}

// pace waits for this request's turn.
func (c *politeClient) pace(ctx context.Context) error {
	c.mu.Lock()
	wait := max(time.Until(c.next), 0)
	c.next = time.Now().Add(wait + c.delay)
	c.mu.Unlock()
	return sleep(ctx, wait)
}

// backOff waits as long as the site demands, or otherwise longer each time, up to two
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
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
