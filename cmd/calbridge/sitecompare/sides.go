package sitecompare

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"calbridge/cmd/calbridge/httpserver"
	"calbridge/compat/recording"
	"calbridge/rest/rollout"
)

// maxBody bounds an answer of WordPress, in bytes.
const maxBody = 16 << 20

// side answers requests: WordPress or calbridge.
type side interface {
	answer(ctx context.Context, r *request) (recording.Response, error)
}

// newHTTPRequest returns a request as a client of the site sends it.
func newHTTPRequest(ctx context.Context, r *request, scheme, host string) (*http.Request, error) {
	out, err := http.NewRequestWithContext(ctx, r.method, scheme+"://"+host+r.target, nil)
	if err != nil {
		return nil, err
	}
	out.Header.Set("Accept", "application/json")
	out.Header.Set("User-Agent", "calbridge check")
	for name, value := range r.headers {
		out.Header.Set(name, value)
	}
	if r.login != nil {
		out.SetBasicAuth(r.login.User, r.login.Password)
	}
	return out, nil
}

// wordPress is the side behind --upstream.
type wordPress struct {
	upstream     rollout.Upstream
	base         *url.URL
	scheme, host string // of the site
	transport    *http.Transport
}

func newWordPress(u rollout.Upstream, site *Site) (*wordPress, error) {
	base, err := url.Parse(u.URL)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("--upstream %q is not an address such as http://127.0.0.1:8081", u.URL)
	}
	w := &wordPress{upstream: u, base: base}
	w.scheme, w.host = site.origin()
	if u.Host != "" {
		w.host = u.Host
	}
	name := w.host
	if bare, _, err := net.SplitHostPort(name); err == nil {
		name = bare
	}
	w.transport = &http.Transport{
		DialContext:         (&net.Dialer{Timeout: 2 * time.Second}).DialContext,
		TLSClientConfig:     &tls.Config{ServerName: name, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: 2 * time.Second, MaxIdleConnsPerHost: atOnce, DisableCompression: true,
	}
	return w, nil
}

// answer sends a request to WordPress. Its errors are sentences for the user.
func (w *wordPress) answer(ctx context.Context, r *request) (recording.Response, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, w.upstream.Timeout, errSlow)
	defer cancel()
	out, err := newHTTPRequest(ctx, r, w.base.Scheme, w.base.Host)
	if err != nil {
		return recording.Response{}, err
	}
	// The path goes out byte for byte: the encoding of slugs matters to WordPress.
	path, query, asked := strings.Cut(r.target, "?")
	out.URL = &url.URL{Scheme: w.base.Scheme, Host: w.base.Host, Opaque: path, RawQuery: query, ForceQuery: asked}
	out.Host = w.host
	out.Header.Set(rollout.Marker, "1")
	out.Header.Set("X-Forwarded-Host", w.host)
	out.Header.Set("X-Forwarded-Proto", w.scheme)
	resp, err := w.transport.RoundTrip(out)
	if err != nil {
		return recording.Response{}, w.explain(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusLoopDetected {
		return recording.Response{}, errLoop
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return recording.Response{}, w.explain(ctx, err)
	}
	if len(body) > maxBody {
		return recording.Response{}, fmt.Errorf("its answer is longer than %d MiB", maxBody>>20)
	}
	return recording.Response{Status: resp.StatusCode, Headers: recording.HeadersOf(resp.Header), Body: string(body)}, nil
}

var (
	errSlow = errors.New("the response took too long")
	errLoop = errors.New("the address leads back to calbridge")
)

// explain turns an error into one that the user can act on.
func (w *wordPress) explain(ctx context.Context, err error) error {
	if context.Cause(ctx) == errSlow {
		return fmt.Errorf("no answer within %s (--upstream-timeout)", w.upstream.Timeout)
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return fmt.Errorf("it cannot be reached: %w", op.Err)
	}
	return err
}

func (w *wordPress) close() { w.transport.CloseIdleConnections() }

// calbridge is our handler in this process.
type calbridge struct {
	handler      http.Handler
	scheme, host string // of the site
}

// answer sends a request to our handler and returns the response.
func (c *calbridge) answer(ctx context.Context, r *request) (recording.Response, error) {
	in, err := newHTTPRequest(ctx, r, c.scheme, c.host)
	if err != nil {
		return recording.Response{}, err
	}
	in.RequestURI = r.target
	if c.scheme == "https" {
		in.TLS = &tls.ConnectionState{}
	}
	w := httpserver.NewMemory()
	c.handler.ServeHTTP(w, in)
	status, header, body := w.Response()
	return recording.Response{Status: status, Headers: recording.HeadersOf(header), Body: string(body)}, ctx.Err()
}
