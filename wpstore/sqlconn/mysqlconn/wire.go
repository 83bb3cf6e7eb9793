package mysqlconn

import (
	"errors"
	"net"
	"sync"
	"syscall"
	"time"
)

// wire is the network below a connection.
type wire struct {
	net.Conn

	mu  sync.Mutex
	cut bool
}

// interrupt makes the connection fail, now and from now on.
func (w *wire) interrupt() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = true
	_ = w.Conn.SetDeadline(time.Unix(1, 0)) // fails if it is closed already
}

// SetReadDeadline implements net.Conn; the driver calls it before each read.
func (w *wire) SetReadDeadline(t time.Time) error { return w.set(w.Conn.SetReadDeadline, t) }

// SetWriteDeadline implements net.Conn.
func (w *wire) SetWriteDeadline(t time.Time) error { return w.set(w.Conn.SetWriteDeadline, t) }

func (w *wire) set(deadline func(time.Time) error, t time.Time) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cut {
		return nil
	}
	return deadline(t)
}

// SyscallConn lets the driver see whether the server has closed the connection.
func (w *wire) SyscallConn() (syscall.RawConn, error) {
	conn, ok := w.Conn.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return conn.SyscallConn()
}
