package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"syscall"
	"time"
)

// Bounds of a delivery.
const (
	// Timeout is that of a delivery, until the response is read.
	Timeout = 15 * time.Second
	maxRead = 64 << 10 // of a response, which is dropped
)

// result is the outcome of a delivery.
type result struct {
	accepted bool
	// gone reports that the target wants no deliveries any more (410).
	gone  bool
	asked time.Duration // Retry-After
	err   error         // why it was not accepted
}

// statusError is a status other than 2xx.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("status %d", int(e)) }

// poster sends deliveries.
type poster struct {
	public, private *http.Client
	agent           string
}

func newPoster(agent string, timeout time.Duration) *poster {
	return &poster{public: newClient(timeout, refusePrivate), private: newClient(timeout, nil), agent: agent}
}

// newClient returns a client that follows no redirection and uses no proxy. check is called with each
// address before it is connected to, after names were looked up.
func newClient(timeout time.Duration, check func(network, address string, _ syscall.RawConn) error) *http.Client {
	dialer := &net.Dialer{Timeout: 5 * time.Second, Control: check}
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSHandshakeTimeout: 5 * time.Second, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 2, IdleConnTimeout: time.Minute, MaxResponseHeaderBytes: 64 << 10,
		},
	}
}

// errPrivate is returned for addresses that a target may not have.
var errPrivate = errors.New(`the address belongs to a private network or to this machine; permit it by "private": true`)

// shared are networks that are reachable only from inside, besides those of package netip:
// carriers' networks, and addresses of IPv4 inside of IPv6.
var shared = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("64:ff9b::/96"), netip.MustParsePrefix("64:ff9b:1::/48"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("2001::/32"),
}

// refusePrivate refuses addresses that aren't public.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !public(at.Addr()) {
		return errPrivate
	}
	return nil
}

// public reports whether an address is one of the public Internet.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.Zone() != "" {
		return false
	}
	for _, network := range shared {
		if network.Contains(a) {
			return false
		}
	}
	return true
}

// post delivers a body to a target.
func (p *poster) post(ctx context.Context, t *Target, id string, at time.Time, body []byte) result {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL, bytes.NewReader(body))
	if err != nil {
		return result{err: err}
	}
	req.Header.Set("Content-Type", t.Format.contentType())
	req.Header.Set("User-Agent", p.agent)
	req.Header.Set("Webhook-Id", id)
	req.Header.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	req.Header.Set("Webhook-Signature", sign(t.secret, id, at, body))
	client := p.public
	if t.Private {
		client = p.private
	}
	resp, err := client.Do(req)
	if err != nil {
		return result{err: err}
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxRead))
	r := result{accepted: resp.StatusCode/100 == 2, gone: resp.StatusCode == http.StatusGone}
	if !r.accepted {
		r.err = statusError(resp.StatusCode)
		if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds > 0 {
			r.asked = min(time.Duration(min(seconds, 1<<20))*time.Second, maxAsked)
		}
	}
	return r
}
