package sqlconn

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/mysqlwire"
)

// The driver makes a Go value of each value of a row, which is two thirds of all
// allocations of a list, and parses descriptions of columns that nobody asks for.
// Hot loaders therefore read the rows themselves, from the network below the driver's
// connection: between two statements nothing of it is in the driver's buffers.

// textBuffer is the size of the reader's buffer, in bytes: most packets are parsed in
// it.
const textBuffer = 16 << 10

// textReader runs statements that give rows, one after the other.
type textReader struct {
	wire *wire
	in   *mysqlwire.Reader
	out  []byte
	// together: several statements may be sent before the first is answered.
	together bool
	sent     []string // whose results were not read yet
}

func newTextReader(w *wire) *textReader {
	return &textReader{wire: w, in: mysqlwire.NewReader(w.Conn, textBuffer)}
}

// query runs a statement without parameters and adds its rows to b. Those that are
// said to come next are sent along, where that is possible: the server is then at
// work while a result is read, and nobody has to be woken for each of them. Of an
// error that is no *[mysql.MySQLError] the connection is of no use afterwards.
func (t *textReader) query(text string, next []string, b *rowBuffer) error {
	if len(t.sent) > 0 && t.sent[0] != text {
		if err := t.drain(); err != nil {
			return err
		}
	}
	if len(t.sent) == 0 {
		if !t.together {
			next = nil
		}
		if err := t.send(text, next); err != nil {
			return err
		}
	}
	t.sent = t.sent[1:]
	return t.readResult(b)
}

// drain reads results that nobody asks for any more.
func (t *textReader) drain() error {
	for len(t.sent) > 0 {
		t.sent = t.sent[1:]
		var told *mysql.MySQLError
		if err := t.readResult(&rowBuffer{}); err != nil && !errors.As(err, &told) {
			return err
		}
	}
	return nil
}

func (t *textReader) readResult(b *rowBuffer) error {
	columns, err := t.in.Columns()
	if err != nil {
		return err
	}
	b.columns = columns
	for {
		row, err := t.in.Row(math.MaxInt)
		if err != nil {
			return err
		}
		if row == nil {
			return t.finish()
		}
		if err := b.addRow(row); err != nil {
			return err
		}
	}
}

// finish makes sure that nothing is left for whoever uses the connection next.
func (t *textReader) finish() error {
	t.in.Shrink()
	if t.in.Buffered() > 0 && len(t.sent) == 0 {
		return fmt.Errorf("%w: more than one result", mysqlwire.ErrMalformed)
	}
	return nil
}

// maxTogether, in bytes, is what surely finds room on the way to a server that does
// not read because it is writing an answer.
const maxTogether = 32 << 10

// send writes the command, and those of what comes next if all are short. The
// deadlines of the driver's last use no longer count: the end of the context
// interrupts the wire.
func (t *textReader) send(text string, next []string) error {
	if len(text) > mysqlwire.MaxQuery {
		return fmt.Errorf("a statement of %d bytes", len(text))
	}
	t.out = mysqlwire.AppendQuery(t.out[:0], text)
	t.sent = append(t.sent[:0], text)
	for _, text := range next {
		if len(t.out)+len(text) > maxTogether {
			break
		}
		t.out = mysqlwire.AppendQuery(t.out, text)
		t.sent = append(t.sent, text)
	}
	if err := t.wire.set(t.wire.Conn.SetDeadline, time.Time{}); err != nil {
		return err
	}
	_, err := t.wire.Conn.Write(t.out)
	return err
}

// tryTogether finds out whether the other side takes several statements at once, as
// servers do and some proxies before them do not.
func (t *textReader) tryTogether() error {
	t.together = true
	for i, text := range []string{"SELECT 1", "SELECT 2"} {
		b := &rowBuffer{}
		if err := t.query(text, []string{"SELECT 2"}[i:], b); err != nil {
			return err
		}
		if want := []byte{1, byte('1' + i)}; !bytes.Equal(b.text, want) {
			return fmt.Errorf("%w: %q for %s", mysqlwire.ErrMalformed, b.text, text)
		}
	}
	return nil
}
