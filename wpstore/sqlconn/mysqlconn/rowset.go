package mysqlconn

import (
	"fmt"
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

// Len returns the number of rows.
func (r *RowSet) Len() int {
	if r.columns == 0 {
		return 0
	}
	return len(r.ends) / r.columns
}

// start returns where the length of value i begins.
func (r *RowSet) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return r.ends[i-1]
}

// At returns a value as text; "" for NULL.
func (r *RowSet) At(row, column int) string {
	i := row*r.columns + column
	start, end := r.start(i), r.ends[i]
	if r.text[start] == mysqlwire.NullValue {
		return ""
	}
	return r.text[start+uint32(mysqlwire.EncodedSize(r.text[start])) : end]
}

// Null reports whether a value is NULL.
func (r *RowSet) Null(row, column int) bool {
	return r.text[r.start(row*r.columns+column)] == mysqlwire.NullValue
}

// Number returns a value of an integer column; NULL is 0.
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

// Raw returns the text of some rows, for comparison.
func (r *RowSet) Raw(first, last int) string {
	return r.text[r.start(first*r.columns):r.start(last*r.columns)]
}

// Columns returns the number of columns.
func (r *RowSet) Columns() int { return r.columns }
