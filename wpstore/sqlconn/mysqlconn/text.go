package mysqlconn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"calbridge/wpstore/mysqlwire"
)

// textBuffer is the size of the reader's buffer, in bytes: most packets are parsed in it.
// Servers write 16 KiB at a time, and a read takes all that has arrived.
const textBuffer = 64 << 10

// textReader runs statements past the driver, on the network below its connection, of
// which the driver has nothing in its buffers between two statements. The driver makes
// a Go value of each value of a row, which is two thirds of all allocations of a list,
// and parses descriptions of columns that are not needed.
//
// It also pipelines: the statements of a batch are sent before the first is answered. [Settings].DriverOnly turns both off, which took 11 % more CPU for a list of
// ten events.
type textReader struct {
	wire   *wire
	stream io.ReadWriter // that wire, or TLS over it
	in     *mysqlwire.Reader
	out    []byte
	sent   []string // whose results were not read yet, at the end of queue
	queue  []string // all that were sent together, whose memory is reused
}

func newTextReader(w *wire, stream io.ReadWriter) *textReader {
	return &textReader{wire: w, stream: stream, in: mysqlwire.NewReader(stream, textBuffer)}
}

// query runs a statement without parameters and adds its rows to b; next are those that follow
// it in its batch. If it was sent with an earlier one, it only reads. After an error that is not a
// *[mysql.MySQLError] the connection is unusable.
func (t *textReader) query(text string, next []string, b *Buffer) error {
	if len(t.sent) > 0 && t.sent[0] != text {
		return errUnread
	}
	if len(t.sent) == 0 {
		if err := t.send(text, next); err != nil {
			return err
		}
	}
	return t.readResult(b)
}

// errUnread is returned where a statement would read the results of others.
var errUnread = errors.New("results of a batch were not read")

// readResult reads the next result.
func (t *textReader) readResult(b *Buffer) (err error) {
	t.sent = t.sent[1:]
	if b.Columns, err = t.in.Columns(); err != nil {
		return err
	}
	return t.readRows(b)
}

// readAnswer reads the next answer, with a result or without.
func (t *textReader) readAnswer(b *Buffer, ok *mysqlwire.OK) (err error) {
	t.sent = t.sent[1:]
	if b.Columns, *ok, err = t.in.Answer(); err != nil || b.Columns > 0 {
		if err != nil {
			return err
		}
		return t.readRows(b)
	}
	return t.atEnd()
}

func (t *textReader) readRows(b *Buffer) error {
	for {
		row, err := t.in.Row(math.MaxInt)
		if err != nil {
			return err
		}
		if row == nil {
			break
		}
		if err := b.AddRow(row); err != nil {
			return err
		}
	}
	t.in.Shrink()
	return t.atEnd()
}

// atEnd checks that nothing has arrived after the last answer.
func (t *textReader) atEnd() error {
	if t.in.Buffered() > 0 && len(t.sent) == 0 { // the driver would take it for its own
		return fmt.Errorf("%w: more than one result", mysqlwire.ErrMalformed)
	}
	return nil
}

// maxPipelined, in bytes, surely fits into the buffers on the way to a server that
// does not read because it is writing an answer.
const maxPipelined = 32 << 10

// send writes the command, and those to pipeline as far as all are short. It clears the
// deadlines of the driver's last use: the end of the context interrupts the wire.
func (t *textReader) send(text string, next []string) error {
	if len(text) > mysqlwire.MaxQuery {
		return fmt.Errorf("a statement of %d bytes", len(text))
	}
	t.out = mysqlwire.AppendQuery(t.out[:0], text)
	t.queue = append(t.queue[:0], text)
	for _, text := range next {
		if len(t.out)+len(text) > maxPipelined {
			break
		}
		t.out = mysqlwire.AppendQuery(t.out, text)
		t.queue = append(t.queue, text)
	}
	t.sent = t.queue
	return t.write()
}

// sendAll writes the commands of statements.
func (t *textReader) sendAll(statements []string) error {
	t.out, t.queue = t.out[:0], t.queue[:0]
	for _, text := range statements {
		t.out = mysqlwire.AppendQuery(t.out, text)
		t.queue = append(t.queue, text)
	}
	t.sent = t.queue
	return t.write()
}

func (t *textReader) write() error {
	if err := t.wire.set(t.wire.Conn.SetDeadline, time.Time{}); err != nil {
		return err
	}
	_, err := t.stream.Write(t.out)
	return err
}

// tryPipelining finds out whether the other side takes several statements at once, as
// servers do and some proxies do not.
func (t *textReader) tryPipelining() error {
	statements := []string{"SELECT 1", "SELECT 2"}
	for i, text := range statements {
		b := &Buffer{}
		if err := t.query(text, statements[i+1:], b); err != nil {
			return err
		}
		if want := []byte{1, byte('1' + i)}; !bytes.Equal(b.Text(), want) {
			return fmt.Errorf("%w: %q for %s", mysqlwire.ErrMalformed, b.Text(), text)
		}
	}
	return nil
}
