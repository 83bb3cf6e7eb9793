package binlog

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/go-sql-driver/mysql"
)

// maxPacket is the longest piece of a packet; one that is as long is followed by
// another.
const maxPacket = 1<<24 - 1

// replyLimit bounds packets that are not events.
const replyLimit = 1 << 20

// errSequence means that bytes were lost or that the peer speaks something else.
var errSequence = errors.New("binlog: packets out of order")

// conn speaks the packets of the client protocol. It is used by one goroutine.
type conn struct {
	net      net.Conn
	r        *bufio.Reader
	sequence byte
	buf      []byte
	header   [4]byte
	secure   bool // nobody can listen: TLS or a socket of this machine
}

// dial connects as the driver would.
func dial(ctx context.Context, cfg *mysql.Config) (*conn, error) {
	if cfg.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cfg.Timeout)
		defer cancel()
	}
	connect := cfg.DialFunc
	if connect == nil {
		connect = (&net.Dialer{}).DialContext
	}
	c, err := connect(ctx, cfg.Net, cfg.Addr)
	if err != nil {
		return nil, fmt.Errorf("binlog: connect: %w", err)
	}
	return newConn(c, cfg.Net == "unix"), nil
}

func newConn(c net.Conn, secure bool) *conn {
	return &conn{net: c, r: bufio.NewReaderSize(c, 64<<10), secure: secure}
}

// under makes reads and writes end with the context, or after a time.
func (c *conn) under(ctx context.Context, limit time.Duration) (done func()) {
	deadline := time.Now().Add(limit)
	if at, ok := ctx.Deadline(); ok && at.Before(deadline) {
		deadline = at
	}
	_ = c.net.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { _ = c.net.SetDeadline(time.Unix(1, 0)) })
	return func() { stop() }
}

// read returns the next packet, valid until the next read, and its length. Of a
// packet longer than keep only the start is returned.
func (c *conn) read(keep int) (data []byte, length int64, err error) {
	c.buf = c.buf[:0]
	for {
		if _, err := io.ReadFull(c.r, c.header[:]); err != nil {
			return nil, 0, fmt.Errorf("binlog: read: %w", err)
		}
		n := int(uint24(c.header[:]))
		if c.header[3] != c.sequence {
			return nil, 0, errSequence
		}
		c.sequence++
		length += int64(n)
		take := min(n, keep-len(c.buf))
		if err := c.append(take); err != nil {
			return nil, 0, fmt.Errorf("binlog: read: %w", err)
		}
		if _, err := c.r.Discard(n - take); err != nil {
			return nil, 0, fmt.Errorf("binlog: read: %w", err)
		}
		if n < maxPacket {
			return c.buf, length, nil
		}
	}
}

// append reads n bytes into the buffer, which grows with what arrives and not with
// what is announced.
func (c *conn) append(n int) error {
	const step = 1 << 20
	for n > 0 {
		part, have := min(n, step), len(c.buf)
		if cap(c.buf)-have < part {
			grown := make([]byte, have, max(2*cap(c.buf), have+part))
			copy(grown, c.buf)
			c.buf = grown
		}
		c.buf = c.buf[:have+part]
		if _, err := io.ReadFull(c.r, c.buf[have:]); err != nil {
			return err
		}
		n -= part
	}
	return nil
}

// shrink gives up a buffer that a single event has made large.
func (c *conn) shrink() {
	const usual = 1 << 20
	if cap(c.buf) > usual {
		c.buf = nil
	}
}

// write sends one packet of less than 16 MB.
func (c *conn) write(payload []byte) error {
	packet := make([]byte, 4, 4+len(payload))
	putUint24(packet, uint32(len(payload)))
	packet[3] = c.sequence
	c.sequence++
	if _, err := c.net.Write(append(packet, payload...)); err != nil {
		return fmt.Errorf("binlog: write: %w", err)
	}
	return nil
}

// command starts a new exchange.
func (c *conn) command(code byte, arguments []byte) error {
	c.sequence = 0
	return c.write(append([]byte{code}, arguments...))
}

// ok reads the answer of a command that has no result.
func (c *conn) ok() error {
	data, _, err := c.read(replyLimit)
	if err != nil {
		return err
	}
	if len(data) > 0 && data[0] == packetOK {
		return nil
	}
	return serverError(data)
}

// exec runs a statement that has no result.
func (c *conn) exec(statement string) error {
	if err := c.command(comQuery, []byte(statement)); err != nil {
		return err
	}
	return c.ok()
}

// row runs a statement and returns its first row; nil without rows. NULL is "".
func (c *conn) row(statement string) ([]string, error) {
	if err := c.command(comQuery, []byte(statement)); err != nil {
		return nil, err
	}
	data, _, err := c.read(replyLimit)
	if err != nil {
		return nil, err
	}
	r := reader{rest: data}
	columns := r.lengthEncoded()
	if r.err != nil || columns == 0 || data[0] == packetError {
		return nil, serverError(data)
	}
	var first []string
	for ends := 0; ends < 2; { // the columns end, and then the rows
		if data, _, err = c.read(replyLimit); err != nil {
			return nil, err
		}
		switch {
		case len(data) > 0 && data[0] == packetError:
			return nil, serverError(data)
		case isEnd(data):
			ends++
		case ends == 1 && first == nil:
			if first, err = textRow(data, columns); err != nil {
				return nil, err
			}
		}
	}
	return first, nil
}

func textRow(data []byte, columns uint64) ([]string, error) {
	r := reader{rest: data}
	var out []string
	for range min(columns, uint64(len(data))) {
		const null = 0xfb
		if len(r.rest) > 0 && r.rest[0] == null {
			r.skip(1)
			out = append(out, "")
			continue
		}
		out = append(out, string(r.lengthEncodedBytes()))
	}
	return out, r.err
}

// The first bytes of answers.
const (
	packetOK    = 0x00
	packetMore  = 0x01 // of an authentication
	packetEnd   = 0xfe
	packetError = 0xff
)

// Commands.
const (
	comQuery          = 0x03
	comBinlogDump     = 0x12
	comRegisterSlave  = 0x15
	comBinlogDumpGTID = 0x1e
)

func isEnd(data []byte) bool { return len(data) > 0 && len(data) < 9 && data[0] == packetEnd }

// serverError is the error that a packet reports, as the driver would.
func serverError(data []byte) error {
	if len(data) < 3 || data[0] != packetError {
		return fmt.Errorf("binlog: unexpected answer of %d bytes", len(data))
	}
	e := &mysql.MySQLError{Number: binary.LittleEndian.Uint16(data[1:])}
	text := data[3:]
	if len(text) >= 6 && text[0] == '#' {
		copy(e.SQLState[:], text[1:6])
		text = text[6:]
	}
	e.Message = string(text)
	return e
}
