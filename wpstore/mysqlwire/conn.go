package mysqlwire

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
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

// connBuffer is the size of the receive buffer, in bytes.
const connBuffer = 64 << 10

// Conn is a client's connection, used by one goroutine. Statements go through the driver,
// other commands bypass it.
type Conn struct {
	*Reader
	driver driver.Conn
	net    net.Conn
}

// Bound makes reads and writes that bypass the driver end with the context, or after a
// time.
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
	_ = c.driver.Close() // sends COM_QUIT, which fails if the connection is broken
	return nil
}

// Exec runs a statement that has no result.
func (c *Conn) Exec(ctx context.Context, statement string) error {
	_, err := c.driver.(driver.ExecerContext).ExecContext(ctx, statement, nil)
	return err
}

// FirstRow runs a statement and returns the first row of its result, nil if there are no
// rows. NULL is "".
func (c *Conn) FirstRow(ctx context.Context, statement string) ([]string, error) {
	rows, err := c.driver.(driver.QueryerContext).QueryContext(ctx, statement, nil)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	row := make([]driver.Value, len(rows.Columns()))
	if err := rows.Next(row); err != nil {
		if err == io.EOF {
			err = nil
		}
		return nil, err
	}
	out := make([]string, len(row))
	for i, value := range row {
		switch v := value.(type) {
		case []byte:
			out[i] = string(v)
		case int64, uint64:
			out[i] = fmt.Sprint(v)
		}
	}
	return out, nil
}

// Command sends a command of less than 16 MB.
func (c *Conn) Command(code byte, arguments []byte) error {
	c.sequence = 1
	_, err := c.net.Write(AppendPacket(nil, 0, append([]byte{code}, arguments...)))
	return err
}

// OK reads the response to a command that has no result.
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
