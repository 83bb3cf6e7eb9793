package sqlconn

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"calbridge/wpstore/mysqlwire"
)

// RowSet is the result of a query, read at once, which costs a fraction of scanning row
// by row. All values are parts of one string, so they stay in memory together.
type RowSet struct {
	// text has the rows as the protocol has them: each value after its length, or the
	// mark of NULL. Equal text thus means equal values.
	text    string
	ends    []uint32 // where the values end in text
	columns int
}

// Len is the number of rows.
func (r *RowSet) Len() int {
	if r.columns == 0 {
		return 0
	}
	return len(r.ends) / r.columns
}

// start is where the length of value i begins.
func (r *RowSet) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return r.ends[i-1]
}

// At is a value as text; "" for NULL.
func (r *RowSet) At(row, column int) string {
	i := row*r.columns + column
	start, end := r.start(i), r.ends[i]
	if r.text[start] == mysqlwire.NullValue {
		return ""
	}
	return r.text[start+uint32(mysqlwire.EncodedSize(r.text[start])) : end]
}

// null says whether a value is NULL.
func (r *RowSet) null(row, column int) bool {
	return r.text[r.start(row*r.columns+column)] == mysqlwire.NullValue
}

// Number is a value of an integer column; NULL is 0.
func (r *RowSet) Number(row, column int) (int64, error) {
	text := r.At(row, column)
	if text == "" {
		return 0, nil
	}
	return strconv.ParseInt(text, 10, 64)
}

// Numbers reads integer columns, which are the first ones of the row.
func (r *RowSet) Numbers(row int, into ...*int64) error {
	for column, n := range into {
		var err error
		if *n, err = r.Number(row, column); err != nil {
			return fmt.Errorf("column %d: %w", column+1, err)
		}
	}
	return nil
}

// Raw is the text of some rows, for comparison.
func (r *RowSet) Raw(first, last int) string {
	return r.text[r.start(first*r.columns):r.start(last*r.columns)]
}

// Columns is the number of columns.
func (r *RowSet) Columns() int { return r.columns }

// rowBuffer collects a row set. Its memory is reused. With each it collects nothing, and
// calls each for each row instead.
type rowBuffer struct {
	text    []byte
	ends    []uint32
	columns int

	each   func(values [][]byte)
	values [][]byte
	passed bool // each was called
}

func (b *rowBuffer) reset() { b.text, b.ends, b.columns = b.text[:0], b.ends[:0], 0 }

// Buffers of results above maxScratch bytes, of which there are few, are not reused.
// maxResult is the largest offset in ends.
const (
	maxScratch = 1 << 20
	maxResult  = math.MaxUint32
)

// add appends a value as the protocol has it; nil is NULL.
func (b *rowBuffer) add(value []byte) error {
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

// addRow appends a row of the protocol.
func (b *rowBuffer) addRow(row []byte) error {
	if b.each != nil {
		return b.pass(row)
	}
	if len(b.text)+len(row) > maxResult {
		return errTooLarge
	}
	at := 0
	for range b.columns {
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

// pass calls each with the values of a row of the protocol.
func (b *rowBuffer) pass(row []byte) error {
	b.values = b.values[:0]
	for range b.columns {
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
	b.passed = true
	b.each(b.values)
	return nil
}

// valueSize is the size of the first value of a row of the protocol, and that of what
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
