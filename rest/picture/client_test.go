package picture

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestPublic(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.215.14": true, "1.1.1.1": true, "2606:4700::1111": true, "100.63.255.255": true, "100.128.0.1": true, "172.32.0.1": true, "192.0.1.1": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.1.2.3": false, "100.64.0.1": false, "100.127.255.255": false, "127.0.0.1": false, "127.255.0.9": false,
		"169.254.169.254": false, "172.16.0.1": false, "172.31.255.255": false, "192.0.0.8": false, "192.0.2.1": false, "192.88.99.1": false, "192.168.1.1": false,
		"198.18.0.1": false, "198.19.255.255": false, "198.51.100.7": false, "203.0.113.7": false, "224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"168.63.129.16": false,
		"::":            false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:1.1.1.1": true, "::127.0.0.1": false, "::1.1.1.1": false,
		"fe80::1": false, "fe80::1%eth0": false, "2606:4700::1111%eth0": false, "fec0::1": false, "fc00::1": false, "fd12::1": false, "fd00:ec2::254": false, "ff02::1": false,
		"64:ff9b::10.0.0.1": false, "64:ff9b::169.254.169.254": false, "64:ff9b::1.1.1.1": true, "64:ff9b:1::1.1.1.1": false,
		"2002:7f00:1::": false, "2002:a9fe:a9fe::": false, "2002:101:101::": true,
		"2001:0:101:101::f5ff:fffe": false, // Teredo whose client is 10.0.0.1
		"2001:0:101:101::fefe:fefe": true, "2001:0:7f00:1::fefe:fefe": false,
		"2606:4700::5efe:10.0.0.1": false, "2606:4700::200:5efe:10.0.0.1": false,
		"2001:db8::1": false, "3fff::1": false, "2001:2::1": false, "2620:4f:8000::1": false, "100::1": false, "4000::1": false, "5f00::1": false, "::ffff:0:127.0.0.1": false,
	} {
		if got := Public(netip.MustParseAddr(address)); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
	if Public(netip.Addr{}) {
		t.Error("no address is public")
	}
}

// network is the internet of the tests: names with addresses, and one server that
// answers at all public ones. Names may change their address with every question.
type network struct {
	t      *testing.T
	server *httptest.Server
	names  map[string][][]string
	asked  map[string]int
	dialed []string
}

func (n *network) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	answers := n.names[host]
	if answers == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	at := min(n.asked[host], len(answers)-1)
	n.asked[host]++
	var out []netip.Addr
	for _, a := range answers[at] {
		out = append(out, netip.MustParseAddr(a))
	}
	return out, nil
}

func (n *network) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	n.dialed = append(n.dialed, address)
	a, err := netip.ParseAddrPort(address)
	if err != nil || !Public(a.Addr()) {
		n.t.Errorf("connects to %s", address)
		return nil, errors.New("not reached")
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", n.server.Listener.Addr().String())
}

func newNetwork(t *testing.T, h http.HandlerFunc) (*network, *Client) {
	n := &network{t: t, server: httptest.NewServer(h), asked: map[string]int{}, names: map[string][][]string{
		"good.example":     {{"93.184.215.14"}},
		"loop.example":     {{"127.0.0.1"}},
		"mixed.example":    {{"93.184.215.14", "10.0.0.1"}},
		"meta.example":     {{"169.254.169.254"}},
		"six.example":      {{"fd00:ec2::254"}},
		"mapped.example":   {{"::ffff:192.168.0.1"}},
		"rebind.example":   {{"93.184.215.14"}, {"127.0.0.1"}},
		"nowhere.example":  {{}},
		"localhost":        {{"127.0.0.1"}},
		"2130706433":       {{"127.0.0.1"}},
		"0x7f000001":       {{"127.0.0.1"}},
		"xn--a.b.example.": {{"10.0.0.1"}},
	}}
	t.Cleanup(n.server.Close)
	return n, New(Config{Resolver: n, Dialer: n, MaxBytes: 100, Timeout: time.Minute, Agent: "calbridge/1.2.3"})
}

func TestRefusedAddresses(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	n, c := newNetwork(t, func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		if r.UserAgent() != "calbridge/1.2.3" {
			t.Errorf("user agent %q", r.UserAgent())
		}
		w.Header().Set("Content-Type", "Image/PNG; x=y")
		fmt.Fprint(w, "picture")
	})
	ctx := t.Context()
	if body, err := c.Get(ctx, "http://good.example/a.png"); err != nil || string(body) != "picture" {
		t.Fatalf("%q, %v", body, err)
	}
	if status, kind, err := c.Head(ctx, "http://good.example/?to=http%3A%2F%2Fgood.example%2Fb.png"); err != nil || status != 200 || kind != "image/png" {
		t.Fatalf("%d %s, %v", status, kind, err)
	}
	bad := []string{
		"ftp://good.example/a", "file:///etc/passwd", "gopher://good.example/", "//good.example/a", "good.example/a", "http:///a", "",
		"http://user:pw@good.example/", "http://good.example:8080/", "http://good.example:22/", "https://good.example:8443/", "http://good.example:0/",
		"http://127.0.0.1/", "http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/",
		"http://[fe80::1%25eth0]/", "http://0/", "http://0.0.0.0/", "http://[::]/", "http://localhost/", "http://2130706433/", "http://0x7f000001/", "http://127.1/", "http://017700000001/",
		"http://loop.example/", "http://mixed.example/", "http://meta.example/", "http://six.example/", "http://mapped.example/", "http://nowhere.example/", "http://unknown.example/",
		"http://xn--a.b.example./", "http://good.example/" + strings.Repeat("a", 3000),
	}
	for _, u := range bad {
		if _, err := c.Get(ctx, u); err == nil {
			t.Errorf("%q is fetched", u)
		}
		if u == "" || strings.Contains(u, "aaaa") {
			continue
		}
		to := "http://good.example/?to=" + strings.NewReplacer(":", "%3A", "/", "%2F", "%", "%25", "@", "%40").Replace(u)
		if u == "//good.example/a" || u == "good.example/a" {
			continue // relative: fine after a redirect
		}
		if _, _, err := c.Head(ctx, to); err == nil {
			t.Errorf("a redirect to %q is followed", u)
		}
	}
	// The name's address has changed between the first request and the redirect.
	if _, err := c.Get(ctx, "http://rebind.example/?to=http%3A%2F%2Frebind.example%2Fx"); !errors.Is(err, ErrRefused) {
		t.Errorf("rebinding: %v", err)
	}
	for _, a := range n.dialed {
		if a != "93.184.215.14:80" {
			t.Errorf("connected to %s", a)
		}
	}
}

func TestRedirectsAndSizes(t *testing.T) {
	var hops atomic.Int32
	_, c := newNetwork(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/hop":
			hops.Add(1)
			var n int
			fmt.Sscan(r.URL.RawQuery, &n)
			if n > 0 {
				http.Redirect(w, r, fmt.Sprintf("/hop?%d", n-1), http.StatusMovedPermanently)
			}
		case "/long":
			w.Write(make([]byte, 101))
		case "/endless":
			for {
				if _, err := w.Write(make([]byte, 64)); err != nil {
					return
				}
				w.(http.Flusher).Flush()
			}
		case "/exact":
			w.Write(make([]byte, 100))
		case "/slow":
			<-r.Context().Done()
		default:
			w.Header().Set("Set-Cookie", "a=b")
			w.WriteHeader(http.StatusNotFound)
		}
	})
	ctx := t.Context()
	if _, err := c.Get(ctx, "http://good.example/hop?3"); err != nil {
		t.Errorf("three redirects: %v", err)
	}
	hops.Store(0)
	if _, err := c.Get(ctx, "http://good.example/hop?30"); !errors.Is(err, ErrRefused) || hops.Load() != 4 {
		t.Errorf("many redirects: %v after %d", err, hops.Load())
	}
	for _, path := range []string{"long", "endless"} {
		if _, err := c.Get(ctx, "http://good.example/"+path); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if body, err := c.Get(ctx, "http://good.example/exact"); err != nil || len(body) != 100 {
		t.Errorf("as large as allowed: %v", err)
	}
	if _, err := c.Get(ctx, "http://good.example/missing"); err == nil {
		t.Error("404 is no error")
	}
	c.cfg.Timeout = 50 * time.Millisecond
	if _, err := c.Get(ctx, "http://good.example/slow"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("slow: %v", err)
	}
}
