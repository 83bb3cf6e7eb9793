package sitedb

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/go-sql-driver/mysql"
)

// The driver makes a Go value of each value of a row, which is two thirds of all
// allocations of a list, and parses descriptions of columns that nobody asks for.
// Hot loaders therefore read the rows themselves, from the network below the driver's
// connection: between two statements nothing of it is in the driver's buffers. See
// https://mariadb.com/kb/en/result-set-packets/ for what the packets look like.

const (
	// maxPacket is the longest piece of a packet; one that is as long is followed by
	// another.
	maxPacket = 1<<24 - 1
	// packetHeader is three bytes of length and one that counts packets.
	packetHeader = 4
	comQuery     = 3
	// textBuffer is the size of the reader's buffer: most packets are parsed in it.
	textBuffer = 16 << 10
)

// First bytes of packets and of values.
const (
	packetOK    = 0x00
	packetError = 0xff
	packetEnd   = 0xfe
	valueNull   = 0xfb
)

// endLength is how long the older form of the packet behind columns and rows is; the
// newer one, behind rows only, is longer.
const endLength = 5

var (
	errPacketOrder = errors.New("packets out of order")
	errPacket      = errors.New("a packet that makes no sense")
)

// textReader runs statements that give rows, one after the other.
type textReader struct {
	wire     *wire
	in       *bufio.Reader
	out      []byte
	sequence byte
	long     []byte // the latest packet that was longer than in's buffer
	// together: several statements may be sent before the first is answered.
	together bool
	sent     []string // whose results were not read yet
}

func newTextReader(w *wire) *textReader {
	return &textReader{wire: w, in: bufio.NewReaderSize(w.Conn, textBuffer)}
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
	t.sequence = 1
	columns, err := t.readColumns()
	if err != nil {
		return err
	}
	b.columns = columns
	for first := true; ; first = false {
		data, err := t.packet()
		switch {
		case err != nil:
			return err
		case data[0] == packetError:
			return serverError(data)
		case data[0] == packetEnd && len(data) == endLength && first: // behind the columns
		case data[0] == packetEnd && len(data) < maxPacket:
			return t.finish()
		default:
			if err := b.addRow(data); err != nil {
				return err
			}
		}
	}
}

// finish makes sure that nothing is left for whoever uses the connection next.
func (t *textReader) finish() error {
	if cap(t.long) > maxScratch {
		t.long = nil
	}
	if t.in.Buffered() > 0 && len(t.sent) == 0 {
		return fmt.Errorf("%w: more than one result", errPacket)
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
	if len(text)+1 >= maxPacket {
		return fmt.Errorf("a statement of %d bytes", len(text))
	}
	t.out = appendCommand(t.out[:0], text)
	t.sent = append(t.sent[:0], text)
	for _, text := range next {
		if len(t.out)+len(text) > maxTogether {
			break
		}
		t.out = appendCommand(t.out, text)
		t.sent = append(t.sent, text)
	}
	if err := t.wire.set(t.wire.Conn.SetDeadline, time.Time{}); err != nil {
		return err
	}
	_, err := t.wire.Conn.Write(t.out)
	return err
}

func appendCommand(out []byte, text string) []byte {
	n := len(text) + 1
	return append(append(out, byte(n), byte(n>>8), byte(n>>16), 0, comQuery), text...)
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
			return fmt.Errorf("%w: %q for %s", errPacket, b.text, text)
		}
	}
	return nil
}

// readColumns reads the head of a result and passes over what it tells about the
// columns.
func (t *textReader) readColumns() (columns int, err error) {
	data, err := t.packet()
	if err != nil {
		return 0, err
	}
	switch data[0] {
	case packetError:
		return 0, serverError(data)
	case packetOK, valueNull:
		return 0, fmt.Errorf("%w: no result", errPacket)
	}
	n, size := lengthEncoded(data)
	if size == 0 || n > maxColumns {
		return 0, errPacket
	}
	// MariaDB can leave the columns out, and then says so.
	if len(data) > size && data[size] == 0 {
		return int(n), nil
	}
	for range n {
		if _, err := t.packet(); err != nil {
			return 0, err
		}
	}
	return int(n), nil
}

// maxColumns is what MySQL and MariaDB allow.
const maxColumns = 4096

// packet returns the next packet, which is never empty, valid until the next call.
func (t *textReader) packet() ([]byte, error) {
	data, err := t.piece(nil)
	if err != nil {
		return nil, err
	}
	for last := len(data); last == maxPacket; {
		before := len(data)
		if data, err = t.piece(data); err != nil {
			return nil, err
		}
		last = len(data) - before
	}
	if len(data) == 0 {
		return nil, errPacket
	}
	return data, nil
}

// piece reads one piece behind what came before it.
func (t *textReader) piece(before []byte) ([]byte, error) {
	header, err := t.in.Peek(packetHeader)
	if err != nil {
		return nil, unexpectedEnd(err)
	}
	n := int(header[0]) | int(header[1])<<8 | int(header[2])<<16
	if header[3] != t.sequence {
		return nil, errPacketOrder
	}
	t.sequence++
	_, _ = t.in.Discard(packetHeader) // they are there
	if before == nil && n <= t.in.Size() {
		data, err := t.in.Peek(n)
		if err != nil {
			return nil, unexpectedEnd(err)
		}
		_, _ = t.in.Discard(n) // stays in the buffer until the next read
		return data, nil
	}
	if before == nil {
		before = t.long[:0]
	}
	at := len(before)
	t.long = append(before, make([]byte, n)...)
	_, err = io.ReadFull(t.in, t.long[at:])
	return t.long, unexpectedEnd(err)
}

// unexpectedEnd is an error of a read within a result: the server went away.
func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// lengthEncoded reads an integer of the protocol and returns how many bytes it takes,
// 0 where it makes no sense.
func lengthEncoded(data []byte) (n uint64, size int) {
	if len(data) == 0 {
		return 0, 0
	}
	size = encodedSize(data[0])
	if size == 0 || len(data) < size {
		return 0, 0
	}
	switch size {
	case 1:
		return uint64(data[0]), 1
	case 3:
		return uint64(binary.LittleEndian.Uint16(data[1:])), 3
	case 4:
		return uint64(data[1]) | uint64(data[2])<<8 | uint64(data[3])<<16, 4
	}
	return binary.LittleEndian.Uint64(data[1:]), size
}

// encodedSize is how many bytes an integer takes that begins with this one; 0 for
// bytes with which none begins.
func encodedSize(first byte) int {
	switch {
	case first < valueNull:
		return 1
	case first == 0xfc:
		return 3
	case first == 0xfd:
		return 4
	case first == 0xfe:
		return 9
	}
	return 0
}

// serverError is what an error packet tells.
func serverError(data []byte) error {
	const state = 5 // of characters behind a mark
	if len(data) < 3 {
		return errPacket
	}
	e := &mysql.MySQLError{Number: binary.LittleEndian.Uint16(data[1:])}
	data = data[3:]
	if len(data) > state && data[0] == '#' {
		copy(e.SQLState[:], data[1:])
		data = data[1+state:]
	}
	e.Message = string(data)
	return e
}
