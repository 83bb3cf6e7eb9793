package httpserver

import (
	"strings"
	"testing"
)

func TestListen(t *testing.T) {
	l, err := Listen("127.0.0.1:0", "listen")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for addr, want := range map[string]string{
		l.Addr().String(): "Another program listens there",
		"192.0.2.1:0":     "This machine has no such address", // reserved for documentation, RFC 5737
		"127.0.0.1:x":     "Choose another address",
	} {
		_, err := Listen(addr, "ops-listen")
		if err == nil || !strings.HasPrefix(err.Error(), "--ops-listen "+addr+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

func TestDialAddress(t *testing.T) {
	for addr, want := range map[string]string{
		":80": "127.0.0.1:80", "0.0.0.0:80": "127.0.0.1:80", "[::]:80": "127.0.0.1:80",
		"192.0.2.1:80": "192.0.2.1:80", "[::1]:80": "[::1]:80", "host:http": "host:http", "no port": "no port",
	} {
		if got := DialAddress(addr); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
}
