package rollout

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

// Marker is a header of every request to WordPress. A request that arrives here with it is
// in a loop.
const Marker = "X-Calbridge-Forwarded"

// Upstream configures where WordPress answers.
type Upstream struct {
	// URL has scheme, host and port; it must lead to PHP, not back to calbridge.
	URL string
	// Host is the Host header and TLS server name where URL is a bare address; "" means
	// the client's.
	Host string
	// Timeout bounds the time to the first byte.
	Timeout time.Duration
}

// Times besides Upstream.Timeout.
const (
	dialTimeout = 2 * time.Second
	// bodyTime is the time from the first byte of a response to the last.
	bodyTime = 30 * time.Second
)

// errFailed is a response with status 500 and above.
var errFailed = errors.New("WordPress failed")

// upstream is WordPress behind a connection pool.
type upstream struct {
	url       *url.URL
	host      string
	timeout   time.Duration
	transport *http.Transport
	errors    *log.Logger // of the proxy
	// client returns a request's client IP and whether it came over HTTPS.
	client func(*http.Request) (addr string, https bool)
}

// Check returns an error if the address has more or less than scheme, host and port.
func (o *Upstream) Check() error {
	_, err := o.target()
	return err
}

func (o *Upstream) target() (*url.URL, error) {
	target, err := url.Parse(o.URL)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" || target.Host == "" ||
		strings.Trim(target.Path, "/") != "" || target.RawQuery != "" || target.User != nil {
		return nil, fmt.Errorf("%q: give scheme, host and port only, such as http://127.0.0.1:8081", o.URL)
	}
	return target, nil
}

func newUpstream(o *Upstream, client func(*http.Request) (string, bool), logger *slog.Logger) (*upstream, error) {
	target, err := o.target()
	if err != nil {
		return nil, err
	}
	u := &upstream{url: target, host: o.Host, timeout: o.Timeout, client: client}
	u.transport = &http.Transport{
		DialContext:           (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSClientConfig:       &tls.Config{ServerName: hostName(o.Host)},
		TLSHandshakeTimeout:   dialTimeout,
		ResponseHeaderTimeout: o.Timeout,
		ExpectContinueTimeout: time.Second,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   64,
		IdleConnTimeout:       30 * time.Second,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true, // the client negotiates with WordPress
	}
	u.errors = slog.NewLogLogger(logger.Handler(), slog.LevelDebug)
	return u, nil
}

func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}

// direct rewrites a client's request for WordPress.
func (u *upstream) direct(out, in *http.Request) {
	addr, https := u.client(in)
	out.URL = u.target(in)
	out.Host = in.Host
	if u.host != "" {
		out.Host = u.host
	}
	h := out.Header
	h.Set(Marker, "1")
	h.Set("X-Forwarded-For", addr)
	h.Set("X-Forwarded-Host", in.Host)
	h.Set("X-Forwarded-Proto", "http")
	if https {
		h.Set("X-Forwarded-Proto", "https")
	}
	h.Del("Forwarded")
	h.Del("X-Real-Ip")
	h.Del("Connection")
	h.Del("Upgrade")
	if _, sent := h["User-Agent"]; !sent {
		h.Set("User-Agent", "") // suppress that of net/http
	}
	// The comparison can only decode gzip.
	if strings.Contains(h.Get("Accept-Encoding"), "gzip") {
		h.Set("Accept-Encoding", "gzip")
	} else {
		h.Del("Accept-Encoding")
	}
}

// target returns the URL of WordPress with the path and query of the client, byte for byte: the
// encoding of slashes matters to WordPress.
func (u *upstream) target(in *http.Request) *url.URL {
	out := &url.URL{Scheme: u.url.Scheme, Host: u.url.Host}
	if strings.HasPrefix(in.RequestURI, "/") && !strings.HasPrefix(in.RequestURI, "//") {
		path, query, asked := strings.Cut(in.RequestURI, "?")
		out.Opaque, out.RawQuery, out.ForceQuery = path, query, asked
		return out
	}
	out.Path, out.RawPath, out.RawQuery, out.ForceQuery = in.URL.Path, in.URL.RawPath, in.URL.RawQuery, in.URL.ForceQuery
	return out
}

// forward sends a request to WordPress and the response to the client. If it returns an error,
// nothing has been written. A response that is cut off ends in the panic with which net/http closes
// the client's connection. spare reports that there is a fallback, so that a failure of WordPress
// must not reach the client.
func (u *upstream) forward(w http.ResponseWriter, r *http.Request, spare bool) (failed error) {
	ctx, cancel := context.WithTimeout(r.Context(), u.timeout+bodyTime)
	defer cancel()
	proxy := httputil.ReverseProxy{
		Rewrite:   func(p *httputil.ProxyRequest) { u.direct(p.Out, p.In) },
		Transport: u.transport,
		ModifyResponse: func(resp *http.Response) error {
			if spare && resp.StatusCode >= http.StatusInternalServerError {
				return errFailed
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) { failed = err },
		ErrorLog:     u.errors,
	}
	proxy.ServeHTTP(w, r.WithContext(ctx))
	return failed
}

// get repeats a GET. WordPress takes it for one of the client, unless another address is given. A
// response larger than limit is errTooLarge.
func (u *upstream) get(ctx context.Context, in *http.Request, from string, limit int64) (*Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, u.timeout)
	defer cancel()
	out := in.Clone(ctx)
	out.RequestURI, out.Body, out.Close = "", nil, false
	removeHopByHop(out.Header)
	u.direct(out, in)
	if from != "" {
		out.Header.Set("X-Forwarded-For", from)
	}
	begin := time.Now()
	resp, err := u.transport.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(body)) > limit {
		return nil, errTooLarge
	}
	removeHopByHop(resp.Header)
	return &Answer{Status: resp.StatusCode, Header: resp.Header, Body: body, Took: time.Since(begin)}, nil
}

// removeHopByHop removes the headers of a single connection (RFC 9110, section 7.6.1).
func removeHopByHop(h http.Header) {
	for _, line := range h.Values("Connection") {
		for name := range strings.SplitSeq(line, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade"} {
		h.Del(name)
	}
}

func (u *upstream) close() { u.transport.CloseIdleConnections() }
