package httpserver

import "testing"

func TestHosts(t *testing.T) {
	h := NewHosts("ops.internal:9464", []string{"calbridge", "Metrics.Example."}, "--ops-hosts")
	for host, want := range map[string]bool{
		"127.0.0.1:9464": true, "127.0.0.1": true, "[::1]:9464": true, "[::1]": true, "10.1.2.3:9464": true, "[fe80::1%25eth0]:9464": true,
		"localhost:9464": true, "LOCALHOST": true, "localhost.": true,
		"ops.internal:9464": true, "ops.internal": true,
		"calbridge:9464": true, "calbridge": true, "metrics.example:80": true,
		"": true, ":9464": false, "evil.example:9464": false, "127.0.0.1.evil.example": false, "localhost.evil.example": false,
		"xcalbridge": false, "calbridge.evil.example:9464": false, "127.1": false, "*": false,
	} {
		if h.Allow(host) != want {
			t.Errorf("%q: %t", host, !want)
		}
	}
	if h := NewHosts(":9464", nil, ""); h.Allow(":9464") || h.Allow("calbridge") || !h.Allow("10.0.0.1") {
		t.Error("a listener on all addresses")
	}
	if h := NewHosts(":9464", []string{"*"}, ""); h.Allow(":9464") || !h.Allow("calbridge") {
		t.Error("any name")
	}
}
