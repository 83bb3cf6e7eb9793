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
	"math"
	"slices"
	"strconv"
)

// rowSet is the result of a query, read at once: hot loaders make it instead of
// scanning row by row, which costs them several times as much. All values are parts
// of one string, so they stay in memory together.
type rowSet struct {
	// text has each value with its length behind it, so that equal text means equal
	// values. Integers that the driver has read are in binary.
	text    string
	ends    []uint32 // where the values end in text
	columns int
}

// The length behind a value, and what stands there for NULL and for an integer in
// binary.
const (
	lengthSize    = 4
	integerSize   = 8
	nullLength    = 1<<32 - 1
	integerLength = 1<<32 - 2
)

// len is the number of rows.
func (r *rowSet) len() int {
	if r.columns == 0 {
		return 0
	}
	return len(r.ends) / r.columns
}

// start is where the value behind the first i begins.
func (r *rowSet) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return r.ends[i-1] + lengthSize
}

// at is a value as text; "" for NULL.
func (r *rowSet) at(row, column int) string {
	i := row*r.columns + column
	if n, ok := r.integer(i); ok {
		return strconv.FormatInt(n, 10)
	}
	return r.text[r.start(i):r.ends[i]]
}

// integer is a value that is one in binary.
func (r *rowSet) integer(i int) (n int64, ok bool) {
	end := r.ends[i]
	if end-r.start(i) != integerSize || r.text[end:end+lengthSize] != "\xfe\xff\xff\xff" {
		return 0, false
	}
	for at := end; at > end-integerSize; at-- {
		n = n<<8 | int64(r.text[at-1])
	}
	return n, true
}

// number is a value of an integer column; NULL is 0.
func (r *rowSet) number(row, column int) (int64, error) {
	i := row*r.columns + column
	if n, ok := r.integer(i); ok {
		return n, nil
	}
	text := r.text[r.start(i):r.ends[i]]
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
		if pool, ok := on.(*sql.DB); ok && db.Engine() != "sqlite" {
			return b.readDriver(ctx, pool, s)
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

// readDriver reads straight from the driver, without what database/sql does for
// each row and each query: conversions by reflection, and a goroutine that waits for
// the end of the context, which the driver does too.
func (b *rowBuffer) readDriver(ctx context.Context, pool *sql.DB, s statement) error {
	var err error
	for range maxBadConns {
		b.reset()
		err = b.readConn(ctx, pool, s)
		if !errors.Is(err, driver.ErrBadConn) || ctx.Err() != nil {
			break
		}
	}
	return err
}

func (b *rowBuffer) readConn(ctx context.Context, pool *sql.DB, s statement) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(raw any) error {
		if c, ok := raw.(*mysqlConn); ok {
			return c.until(ctx, func(ctx context.Context) error { return b.readQuery(ctx, c, s) })
		}
		return b.readQuery(ctx, raw.(driver.QueryerContext), s)
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

// add appends a value and its length.
func (b *rowBuffer) add(value driver.Value) error {
	length := uint32(0)
	switch v := value.(type) {
	case []byte:
		b.text = append(b.text, v...)
		length = uint32(len(v))
	case string:
		b.text = append(b.text, v...)
		length = uint32(len(v))
	case int64:
		b.text = binary.LittleEndian.AppendUint64(b.text, uint64(v))
		length = integerLength
	case uint64: // ids; none is as large as the sign bit
		b.text = binary.LittleEndian.AppendUint64(b.text, v)
		length = integerLength
	case nil:
		length = nullLength
	default:
		return fmt.Errorf("a value of type %T", value)
	}
	if len(b.text) > maxResult-lengthSize {
		return errors.New("a result of more than 4 GiB")
	}
	b.ends = append(b.ends, uint32(len(b.text)))
	b.text = binary.LittleEndian.AppendUint32(b.text, length)
	return nil
}
