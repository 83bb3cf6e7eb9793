package wptest

import (
	"database/sql"
	"fmt"
	"strings"
)

// bulkRows is how many rows go into one INSERT: SQLite binds 32,766 values at
// most.
const bulkRows = 500

// bulk collects the rows of one table and inserts them in blocks.
type bulk struct {
	tx      *sql.Tx
	head    string
	columns int
	values  []any
	err     error
}

func newBulk(tx *sql.Tx, table string, columns ...string) *bulk {
	return &bulk{tx: tx, head: fmt.Sprintf("INSERT INTO `%s` (%s) VALUES ", table, strings.Join(columns, ", ")), columns: len(columns)}
}

// add takes one row; an error shows up in flush.
func (b *bulk) add(values ...any) {
	b.values = append(b.values, values...)
	if len(b.values) >= bulkRows*b.columns {
		b.err = b.flush()
	}
}

// flush inserts what is left.
func (b *bulk) flush() error {
	if b.err != nil || len(b.values) == 0 {
		return b.err
	}
	row := "(" + strings.TrimSuffix(strings.Repeat("?,", b.columns), ",") + "),"
	text := b.head + strings.TrimSuffix(strings.Repeat(row, len(b.values)/b.columns), ",")
	_, err := b.tx.Exec(text, b.values...)
	b.values = b.values[:0]
	if err != nil {
		return fmt.Errorf("%s: %w", b.head, err)
	}
	return nil
}
