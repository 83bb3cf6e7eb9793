package mysqlwire

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/go-sql-driver/mysql"
)

// Commands.
const (
	ComQuery          = 0x03
	ComBinlogDump     = 0x12
	ComRegisterSlave  = 0x15
	ComBinlogDumpGTID = 0x1e
)

// connBuffer is the size of the buffer for what arrives, in bytes.
const connBuffer = 64 << 10

// Conn is a client's connection. It is used by one goroutine.
type Conn struct {
	*Reader
	net    net.Conn
	secure bool // nobody can listen: TLS or a socket of this machine
}

// Dial connects as the driver would with these settings; [Conn.Login] comes next.
func Dial(ctx context.Context, cfg *mysql.Config) (*Conn, error) {
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
		return nil, fmt.Errorf("mysql: connect: %w", err)
	}
	return newConn(c, cfg.Net == "unix"), nil
}

func newConn(c net.Conn, secure bool) *Conn {
	return &Conn{Reader: NewReader(c, connBuffer), net: c, secure: secure}
}

// Bound makes reads and writes end with the context, or after a time.
func (c *Conn) Bound(ctx context.Context, limit time.Duration) (done func()) {
	deadline := time.Now().Add(limit)
	if at, ok := ctx.Deadline(); ok && at.Before(deadline) {
		deadline = at
	}
	_ = c.net.SetDeadline(deadline)
	stop := context.AfterFunc(ctx, func() { _ = c.net.SetDeadline(time.Unix(1, 0)) })
	return func() { stop() }
}

// Close ends the connection.
func (c *Conn) Close() error { return c.net.Close() }

// write sends one packet of less than 16 MB.
func (c *Conn) write(payload []byte) error {
	packet := AppendPacket(nil, c.sequence, payload)
	c.sequence++
	if _, err := c.net.Write(packet); err != nil {
		return fmt.Errorf("mysql: write: %w", err)
	}
	return nil
}

// Command sends a command.
func (c *Conn) Command(code byte, arguments []byte) error {
	c.sequence = 0
	return c.write(append([]byte{code}, arguments...))
}

// OK reads the answer of a command that has no result.
func (c *Conn) OK() error {
	data, _, err := c.answer(replyLimit)
	if err != nil {
		return err
	}
	if data[0] == PacketOK {
		return nil
	}
	return ServerError(data)
}

// Exec runs a statement that has no result.
func (c *Conn) Exec(statement string) error {
	if err := c.Command(ComQuery, []byte(statement)); err != nil {
		return err
	}
	return c.OK()
}

// FirstRow runs a statement and returns the first row of its result; nil without
// rows. NULL is "".
func (c *Conn) FirstRow(statement string) ([]string, error) {
	if err := c.Command(ComQuery, []byte(statement)); err != nil {
		return nil, err
	}
	columns, err := c.Columns()
	if err != nil {
		return nil, err
	}
	var first []string
	for {
		row, err := c.Row(replyLimit)
		if err != nil || row == nil {
			return first, err
		}
		if first == nil {
			if first, err = texts(row, columns); err != nil {
				return nil, err
			}
		}
	}
}

// texts are the values of a row.
func texts(row []byte, columns int) ([]string, error) {
	r := Fields{Rest: row}
	var out []string
	for range columns {
		if len(r.Rest) > 0 && r.Rest[0] == NullValue {
			r.Skip(1)
			out = append(out, "")
			continue
		}
		out = append(out, string(r.LengthEncodedBytes()))
	}
	return out, r.Err
}
