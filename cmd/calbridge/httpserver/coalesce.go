package httpserver

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
)

// coalescingListener saves system calls. net/http writes a response that exceeds its buffer of
// 4 KiB in two or more pieces, and each system call is a fifth of the cost of a cached single
// event. The connections hold the first piece back and send it with the second.
type coalescingListener struct{ net.Listener }

// Accept implements net.Listener.
func (l coalescingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		return &coalescingConn{TCPConn: tcp}, nil
	}
	return c, err
}

// coalescingConn is a connection of a coalescingListener. Only one goroutine writes to it.
type coalescingConn struct {
	*net.TCPConn
	begins bool   // the next write begins a response
	first  []byte // the piece that is held back
}

type connKey struct{}

// withConn stores the connection in the context. It is for http.Server.ConnContext.
func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// markAnswers marks the beginning of each response on its connection.
func markAnswers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*coalescingConn); ok {
			c.begins = true
		}
		next.ServeHTTP(w, r)
	})
}

// Write implements net.Conn.
func (c *coalescingConn) Write(p []byte) (int, error) {
	if len(c.first) > 0 {
		pieces := net.Buffers{c.first, p}
		sent, err := pieces.WriteTo(c.TCPConn)
		n := max(0, int(sent)-len(c.first))
		c.first = c.first[:0]
		return n, err
	}
	begins := c.begins
	c.begins = false
	if begins && partial(p) {
		c.first = append(c.first, p...)
		return len(p), nil
	}
	return c.TCPConn.Write(p)
}

// ReadFrom implements io.ReaderFrom, which net/http uses for the rest of a body that a handler
// copies. It first writes the piece that is held back.
func (c *coalescingConn) ReadFrom(r io.Reader) (int64, error) {
	c.begins = false
	if len(c.first) > 0 {
		_, err := c.TCPConn.Write(c.first)
		c.first = c.first[:0]
		if err != nil {
			return 0, err
		}
	}
	return c.TCPConn.ReadFrom(r)
}

// partial reports whether more of the body is certain to follow: p has a complete head and a
// part of the body. A response to HEAD has no body.
func partial(p []byte) bool {
	head, body, found := bytes.Cut(p, []byte("\r\n\r\n"))
	if !found || len(body) == 0 {
		return false
	}
	_, value, found := bytes.Cut(head, []byte("\r\nContent-Length: "))
	if !found {
		return false
	}
	digits, _, _ := bytes.Cut(value, []byte("\r\n"))
	n, err := strconv.Atoi(string(digits))
	return err == nil && n > len(body)
}
