package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// certificate is the pair of files with which the API listener speaks TLS.
type certificate struct {
	current atomic.Pointer[tls.Certificate]
	expires func(time.Time) // told of each certificate in use
}

// load reads a pair of files and returns what puts it to use. Without files it
// does nothing.
func (c *certificate) load(certFile, keyFile string) (use func(), err error) {
	if certFile == "" && keyFile == "" {
		return func() {}, nil
	}
	if certFile == "" || keyFile == "" {
		return nil, errors.New("--tls-cert and --tls-key belong together: one of them is missing")
	}
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert, --tls-key: %w", trimPathError(err))
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
func (c *certificate) config() *tls.Config {
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
