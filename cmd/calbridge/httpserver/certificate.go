package httpserver

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"sync/atomic"
	"time"
)

// Certificate is the pair of files with which the API listener speaks TLS.
type Certificate struct {
	current atomic.Pointer[tls.Certificate]
	expires func(time.Time)
}

// NewCertificate returns a Certificate without files. expires is called with the
// end of each certificate that is put to use; it may be nil.
func NewCertificate(expires func(time.Time)) *Certificate { return &Certificate{expires: expires} }

// Load reads a pair of files and returns what puts it to use. Without files it
// does nothing.
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
	leaf := pair.Leaf
	if leaf == nil {
		if leaf, err = x509.ParseCertificate(pair.Certificate[0]); err != nil {
			return nil, fmt.Errorf("--tls-cert: %w", err)
		}
	}
	return func() {
		c.current.Store(&pair)
		if c.expires != nil {
			c.expires(leaf.NotAfter)
		}
	}, nil
}

// config returns how to speak TLS, nil for not at all.
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
