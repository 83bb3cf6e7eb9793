package httpserver

import (
	chain "container/list"
	"net"
	"net/http"
	"sync"
)

// connLimit bounds the connections that are open at a time. One too many closes
// the connection that has been idle for longest, so that clients who hold
// connections do not keep others out; if none is idle, the one that has been
// silent for longest since it was opened; if all have requests under way, itself.
type connLimit struct {
	most     int
	rejected func()

	mu    sync.Mutex
	conns map[net.Conn]*chain.Element // nil element: a request is under way
	idle  *chain.List                 // after a request, oldest first
	fresh *chain.List                 // before the first request, oldest first
}

func newConnLimit(most int, rejected func()) *connLimit {
	return &connLimit{most: most, rejected: rejected, conns: map[net.Conn]*chain.Element{}, idle: chain.New(), fresh: chain.New()}
}

// observe fits http.Server.ConnState.
func (l *connLimit) observe(conn net.Conn, state http.ConnState) {
	if victim := l.note(conn, state); victim != nil {
		l.rejected()
		victim.Close()
	}
}

// note keeps the books and returns a connection to close, if there is one too many.
func (l *connLimit) note(conn net.Conn, state http.ConnState) (victim net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch state {
	case http.StateNew:
		if len(l.conns) >= l.most {
			victim = l.victim(conn)
			if victim == conn {
				return victim
			}
		}
		l.conns[conn] = l.fresh.PushBack(conn)
	case http.StateIdle:
		if _, ok := l.conns[conn]; ok {
			l.unlist(conn)
			l.conns[conn] = l.idle.PushBack(conn)
		}
	case http.StateActive:
		if _, ok := l.conns[conn]; ok {
			l.unlist(conn)
			l.conns[conn] = nil
		}
	default: // closed or hijacked
		l.unlist(conn)
		delete(l.conns, conn)
	}
	return victim
}

func (l *connLimit) victim(newcomer net.Conn) net.Conn {
	for _, from := range []*chain.List{l.idle, l.fresh} {
		if oldest := from.Front(); oldest != nil {
			conn := oldest.Value.(net.Conn)
			l.unlist(conn)
			delete(l.conns, conn)
			return conn
		}
	}
	return newcomer
}

func (l *connLimit) unlist(conn net.Conn) {
	if e := l.conns[conn]; e != nil {
		l.idle.Remove(e) // does nothing if e is an element of the other list
		l.fresh.Remove(e)
	}
}
