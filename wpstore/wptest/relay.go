package wptest

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Relay is an address that leads to one server or another, like a virtual address or a
// proxy. Connections stay with their server until they end.
type Relay struct {
	Addr string
	// Made counts the connections to the relay.
	Made     atomic.Int64
	target   atomic.Value // a string
	listener net.Listener
	mu       sync.Mutex
	open     map[net.Conn]bool
	before   func(sent []byte)
}

// StartRelay opens a relay to a server.
func StartRelay(t testing.TB, to *Node) *Relay {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &Relay{Addr: l.Addr().String(), listener: l, open: map[net.Conn]bool{}}
	r.PointTo(to)
	go r.serve()
	t.Cleanup(func() { l.Close(); r.Cut() })
	return r
}

// PointTo directs new connections to another server.
func (r *Relay) PointTo(n *Node) { r.target.Store(n.Addr()) }

// Before calls f with what clients of new connections send, before the server gets it.
func (r *Relay) Before(f func(sent []byte)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.before = f
}

// Cut ends all connections.
func (r *Relay) Cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.open {
		c.Close()
	}
}

// DSN returns [Node.DSN] through the relay.
func (r *Relay) DSN(database string) string { return nodeDSN(r.Addr, database) }

func (r *Relay) serve() {
	for {
		in, err := r.listener.Accept()
		if err != nil {
			return
		}
		r.Made.Add(1)
		out, err := net.Dial("tcp", r.target.Load().(string))
		if err != nil {
			in.Close()
			continue
		}
		r.mu.Lock()
		r.open[in], r.open[out] = true, true
		sent := io.Reader(in)
		if r.before != nil {
			sent = watched{in, r.before}
		}
		r.mu.Unlock()
		go r.carry(in, out, out)
		go r.carry(out, in, sent)
	}
}

// carry copies until one connection ends, and then ends both.
func (r *Relay) carry(to, from net.Conn, read io.Reader) {
	_, _ = io.Copy(to, read)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range []net.Conn{to, from} {
		c.Close()
		delete(r.open, c)
	}
}

// watched is a reader that passes what is read to before.
type watched struct {
	io.Reader
	before func([]byte)
}

// Read implements io.Reader.
func (w watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	w.before(p[:n])
	return n, err
}
