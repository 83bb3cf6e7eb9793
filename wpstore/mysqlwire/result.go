package mysqlwire

import (
	"encoding/binary"
	"fmt"

	"github.com/go-sql-driver/mysql"
)

// First bytes of responses.
const (
	PacketOK    = 0x00
	PacketMore  = 0x01 // during an authentication
	PacketEnd   = 0xfe
	PacketError = 0xff
)

const (
	// endLength is the length of the older form of the packet after columns and rows.
	// The newer one, only after rows, is longer.
	endLength = 5
	// maxColumns is the maximum of MySQL and MariaDB.
	maxColumns = 4096
	// replyLimit limits packets that are neither rows nor events, in bytes.
	replyLimit = 1 << 20
)

// Columns reads the head of the result of a query and returns the number of columns. It
// skips their descriptions.
func (r *Reader) Columns() (int, error) {
	n, _, err := r.Answer()
	if err == nil && n == 0 {
		return 0, fmt.Errorf("%w: no result", ErrMalformed)
	}
	return n, err
}

// OK is the response to a statement without a result.
type OK struct{ AffectedRows, LastInsertID uint64 }

// Answer reads the head of the response to a statement. It returns the number of columns of
// its result, whose descriptions it skips, or 0 and what the statement has changed.
func (r *Reader) Answer() (int, OK, error) {
	r.sequence = 1 // it responds to a command, whose number was 0
	data, _, err := r.answer(replyLimit)
	if err != nil {
		return 0, OK{}, err
	}
	switch data[0] {
	case PacketError:
		return 0, OK{}, ServerError(data)
	case NullValue: // a request for a file
		return 0, OK{}, fmt.Errorf("%w: no result", ErrMalformed)
	case PacketOK:
		var ok OK
		at := 1
		for _, n := range []*uint64{&ok.AffectedRows, &ok.LastInsertID} {
			value, size := LengthEncoded(data[at:])
			if size == 0 {
				return 0, OK{}, ErrMalformed
			}
			*n, at = value, at+size
		}
		return 0, ok, nil
	}
	n, size := LengthEncoded(data)
	if size == 0 || n > maxColumns {
		return 0, OK{}, ErrMalformed
	}
	r.described = true
	// A zero here means that MariaDB omits the descriptions.
	if len(data) > size && data[size] == 0 {
		return int(n), OK{}, nil
	}
	for range n {
		if _, _, err := r.answer(replyLimit); err != nil {
			return 0, OK{}, err
		}
	}
	return int(n), OK{}, nil
}

// Row returns the next row of the result whose columns were read, nil after the last. Each
// value has its length before it, or [NullValue] for NULL. Of longer rows only limit bytes
// are returned.
func (r *Reader) Row(limit int) ([]byte, error) {
	for {
		data, length, err := r.answer(limit)
		if err != nil {
			return nil, err
		}
		afterColumns := r.described
		r.described = false
		switch {
		case data[0] == PacketError:
			return nil, ServerError(data)
		case data[0] != PacketEnd || length >= maxPiece: // a long value begins with the same byte
			return data, nil
		case length != endLength || !afterColumns:
			return nil, nil
		}
	}
}

// answer reads a packet that must arrive and must not be empty.
func (r *Reader) answer(limit int) (data []byte, length int64, err error) {
	if data, length, err = r.Read(limit); err != nil {
		return nil, 0, unexpectedEnd(err)
	}
	if length == 0 {
		return nil, 0, ErrMalformed
	}
	return data, length, nil
}

// ServerError returns the error that a packet reports, like the driver.
func ServerError(data []byte) error {
	const state = 5 // the number of characters of the SQLSTATE, after a mark
	if len(data) < 3 || data[0] != PacketError {
		return fmt.Errorf("%w: unexpected answer of %d bytes", ErrMalformed, len(data))
	}
	e := &mysql.MySQLError{Number: binary.LittleEndian.Uint16(data[1:])}
	text := data[3:]
	if len(text) > state && text[0] == '#' {
		copy(e.SQLState[:], text[1:])
		text = text[1+state:]
	}
	e.Message = string(text)
	return e
}
