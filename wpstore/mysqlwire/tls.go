package mysqlwire

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"github.com/go-sql-driver/mysql"
)

// clientSSL is the capability of servers that offer TLS, and of clients that accept it.
const clientSSL = 1 << 11

// upgrade is a connection that starts TLS below the driver during its login, so that the
// decrypted stream can be read without the driver. The client requests TLS in a separate
// packet. The numbers of later packets of the login therefore differ between driver and
// server.
type upgrade struct {
	net.Conn
	stream io.ReadWriter // the connection, or TLS over it
	cfg    *tls.Config   // nil once TLS has started
	// failed is why TLS did not start. The driver reports only that the connection is bad.
	failed error
	// pending holds bytes that were read and not yet delivered.
	pending []byte
	// loggedIn is set after the login, when packets pass unchanged.
	loggedIn bool
}

// offerTLS prepares a new connection for a driver's login over TLS if cfg requests it. The
// driver must use the returned connection with the changed cfg. It treats that connection
// as secure without TLS.
func offerTLS(ctx context.Context, conn net.Conn, cfg *mysql.Config) (net.Conn, error) {
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	u := &upgrade{Conn: conn, stream: conn, cfg: cfg.TLS}
	cfg.TLS, cfg.TLSConfig = nil, ""
	greeting, err := u.packet()
	if err != nil {
		return nil, err
	}
	u.pending = greeting
	f := Fields{Rest: greeting[headerSize:]}
	version := f.Byte()
	f.UntilZero() // the server's version
	f.Skip(4 + 8 + 1)
	offered := f.Uint(2)&clientSSL != 0 && f.Err == nil
	switch {
	case version == PacketError: // the driver reports it
		u.loggedIn = true
	case offered:
		cfg.Net = "unix"
	case cfg.AllowFallbackToPlaintext:
		u.loggedIn = true
	default:
		return nil, errors.New("the server does not offer TLS")
	}
	return u, nil
}

// packet reads one packet with its header.
func (u *upgrade) packet() ([]byte, error) {
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(u.stream, header); err != nil {
		return nil, err
	}
	n := int64(header[0]) | int64(header[1])<<8 | int64(header[2])<<16
	out := bytes.NewBuffer(header)
	if _, err := io.CopyN(out, u.stream, n); err != nil {
		return nil, unexpectedEnd(err)
	}
	return out.Bytes(), nil
}

// SyscallConn lets the driver check whether the server has closed the connection.
func (u *upgrade) SyscallConn() (syscall.RawConn, error) {
	conn, ok := u.Conn.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return conn.SyscallConn()
}

func (u *upgrade) Read(p []byte) (n int, err error) {
	if len(u.pending) == 0 {
		if u.loggedIn {
			return u.stream.Read(p)
		}
		if u.pending, err = u.packet(); err != nil {
			return 0, err
		}
		u.pending[3]--
	}
	n = copy(p, u.pending)
	u.pending = u.pending[n:]
	return n, nil
}

// Write sends a packet of the driver: the response to the greeting, other packets of the
// login, or a command. A command is the first packet with the number 0.
func (u *upgrade) Write(p []byte) (int, error) {
	if len(p) <= headerSize {
		return 0, ErrMalformed
	}
	if u.loggedIn = u.loggedIn || p[3] == 0; u.loggedIn {
		return u.stream.Write(p)
	}
	packet := bytes.Clone(p)
	if u.cfg != nil {
		if err := u.start(packet); err != nil {
			return 0, err
		}
	}
	packet[3]++
	return u.stream.Write(packet)
}

// start requests TLS with the head of the response to the greeting, to which it adds
// clientSSL.
func (u *upgrade) start(answer []byte) error {
	const head = 32
	if len(answer) < headerSize+head {
		return ErrMalformed
	}
	capabilities := answer[headerSize:]
	binary.LittleEndian.PutUint32(capabilities, binary.LittleEndian.Uint32(capabilities)|clientSSL)
	if _, err := u.stream.Write(AppendPacket(nil, answer[3], capabilities[:head])); err != nil {
		return err
	}
	encrypted := tls.Client(u.Conn, u.cfg)
	if err := encrypted.Handshake(); err != nil {
		u.failed = fmt.Errorf("TLS: %w", err)
		return u.failed
	}
	u.stream, u.cfg = encrypted, nil
	return nil
}
