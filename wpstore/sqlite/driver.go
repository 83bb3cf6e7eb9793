package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"calbridge/wpstore/collation"

	"modernc.org/sqlite"
)

// Memory is the file name of a database in memory.
const Memory = ":memory:"

// BusyTimeout is how long a statement waits for another connection's lock.
const BusyTimeout = 5 * time.Second

// Connector opens connections to one database for sql.OpenDB.
type Connector struct {
	driver *sqlite.Driver
	name   string
}

// NewConnector returns a connector for a file. With the name ":memory:" all connections of
// the connector share a database in memory, which exists as long as one of them is open.
// now is the clock of SQL's now().
func NewConnector(file string, now func() time.Time) (*Connector, error) {
	if file == "" {
		return nil, errors.New("the name of the SQLite file is missing")
	}
	drv := &sqlite.Driver{}
	if err := register(drv, now); err != nil {
		return nil, fmt.Errorf("prepare the embedded engine: %w", err)
	}
	options := url.Values{
		"_txlock": {"immediate"},
		"_dqs":    {"0"}, // "x" is always a name
		"_pragma": {
			fmt.Sprintf("busy_timeout(%d)", BusyTimeout.Milliseconds()),
			"synchronous(NORMAL)",
			"temp_store(MEMORY)",
		},
	}
	if file == Memory {
		options.Set("vfs", "memdb")
		return &Connector{drv, fmt.Sprintf("file:/calbridge-%016x?%s", rand.Uint64(), options.Encode())}, nil
	}
	options.Add("_pragma", "journal_mode(WAL)")
	path := (&url.URL{Path: file}).EscapedPath()
	return &Connector{drv, "file:" + path + "?" + options.Encode()}, nil
}

// Connect implements driver.Connector. A new file gets its journal mode from the first
// connection. SQLite doesn't wait for locks while it sets that mode, so Connect retries for
// BusyTimeout.
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, BusyTimeout)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for {
		conn, err := c.driver.Open(c.name)
		if !busy(err) {
			return conn, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(connectPause):
		}
	}
}

// connectPause is the time between two attempts to open a file.
const connectPause = 5 * time.Millisecond

// busy reports whether another connection has locked the file.
func busy(err error) bool {
	const code, primary = 5, 0xff // SQLITE_BUSY; the other bits have the reason
	failed := (*sqlite.Error)(nil)
	return errors.As(err, &failed) && failed.Code()&primary == code
}

// Driver implements driver.Connector.
func (c *Connector) Driver() driver.Driver { return c.driver }

func register(drv *sqlite.Driver, now func() time.Time) error {
	clock := func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		return now().UTC().Format(time.DateTime), nil
	}
	like := new(likeFunction)
	return errors.Join(
		drv.RegisterCollationUtf8(collation.Name, collation.Compare),
		drv.RegisterFunction("like", &sqlite.FunctionImpl{NArgs: 2, Deterministic: true, VolatileArgs: true, Scalar: like.call}),
		drv.RegisterDeterministicScalarFunction("cast_datetime", 1, castDatetime),
		drv.RegisterScalarFunction("now", 0, clock),
		drv.RegisterScalarFunction("current_timestamp", 0, clock),
	)
}

// likeFunction implements LIKE. It caches the last compiled patterns, since a statement
// uses the same few for each row.
type likeFunction struct {
	cache [8]atomic.Pointer[compiled]
	next  atomic.Uint32
}

type compiled struct {
	text    string
	pattern collation.Pattern
}

// call evaluates text LIKE pattern, which SQLite passes as like(pattern, text).
func (f *likeFunction) call(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	pattern, ok := text(args[0])
	if !ok {
		return nil, nil
	}
	subject, ok := text(args[1])
	if !ok {
		return nil, nil
	}
	if f.compile(pattern).Match(subject) {
		return int64(1), nil
	}
	return int64(0), nil
}

func (f *likeFunction) compile(pattern string) collation.Pattern {
	for i := range f.cache {
		if c := f.cache[i].Load(); c != nil && c.text == pattern {
			return c.pattern
		}
	}
	// The pattern is in SQLite's memory, which is freed after the call.
	c := &compiled{text: strings.Clone(pattern), pattern: collation.Compile(pattern)}
	f.cache[f.next.Add(1)%uint32(len(f.cache))].Store(c)
	return c.pattern
}

// text converts an argument to text; false for NULL.
func text(v driver.Value) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "", false
	case string:
		return v, true
	case []byte:
		return string(v), true
	default:
		return fmt.Sprint(v), true
	}
}
