package sitecheck

import (
	"net/netip"
	"testing"

	"calbridge/cmd/calbridge/settings"
)

func TestProxyFinding(t *testing.T) {
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	proxy := append([]netip.Prefix{netip.MustParsePrefix("172.16.0.0/12")}, loopback...)
	for _, c := range []struct {
		listen settings.Listen
		warns  bool
	}{
		{settings.Listen{API: "127.0.0.1:8080", TrustedProxies: loopback}, false},
		{settings.Listen{API: "localhost:8080", TrustedProxies: loopback}, false},
		{settings.Listen{API: ":8080", TrustedProxies: loopback}, true},
		{settings.Listen{API: "[::]:8080"}, true},
		{settings.Listen{API: "192.0.2.1:8080", TrustedProxies: loopback}, true},
		{settings.Listen{API: ":8080", TrustedProxies: proxy}, false},
		{settings.Listen{API: ":443", TrustedProxies: loopback, TLSCert: "cert.pem"}, false},
	} {
		if got := proxyFinding(&c.listen); (len(got) > 0) != c.warns {
			t.Errorf("%+v: %v", c.listen, got)
		}
	}
}
