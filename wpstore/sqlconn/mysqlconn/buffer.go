package mysqlconn

import (
	"errors"
	"math"
	"slices"

	"calbridge/wpstore/mysqlwire"
)

// Buffer collects a row set. Its memory is reused. With each it collects nothing, and
// calls Each for each row instead.
type Buffer struct {
	Columns int // of the result
	// Each gets the values of a row, nil for NULL, which are valid until it returns.
	Each func(values [][]byte)
	// Passed: Each was called.
	Passed bool

	text   []byte
	ends   []uint32
	values [][]byte
}

// Buffers of results above maxScratch bytes, of which there are few, are not reused.
// maxResult is the largest offset in ends.
const (
	maxScratch = 1 << 20
	maxResult  = math.MaxUint32
)

// Reset empties the buffer.
func (b *Buffer) Reset() { b.text, b.ends, b.Columns = b.text[:0], b.ends[:0], 0 }

// Reusable reports whether the memory of the buffer is worth keeping.
func (b *Buffer) Reusable() bool { return cap(b.text) <= maxScratch }

// Copy returns what was collected. The buffer may be used again.
func (b *Buffer) Copy() *RowSet { return &RowSet{string(b.text), slices.Clone(b.ends), b.Columns} }

// Set returns what was collected, which shares memory with the buffer.
func (b *Buffer) Set() RowSet { return RowSet{string(b.text), b.ends, b.Columns} }

// Text returns the rows as the protocol has them.
func (b *Buffer) Text() []byte { return b.text }

// Add appends a value as the protocol has it; nil is NULL.
func (b *Buffer) Add(value []byte) error {
	if value == nil {
		b.text = append(b.text, mysqlwire.NullValue)
	} else {
		b.text = append(mysqlwire.AppendLength(b.text, len(value)), value...)
	}
	if len(b.text) > maxResult {
		return errTooLarge
	}
	b.ends = append(b.ends, uint32(len(b.text)))
	return nil
}

// AddRow appends a row of the protocol, or passes it on.
func (b *Buffer) AddRow(row []byte) error {
	if b.Each != nil {
		return b.pass(row)
	}
	if len(b.text)+len(row) > maxResult {
		return errTooLarge
	}
	at := 0
	for range b.Columns {
		head, size, err := valueSize(row[at:])
		if err != nil {
			return err
		}
		at += head + size
		b.ends = append(b.ends, uint32(len(b.text)+at))
	}
	if at != len(row) {
		return mysqlwire.ErrMalformed
	}
	b.text = append(b.text, row...)
	return nil
}

// pass calls Each with the values of a row of the protocol.
func (b *Buffer) pass(row []byte) error {
	b.values = b.values[:0]
	for range b.Columns {
		head, size, err := valueSize(row)
		if err != nil {
			return err
		}
		value := row[head : head+size : head+size]
		if row[0] == mysqlwire.NullValue {
			value = nil
		}
		b.values = append(b.values, value)
		row = row[head+size:]
	}
	if len(row) > 0 {
		return mysqlwire.ErrMalformed
	}
	b.Pass(b.values)
	return nil
}

// Pass calls Each with a row.
func (b *Buffer) Pass(values [][]byte) {
	b.Passed = true
	b.Each(values)
}

// valueSize returns the size of the first value of a row of the protocol, and that of what
// stands before it.
func valueSize(row []byte) (head, size int, err error) {
	if len(row) > 0 && row[0] == mysqlwire.NullValue {
		return 1, 0, nil
	}
	n, head := mysqlwire.LengthEncoded(row)
	if head == 0 || n > uint64(len(row)-head) {
		return 0, 0, mysqlwire.ErrMalformed
	}
	return head, int(n), nil
}

var errTooLarge = errors.New("a result of more than 4 GiB")
