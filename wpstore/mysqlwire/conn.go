package mysqlwire

import (
	"context"
	"database/sql/driver"
	"net"
	"time"
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

// Conn is a client's connection, used by one goroutine. The driver has logged in and is
// idle below it.
type Conn struct {
	*Reader
	driver driver.Conn
	net    net.Conn
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
func (c *Conn) Close() error {
	_ = c.driver.Close() // says good-bye, which fails if the connection is broken
	return nil
}

// Command sends a command of less than 16 MB.
func (c *Conn) Command(code byte, arguments []byte) error {
	c.sequence = 1
	_, err := c.net.Write(AppendPacket(nil, 0, append([]byte{code}, arguments...)))
	return err
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
	f := Fields{Rest: row}
	out := make([]string, columns)
	for i := range out {
		if len(f.Rest) > 0 && f.Rest[0] == NullValue {
			f.Skip(1)
			continue
		}
		out[i] = string(f.LengthEncodedBytes())
	}
	return out, f.Err
}
