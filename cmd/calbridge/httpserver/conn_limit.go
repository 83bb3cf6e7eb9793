package httpserver

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connLimit limits the number of open connections. For a connection above the limit it closes
// the one that has been idle longest, so that clients can't lock others out by holding
// connections. If none is idle, it closes the oldest connection without a request so far, or
// else the new one.
type connLimit struct {
	most     int
	rejected func()

	mu    sync.Mutex
	conns map[net.Conn]*list.Element // a nil element means that a request is in flight
	idle  *list.List                 // connections after a request, oldest first
	fresh *list.List                 // connections before their first request, oldest first
}

func newConnLimit(most int, rejected func()) *connLimit {
	return &connLimit{most: most, rejected: rejected, conns: map[net.Conn]*list.Element{}, idle: list.New(), fresh: list.New()}
}

// observe tracks the states of connections. It is for http.Server.ConnState.
func (l *connLimit) observe(conn net.Conn, state http.ConnState) {
	if victim := l.note(conn, state); victim != nil {
		l.rejected()
		victim.Close()
	}
}

// note records a connection's new state and returns the connection to close, if any.
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
	default: // the connection was closed or hijacked
		l.unlist(conn)
		delete(l.conns, conn)
	}
	return victim
}

func (l *connLimit) victim(newcomer net.Conn) net.Conn {
	for _, from := range []*list.List{l.idle, l.fresh} {
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
		l.idle.Remove(e) // Remove ignores elements of the other list
		l.fresh.Remove(e)
	}
}
