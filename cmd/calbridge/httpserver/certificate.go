package httpserver

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"
)

// Certificate is a TLS certificate that can be replaced.
type Certificate struct {
	current atomic.Pointer[tls.Certificate]
	expires func(time.Time)
}

// NewCertificate returns an empty Certificate. It calls expires, unless it is nil, with the
// expiry time of each certificate that comes into use.
func NewCertificate(expires func(time.Time)) *Certificate { return &Certificate{expires: expires} }

// Load reads a certificate and its key, and returns a function that puts them into use.
// Without files it does nothing.
func (c *Certificate) Load(certFile, keyFile string) (use func(), err error) {
	if certFile == "" && keyFile == "" {
		return func() {}, nil
	}
	if certFile == "" || keyFile == "" {
		return nil, errors.New("--tls-cert and --tls-key belong together: one of them is missing")
	}
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	var file *fs.PathError
	if errors.As(err, &file) {
		return nil, fmt.Errorf("--tls-cert, --tls-key: cannot read %s: %w", file.Path, file.Err)
	}
	if err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", err)
	}
	return func() {
		c.current.Store(&pair)
		if c.expires != nil {
			c.expires(pair.Leaf.NotAfter)
		}
	}, nil
}

// config returns the TLS configuration, or nil for plain HTTP.
func (c *Certificate) config() *tls.Config {
	if c.current.Load() == nil {
		return nil
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.current.Load(), nil
		},
	}
}
