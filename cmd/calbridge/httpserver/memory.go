package httpserver

import (
	"context"
	"crypto/tls"
	"net/http"
)

// NewRequest returns an anonymous GET of an address for a handler of this process.
func NewRequest(ctx context.Context, address string) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:0"
	if r.URL.Scheme == "https" {
		r.TLS = &tls.ConnectionState{}
	}
	r.URL.Scheme, r.URL.Host = "", ""
	return r, nil
}

// Memory is a http.ResponseWriter that stores a response, for requests to a handler of this process.
type Memory struct {
	header, sent http.Header
	status       int
	body         []byte
}

// NewMemory returns an empty Memory.
func NewMemory() *Memory { return &Memory{header: http.Header{}} }

// Header implements http.ResponseWriter.
func (m *Memory) Header() http.Header { return m.header }

// WriteHeader implements http.ResponseWriter.
func (m *Memory) WriteHeader(status int) {
	if m.status == 0 && status >= http.StatusOK {
		m.status, m.sent = status, m.header.Clone()
	}
}

// Write implements http.ResponseWriter.
func (m *Memory) Write(p []byte) (int, error) {
	m.WriteHeader(http.StatusOK)
	m.body = append(m.body, p...)
	return len(p), nil
}

// Response returns what was stored, once the handler has returned.
func (m *Memory) Response() (status int, header http.Header, body []byte) {
	m.WriteHeader(http.StatusOK) // of a handler that wrote nothing
	return m.status, m.sent, m.body
}
