package httpserver

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
)

// Listen opens an address. Its errors are a [*ListenError].
func Listen(addr, setting string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, &ListenError{setting, addr, err}
	}
	return l, nil
}

// ListenError explains why an address can't be opened.
type ListenError struct {
	Setting, Addr string
	Err           error
}

func (e *ListenError) Error() string { return e.Problem() + ". " + e.Advice() }
func (e *ListenError) Unwrap() error { return e.Err }

// Problem returns what is wrong, beginning with the setting's name.
func (e *ListenError) Problem() string { return fmt.Sprintf("--%s %s: %v", e.Setting, e.Addr, e.Err) }

// Advice returns what to do about it.
func (e *ListenError) Advice() string {
	switch err := e.Err; {
	case errors.Is(err, syscall.EADDRINUSE):
		return "Another program listens there: stop it or pass another port."
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "This machine has no such address: use one of its own, or :PORT for all."
	case errors.Is(err, syscall.EACCES):
		return "Ports below 1024 need privileges: choose another port and let the web server forward requests to it."
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

// IsLoopback reports whether an address to listen on, or a Host header, names a loopback
// interface. The port may be missing.
func IsLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
