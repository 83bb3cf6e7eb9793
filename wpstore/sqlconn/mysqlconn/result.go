package mysqlconn

import (
	"database/sql/driver"
	"io"

	"calbridge/wpstore/mysqlwire"
)

// execResult is the result of a statement that changes rows.
type execResult mysqlwire.OK

// LastInsertId implements driver.Result.
func (r execResult) LastInsertId() (int64, error) { return int64(r.LastInsertID), nil }

// RowsAffected implements driver.Result.
func (r execResult) RowsAffected() (int64, error) { return int64(r.AffectedRows), nil }

// bufferedRows are rows that were read at once.
type bufferedRows struct {
	set  RowSet
	next int
}

// Columns implements driver.Rows. Nobody needs the names.
func (r *bufferedRows) Columns() []string { return make([]string, r.set.Columns()) }

// Close implements driver.Rows.
func (r *bufferedRows) Close() error { return nil }

// Next implements driver.Rows.
func (r *bufferedRows) Next(row []driver.Value) error {
	if r.next >= r.set.Len() {
		return io.EOF
	}
	for i := range row {
		row[i] = nil
		if !r.set.Null(r.next, i) {
			row[i] = []byte(r.set.At(r.next, i))
		}
	}
	r.next++
	return nil
}
