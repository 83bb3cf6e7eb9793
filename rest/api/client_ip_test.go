package api

import (
	"crypto/tls"
	"net/http"
	"net/netip"
	"testing"
)

// TestClientIP: forwarding headers count behind trusted proxies alone, from the right.
func TestClientIP(t *testing.T) {
	proxies := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	for _, c := range []struct {
		peer, forwarded, proto string
		addr                   string
		https                  bool
	}{
		{"192.0.2.9:5000", "203.0.113.1", "https", "192.0.2.9", false},
		{"127.0.0.1:5000", "203.0.113.1", "https", "203.0.113.1", true},
		{"127.0.0.1:5000", "198.51.100.7, 203.0.113.1", "", "203.0.113.1", false},
		{"127.0.0.1:5000", "203.0.113.1, 10.1.2.3", "HTTPS , http", "203.0.113.1", true},
		{"127.0.0.1:5000", "10.9.9.9, 10.1.2.3", "http", "10.9.9.9", false},
		{"127.0.0.1:5000", "1.2.3.4, nonsense, 10.1.2.3", "", "10.1.2.3", false},
		{"[::ffff:127.0.0.1]:5000", "::ffff:203.0.113.1", "", "203.0.113.1", false},
		{"@", "203.0.113.1", "https", "@", false},
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header{}}
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if c.proto != "" {
			r.Header.Set("X-Forwarded-Proto", c.proto)
		}
		if addr, https := ClientIP(r, proxies); addr != c.addr || https != c.https {
			t.Errorf("%+v: %s %v", c, addr, https)
		}
	}
	if _, https := ClientIP(&http.Request{RemoteAddr: "192.0.2.9:1", TLS: &tls.ConnectionState{}}, nil); !https {
		t.Error("a TLS connection is not HTTPS")
	}
}
