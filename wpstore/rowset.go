package wpstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"slices"
	"strconv"

	"calbridge/wpstore/mysqlwire"
)

// rowSet is the result of a query, read at once: hot loaders make it instead of
// scanning row by row, which costs them several times as much. All values are parts
// of one string, so they stay in memory together.
type rowSet struct {
	// text has the rows as the protocol has them: each value behind its length, or the
	// mark of NULL. Equal text thus means equal values.
	text    string
	ends    []uint32 // where the values end in text
	columns int
}

// len is the number of rows.
func (r *rowSet) len() int {
	if r.columns == 0 {
		return 0
	}
	return len(r.ends) / r.columns
}

// start is where the length of value i begins.
func (r *rowSet) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return r.ends[i-1]
}

// at is a value as text; "" for NULL.
func (r *rowSet) at(row, column int) string {
	i := row*r.columns + column
	start, end := r.start(i), r.ends[i]
	if r.text[start] == mysqlwire.NullValue {
		return ""
	}
	return r.text[start+uint32(mysqlwire.EncodedSize(r.text[start])) : end]
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
	b, _ := db.scratch.Get().(*rowBuffer)
	if b == nil {
		b = &rowBuffer{}
	}
	defer func() {
		if cap(b.text) <= maxScratch {
			db.scratch.Put(b)
		}
	}()
	given := false // before all of it is read
	err := db.read(ctx, name, &given, func(ctx context.Context, on session) error {
		switch on := on.(type) {
		case *sql.DB:
			if db.Engine() != "sqlite" {
				return b.readPool(ctx, on, s)
			}
		case *sql.Conn:
			return b.readConn(ctx, on, s)
		}
		return b.readSQL(ctx, on, s)
	})
	if err != nil {
		return nil, err
	}
	return &rowSet{string(b.text), slices.Clone(b.ends), b.columns}, nil
}

// rowBuffer is a row set in the making. Its memory is used again.
type rowBuffer struct {
	text    []byte
	ends    []uint32
	columns int
	row     []driver.Value
}

func (b *rowBuffer) reset() { b.text, b.ends = b.text[:0], b.ends[:0] }

// maxScratch, in bytes, is more than nearly all results have; the buffers of larger
// ones are not kept. maxResult is what the ends can count.
const (
	maxScratch = 1 << 20
	maxResult  = math.MaxUint32
)

// maxBadConns is how often a connection that turns out to be dead is replaced, as
// in database/sql.
const maxBadConns = 3

// readPool reads on any connection.
func (b *rowBuffer) readPool(ctx context.Context, pool *sql.DB, s statement) error {
	var err error
	for range maxBadConns {
		var conn *sql.Conn
		if conn, err = pool.Conn(ctx); err != nil {
			return err
		}
		err = b.readConn(ctx, conn, s)
		_ = conn.Close() // fails where it has died, and is closed already
		if !errors.Is(err, driver.ErrBadConn) || ctx.Err() != nil {
			break
		}
	}
	return err
}

// readConn reads without what database/sql does for each row and each query:
// conversions by reflection, and a goroutine that waits for the end of the context.
// Where it can, it does without the driver too; see [textReader].
func (b *rowBuffer) readConn(ctx context.Context, conn *sql.Conn, s statement) error {
	b.reset()
	next := keptConnOf(ctx).next(s.text)
	return conn.Raw(func(raw any) error {
		c, ok := raw.(*mysqlConn)
		if !ok {
			return b.readQuery(ctx, raw.(driver.QueryerContext), s)
		}
		return c.until(ctx, func(ctx context.Context) error {
			if c.text != nil && len(s.args) == 0 {
				return c.readText(s.text, next, b)
			}
			if err := c.drain(); err != nil {
				return err
			}
			return b.readQuery(ctx, c, s)
		})
	})
}

func (b *rowBuffer) readQuery(ctx context.Context, on driver.QueryerContext, s statement) error {
	values, err := s.driverArgs()
	if err != nil {
		return err
	}
	rows, err := on.QueryContext(ctx, s.text, values)
	if err != nil {
		return err
	}
	defer rows.Close()
	b.columns = len(rows.Columns())
	if cap(b.row) < b.columns {
		b.row = make([]driver.Value, b.columns)
	}
	row := b.row[:b.columns]
	defer clear(row) // they point into the driver's buffer
	for {
		if err := rows.Next(row); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for _, value := range row {
			if err := b.add(value); err != nil {
				return err
			}
		}
	}
}

// readSQL reads through database/sql: in transactions, and from SQLite.
func (b *rowBuffer) readSQL(ctx context.Context, on session, s statement) error {
	b.reset()
	rows, err := on.QueryContext(ctx, s.text, s.args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	b.columns = len(columns)
	row := make([]sql.RawBytes, b.columns)
	into := make([]any, b.columns)
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for _, value := range row {
			if value == nil {
				err = b.add(nil)
			} else {
				err = b.add([]byte(value))
			}
			if err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// add appends a value as the protocol has it.
func (b *rowBuffer) add(value driver.Value) error {
	switch v := value.(type) {
	case []byte:
		b.text = append(mysqlwire.AppendLength(b.text, len(v)), v...)
	case string:
		b.text = append(mysqlwire.AppendLength(b.text, len(v)), v...)
	case int64:
		at := len(b.text)
		b.text = strconv.AppendInt(append(b.text, 0), v, 10)
		b.text[at] = byte(len(b.text) - at - 1)
	case uint64:
		at := len(b.text)
		b.text = strconv.AppendUint(append(b.text, 0), v, 10)
		b.text[at] = byte(len(b.text) - at - 1)
	case nil:
		b.text = append(b.text, mysqlwire.NullValue)
	default:
		return fmt.Errorf("a value of type %T", value)
	}
	if len(b.text) > maxResult {
		return errTooLarge
	}
	b.ends = append(b.ends, uint32(len(b.text)))
	return nil
}

// addRow appends a row of the protocol.
func (b *rowBuffer) addRow(row []byte) error {
	if len(b.text)+len(row) > maxResult {
		return errTooLarge
	}
	at := 0
	for range b.columns {
		if at < len(row) && row[at] == mysqlwire.NullValue {
			at++
		} else {
			n, size := mysqlwire.LengthEncoded(row[at:])
			if size == 0 || n > uint64(len(row)-at-size) {
				return mysqlwire.ErrMalformed
			}
			at += size + int(n)
		}
		b.ends = append(b.ends, uint32(len(b.text)+at))
	}
	if at != len(row) {
		return mysqlwire.ErrMalformed
	}
	b.text = append(b.text, row...)
	return nil
}

var errTooLarge = errors.New("a result of more than 4 GiB")
