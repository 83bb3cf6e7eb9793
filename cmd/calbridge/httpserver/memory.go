package httpserver

import "net/http"

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
