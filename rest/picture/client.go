package picture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
)

var (
	// ErrRefused is returned for a URL that leads to a forbidden target: another scheme or port, an
	// address that is not public, or too many redirects.
	ErrRefused = errors.New("address refused")
	// ErrTooLarge is returned for a file that is larger than allowed.
	ErrTooLarge = errors.New("file too large")
)

// Resolver finds the addresses of a name; network is "ip". [net.Resolver] is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dialer connects to an address, host:port, whose host is always an IP address.
// [net.Dialer] is one.
type Dialer interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// Config holds a Client's limits. Zero values take the defaults.
type Config struct {
	Resolver Resolver      // default: the system's
	Dialer   Dialer        // default: the system's
	MaxBytes int64         // largest body, default 10 MiB
	Timeout  time.Duration // of one call with all its redirects, default 5 s
	Agent    string        // User-Agent, default "calbridge"
}

const (
	maxRedirects    = 3
	maxURL          = 2048
	maxHeaders      = 64 << 10
	maxConcurrent   = 4 // calls at a time; others wait
	defaultMaxBytes = 10 << 20
	defaultTimeout  = 5 * time.Second
)

// Client fetches. It is safe for concurrent use.
type Client struct {
	cfg     Config
	http    *http.Client
	running chan struct{}
}

// New returns a Client.
func New(cfg Config) *Client {
	if cfg.Resolver == nil {
		cfg.Resolver = net.DefaultResolver
	}
	if cfg.Dialer == nil {
		cfg.Dialer = &net.Dialer{}
	}
	cfg.MaxBytes = cmp.Or(cfg.MaxBytes, defaultMaxBytes)
	cfg.Timeout = cmp.Or(cfg.Timeout, defaultTimeout)
	c := &Client{cfg: cfg, running: make(chan struct{}, maxConcurrent)}
	c.http = &http.Client{
		Transport: &http.Transport{
			Proxy: nil, DialContext: c.dial, DisableKeepAlives: true, DisableCompression: true,
			MaxResponseHeaderBytes: maxHeaders, ForceAttemptHTTP2: false,
		},
		CheckRedirect: func(r *http.Request, via []*http.Request) error {
			if len(via) > maxRedirects {
				return fmt.Errorf("%w: more than %d redirects", ErrRefused, maxRedirects)
			}
			r.Header.Del("Referer")
			return check(r.URL)
		},
	}
	return c
}

// Head requests a URL's headers, following redirects. It returns the status and the media type of
// the response in lower case, without parameters.
func (c *Client) Head(ctx context.Context, address string) (status int, mediaType string, err error) {
	err = c.do(ctx, http.MethodHead, address, func(r *http.Response) error {
		status = r.StatusCode
		mediaType, _, _ = strings.Cut(r.Header.Get("Content-Type"), ";")
		mediaType = strings.ToLower(strings.TrimSpace(mediaType))
		return nil
	})
	return status, mediaType, err
}

// Get returns the body of a URL's response with status 200, following redirects.
func (c *Client) Get(ctx context.Context, address string) (body []byte, err error) {
	err = c.do(ctx, http.MethodGet, address, func(r *http.Response) error {
		if r.StatusCode != http.StatusOK {
			return fmt.Errorf("answer %d", r.StatusCode)
		}
		if r.ContentLength > c.cfg.MaxBytes {
			return ErrTooLarge
		}
		body, err = io.ReadAll(io.LimitReader(r.Body, c.cfg.MaxBytes+1))
		if err == nil && int64(len(body)) > c.cfg.MaxBytes {
			body, err = nil, ErrTooLarge
		}
		return err
	})
	return body, err
}

func (c *Client) do(ctx context.Context, method, address string, read func(*http.Response) error) error {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	select {
	case c.running <- struct{}{}:
		defer func() { <-c.running }()
	case <-ctx.Done():
		return fmt.Errorf("wait to fetch: %w", ctx.Err())
	}
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err := check(r.URL); err != nil {
		return err
	}
	r.Header.Set("User-Agent", cmp.Or(c.cfg.Agent, "calbridge"))
	r.Header.Set("Accept", "image/*")
	answer, err := c.http.Do(r)
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer answer.Body.Close()
	if err := read(answer); err != nil {
		return fmt.Errorf("fetch %s: %w", r.URL.Host, err)
	}
	return nil
}

// check looks at a URL, the first one and each that it redirects to.
func check(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%w: only http and https", ErrRefused)
	case u.User != nil:
		return fmt.Errorf("%w: credentials in the URL", ErrRefused)
	case u.Hostname() == "" || len(u.String()) > maxURL:
		return fmt.Errorf("%w: no host, or too long", ErrRefused)
	case !slices.Contains([]string{"", "80", "443"}, u.Port()):
		return fmt.Errorf("%w: port %q", ErrRefused, u.Port())
	}
	return nil
}

// dial resolves the name once and connects to the addresses found, so that the checked address is
// the one that is connected to. One address that is not public refuses the name.
func (c *Client) dial(ctx context.Context, _, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	addrs, err := c.resolve(ctx, host)
	if err != nil {
		return nil, fmt.Errorf("resolve %s: %w", host, err)
	}
	for _, a := range addrs {
		if !Public(a) {
			return nil, fmt.Errorf("%w: %s is not public", ErrRefused, host)
		}
	}
	failed := fmt.Errorf("%s has no address", host)
	for _, a := range addrs {
		conn, err := c.cfg.Dialer.DialContext(ctx, "tcp", net.JoinHostPort(a.Unmap().String(), port))
		if err == nil {
			return conn, nil
		}
		failed = err
	}
	return nil, failed
}

func (c *Client) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	return c.cfg.Resolver.LookupNetIP(ctx, "ip", host)
}
