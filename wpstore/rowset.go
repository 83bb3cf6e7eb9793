package wpstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strconv"
)

// rowSet is the result of a query, read at once: hot loaders make it instead of
// scanning row by row, which costs them several times as much. All values are parts
// of one string, so they stay in memory together.
type rowSet struct {
	// text has each value with its length behind it, so that equal text means equal
	// values.
	text    string
	ends    []int // where the values end in text
	columns int
}

// The length behind a value, and what stands there for NULL.
const (
	lengthSize = 4
	nullLength = 1<<32 - 1
)

// len is the number of rows.
func (r *rowSet) len() int {
	if r.columns == 0 {
		return 0
	}
	return len(r.ends) / r.columns
}

// start is where the value behind the first i begins.
func (r *rowSet) start(i int) int {
	if i == 0 {
		return 0
	}
	return r.ends[i-1] + lengthSize
}

// text of a value; "" for NULL.
func (r *rowSet) at(row, column int) string {
	i := row*r.columns + column
	return r.text[r.start(i):r.ends[i]]
}

// number is a value of an integer column; NULL is 0.
func (r *rowSet) number(row, column int) (int64, error) {
	text := r.at(row, column)
	if text == "" {
		return 0, nil
	}
	return strconv.ParseInt(text, 10, 64)
}

// numbers reads integer columns, which are the first ones of the row.
func (r *rowSet) numbers(row int, into ...*int64) error {
	for column, n := range into {
		var err error
		if *n, err = r.number(row, column); err != nil {
			return fmt.Errorf("column %d: %w", column+1, err)
		}
	}
	return nil
}

// raw is all that some rows hold.
func (r *rowSet) raw(first, last int) string {
	return r.text[r.start(first*r.columns):r.start(last*r.columns)]
}

// Digest stands for stored content: equal digests mean equal content, but for a
// chance of one in 2¹²⁸. It is good within this process only. The zero value stands
// for what was not read from the database.
type Digest [2]uint64

// Digest is that of any text.
func (db *DB) Digest(text []byte) Digest {
	return Digest{maphash.Bytes(db.seeds[0], text), maphash.Bytes(db.seeds[1], text)}
}

func (db *DB) digest(text string) Digest {
	return Digest{maphash.String(db.seeds[0], text), maphash.String(db.seeds[1], text)}
}

// rows runs a SELECT and reads all of its result.
func (db *DB) rows(ctx context.Context, name string, s statement) (*rowSet, error) {
	set := &rowSet{}
	buffer, _ := db.scratch.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	defer db.scratch.Put(buffer)
	err := db.observe(ctx, name, func(ctx context.Context) error {
		*buffer, set.ends = (*buffer)[:0], set.ends[:0]
		if pool, ok := db.session().(*sql.DB); ok && db.Engine() != "sqlite" {
			return set.readDriver(ctx, pool, s, buffer)
		}
		return set.readSQL(ctx, db.session(), s, buffer)
	})
	set.text = string(*buffer)
	return set, err
}

// maxBadConns is how often a connection that turns out to be dead is replaced, as
// in database/sql.
const maxBadConns = 3

// readDriver reads straight from the driver, without what database/sql does for
// each row and each query: conversions by reflection, and a goroutine that waits for
// the end of the context, which the driver does too.
func (r *rowSet) readDriver(ctx context.Context, pool *sql.DB, s statement, buffer *[]byte) error {
	var err error
	for range maxBadConns {
		err = r.readConn(ctx, pool, s, buffer)
		if !errors.Is(err, driver.ErrBadConn) {
			break
		}
	}
	return err
}

func (r *rowSet) readConn(ctx context.Context, pool *sql.DB, s statement, buffer *[]byte) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(raw any) error {
		values, err := s.driverArgs()
		if err != nil {
			return err
		}
		rows, err := raw.(driver.QueryerContext).QueryContext(ctx, s.text, values)
		if err != nil {
			return err
		}
		defer rows.Close()
		r.columns = len(rows.Columns())
		row := make([]driver.Value, r.columns)
		for {
			if err := rows.Next(row); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			for _, value := range row {
				if err := r.add(buffer, value); err != nil {
					return err
				}
			}
		}
	})
}

// readSQL reads through database/sql: in transactions, and from SQLite.
func (r *rowSet) readSQL(ctx context.Context, on session, s statement, buffer *[]byte) error {
	rows, err := on.QueryContext(ctx, s.text, s.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	r.columns = len(columns)
	row := make([]sql.RawBytes, r.columns)
	into := make([]any, r.columns)
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for _, value := range row {
			if value == nil {
				err = r.add(buffer, nil)
			} else {
				err = r.add(buffer, []byte(value))
			}
			if err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// add appends a value and its length.
func (r *rowSet) add(buffer *[]byte, value driver.Value) error {
	b := *buffer
	start, null := len(b), false
	switch v := value.(type) {
	case []byte:
		b = append(b, v...)
	case string:
		b = append(b, v...)
	case int64:
		b = strconv.AppendInt(b, v, 10)
	case uint64:
		b = strconv.AppendUint(b, v, 10)
	case nil:
		null = true
	default:
		return fmt.Errorf("a value of type %T", value)
	}
	r.ends = append(r.ends, len(b))
	length := uint32(len(b) - start)
	if null {
		length = nullLength
	}
	*buffer = binary.LittleEndian.AppendUint32(b, length)
	return nil
}
