package sitecheck

import (
	"net/netip"
	"testing"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/api"
	"calbridge/rest/rollout"
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

// TestExtensions: there are no routes of calbridge's own where each answer is the reference's,
// nor where WordPress has to be seen to show the same; the check says so.
func TestExtensions(t *testing.T) {
	for _, c := range []struct {
		mode     rollout.Mode
		compat   api.Compat
		asked    bool
		extended bool
	}{
		{rollout.Native, api.Safe, true, true},
		{rollout.Proxy, api.Fixed, true, true},
		{rollout.Native, api.Safe, false, false},
		{rollout.Native, api.Exact, true, false},
		{rollout.Auto, api.Safe, true, false},
		{rollout.Auto, api.Safe, false, false},
	} {
		s := &settings.Settings{}
		s.API.Extensions, s.API.Compat, s.Rollout.Plan.Mode = c.asked, c.compat, c.mode
		if got := s.Extends(); got != c.extended {
			t.Errorf("%+v: extended %v", c, got)
		}
		if warns := len(extensionsFinding(s)) > 0; warns != (c.asked && !c.extended) {
			t.Errorf("%+v: warns %v", c, warns)
		}
	}
}
