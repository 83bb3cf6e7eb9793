package httpserver

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
)

// Listen opens an address. Errors begin with the setting's name.
func Listen(addr, setting string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--%s %s: %w. %s", setting, addr, err, AdviseListen(err))
	}
	return l, nil
}

// AdviseListen suggests what to do about an address that can't be opened.
func AdviseListen(err error) string {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return "Another program listens there: stop it or choose another port."
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "This machine has no such address."
	case errors.Is(err, syscall.EACCES):
		return "Ports below 1024 need privileges: choose another and let the web server pass requests on."
	}
	return "Choose another address."
}

// DialAddress converts an address to listen on into one to connect to.
func DialAddress(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return addr
	}
	ip := net.ParseIP(host)
	if host == "" || ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// IsLoopback says whether an address to listen on, or a Host header, names a loopback
// interface. The port may be missing.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
