package httpserver

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"strconv"
)

// net/http sends an answer that does not fit into its buffer of 4 KiB in two pieces
// or more, each by a system call of its own, which is a fifth of what a single event
// from memory costs. wholeAnswers is a listener whose connections hold the first
// piece back and send it with the second.
type wholeAnswers struct{ net.Listener }

// Accept implements net.Listener.
func (l wholeAnswers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		return &wholeConn{TCPConn: tcp}, nil
	}
	return c, err
}

// wholeConn is one of its connections. One goroutine writes to it.
type wholeConn struct {
	*net.TCPConn
	// begins: the next thing that is written is the head of an answer.
	begins bool
	first  []byte // piece that is held back
}

type wholeConnKey struct{}

// inContext is for http.Server.ConnContext.
func inContext(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, wholeConnKey{}, c)
}

// sendWhole marks on the connection of each request that an answer begins.
func sendWhole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(wholeConnKey{}).(*wholeConn); ok {
			c.begins = true
		}
		next.ServeHTTP(w, r)
	})
}

// Write implements net.Conn.
func (c *wholeConn) Write(p []byte) (int, error) {
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

// partial says that more of the body is sure to follow: what is written has a whole
// head and a part of the body. The answer to HEAD is a head alone.
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
