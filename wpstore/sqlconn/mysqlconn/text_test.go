package mysqlconn

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/wptest"
)

// open opens a pool on a server of the tests.
func open(t *testing.T) *sql.DB {
	t.Helper()
	cfg, err := mysql.ParseDSN(wptest.MariaDB(t))
	if err != nil {
		t.Fatal(err)
	}
	cfg.InterpolateParams = true
	logger := slog.New(slog.DiscardHandler)
	pool := OpenPool(cfg, Settings{MaxLifetime: time.Minute, Session: func() string { return "SET NAMES utf8mb4" }, Logger: logger}, new(atomic.Int64))
	t.Cleanup(func() { pool.Close() })
	return pool
}

// byTheDriver reads the rows of a query through database/sql.
func byTheDriver(ctx context.Context, conn *sql.Conn, query string, into *Buffer) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	into.Columns = len(columns)
	values, targets := make([]sql.RawBytes, len(columns)), make([]any, len(columns))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		for _, value := range values {
			if err := into.Add(value); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// TestTextReaderReadsWhatTheDriverReads compares rows read past the driver with those
// that it reads, of all shapes that the protocol knows.
func TestTextReaderReadsWhatTheDriverReads(t *testing.T) {
	conn, err := open(t).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, query := range []string{
		"SELECT 1",
		"SELECT NULL, '', 'x', 0, -1, 18446744073709551615, -9223372036854775808",
		"SELECT 1 WHERE 1=0",
		"SELECT NULL UNION ALL SELECT 'a' UNION ALL SELECT NULL",
		"SELECT '0000-00-00 00:00:00', DATE('2024-01-10'), TIME('10:00')",
		"SELECT REPEAT('a', 250), REPEAT('b', 251), REPEAT('c', 65535), REPEAT('d', 65536), REPEAT('e', 70000)",
		"SELECT seq, REPEAT(CHAR(65 + seq MOD 26), seq) FROM " + wptest.Sequence(1, 700) + " ORDER BY seq",
		"SELECT REPEAT('a', 9000000), 'between', REPEAT('b', 9000000), 1", // two pieces
		"SELECT REPEAT('a', 16777000), REPEAT('b', 206), 'z'",             // and one that is just full
		"SELECT REPEAT('a', 16777216), 7",                                 // a length of nine bytes
		"SELECT 'ěšč', x'00ff27', '/* ? */'",
	} {
		read := func(do func(*Conn, *Buffer) error) (*Buffer, error) {
			b := &Buffer{}
			err := conn.Raw(func(raw any) error { return do(raw.(*Conn), b) })
			return b, err
		}
		past, err := read(func(c *Conn, b *Buffer) error { return c.ReadText(t.Context(), query, nil, b) })
		through := &Buffer{}
		otherErr := byTheDriver(t.Context(), conn, query, through)
		if err != nil || otherErr != nil {
			t.Fatalf("%s: %v, %v", query, err, otherErr)
		}
		if !reflect.DeepEqual(past.Copy(), through.Copy()) {
			t.Errorf("%s: %d columns %.200q, through the driver %d columns %.200q", query, past.Columns, past.Text(), through.Columns, through.Text())
		}
	}
	// An error leaves the connection as good as it was.
	err = conn.Raw(func(raw any) error {
		return raw.(*Conn).ReadText(t.Context(), "SELECT * FROM nowhere", nil, &Buffer{})
	})
	var serverErr *mysql.MySQLError
	if !errors.As(err, &serverErr) || serverErr.Number != 1146 || string(serverErr.SQLState[:]) != "42S02" || !strings.Contains(serverErr.Message, "nowhere") {
		t.Errorf("of a table that is not there: %v", err)
	}
	err = conn.Raw(func(raw any) error {
		return raw.(*Conn).ReadText(t.Context(), "SELECT 1", nil, &Buffer{})
	})
	if err != nil {
		t.Errorf("after an error: %v", err)
	}
}

// TestCompressedConnections: past the driver there would be compressed packets.
func TestCompressedConnections(t *testing.T) {
	for dsn, want := range map[string]bool{
		"u@tcp(h:1)/d": false, "u@unix(/s)/d": false, "u@tcp(h:1)/d?tls=skip-verify": false, "u@tcp(h:1)/d?compress=true": true,
	} {
		cfg, err := mysql.ParseDSN(dsn)
		if err != nil {
			t.Fatal(err)
		}
		if got := compresses(cfg); got != want {
			t.Errorf("%s: %t", dsn, got)
		}
	}
}

// TestTextReaderRefusesNonsense: an answer that is no result is an error, and none
// that looks like the server's.
func TestTextReaderRefusesNonsense(t *testing.T) {
	for name, stream := range map[string]string{
		"nothing":                "",
		"half a header":          "\x01\x00",
		"half a packet":          "\x05\x00\x00\x01\x01",
		"an empty packet":        "\x00\x00\x00\x01",
		"another sequence":       "\x01\x00\x00\x02\x01",
		"no result":              "\x07\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00",
		"a request for a file":   "\x02\x00\x00\x01\xfbx",
		"too many columns":       "\x03\x00\x00\x01\xfc\xff\xff",
		"a column less":          oneColumn + "\x04\x00\x00\x03\x01a\x01b" + endOfRows(4),
		"a value that is longer": oneColumn + "\x02\x00\x00\x03\x05a" + endOfRows(4),
		"an impossible length":   oneColumn + "\x02\x00\x00\x03\xfd\x01" + endOfRows(4),
		"a second result":        oneColumn + "\x02\x00\x00\x03\x01a" + endOfRows(4) + "\x01\x00\x00\x05\x01",
		"a short error":          "\x02\x00\x00\x01\xff\x01",
	} {
		b := &Buffer{}
		err := fedReader(stream).query("SELECT 1", nil, b)
		var serverErr *mysql.MySQLError
		if err == nil || errors.As(err, &serverErr) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// oneColumn is the head of a result, as MariaDB and as MySQL send it.
const oneColumn = "\x01\x00\x00\x01\x01" + "\x03\x00\x00\x02def"

// endOfRows returns the newer form of the last packet.
func endOfRows(sequence byte) string {
	return "\x07\x00\x00" + string([]byte{sequence}) + "\xfe\x00\x00\x02\x00\x00\x00"
}

// TestTextReaderReadsBothEnds reads one result in the forms that servers have for it.
func TestTextReaderReadsBothEnds(t *testing.T) {
	const row, older = "\x02\x00\x00\x04\x01a", "\xfe\x00\x00\x02\x00"
	for name, stream := range map[string]string{
		"newer":           oneColumn + "\x02\x00\x00\x03\x01a" + endOfRows(4),
		"older":           oneColumn + "\x05\x00\x00\x03" + older + row + "\x05\x00\x00\x05" + older,
		"without columns": "\x02\x00\x00\x01\x01\x00" + "\x02\x00\x00\x02\x01a" + endOfRows(3),
	} {
		b := &Buffer{}
		if err := fedReader(stream).query("SELECT 1", nil, b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if r := b.Copy(); r.Len() != 1 || r.At(0, 0) != "a" {
			t.Errorf("%s: %q", name, b.Text())
		}
	}
}

// FuzzTextReader: whatever a server sends, what is read is consistent.
func FuzzTextReader(f *testing.F) {
	f.Add([]byte(oneColumn + "\x02\x00\x00\x03\x01a" + endOfRows(4)))
	f.Add([]byte("\x09\x00\x00\x01\xff\x7a\x04#42S02x"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		b := &Buffer{}
		passed := &Buffer{}
		passed.Each = func(values [][]byte) {
			for _, value := range values {
				_ = passed.Add(value)
			}
		}
		err, otherErr := fedReader(string(stream)).query("SELECT 1", nil, b), fedReader(string(stream)).query("SELECT 1", nil, passed)
		if (err == nil) != (otherErr == nil) {
			t.Errorf("%v, row by row %v", err, otherErr)
		}
		if err != nil {
			return
		}
		if passed.Columns != b.Columns {
			t.Errorf("row by row %q, at once %q", passed.Text(), b.Text())
		}
		r := b.Copy()
		for row := range r.Len() {
			for column := range r.Columns() {
				_ = r.At(row, column)
			}
		}
		if !reflect.DeepEqual(r, passed.Copy()) && len(passed.Text()) > 0 {
			t.Errorf("row by row %+v, at once %+v", passed.Copy(), r)
		}
	})
}

func fedReader(stream string) *textReader {
	conn := &wire{Conn: fedConn{strings.NewReader(stream)}}
	return newTextReader(conn, conn)
}

// fedConn is a connection whose other side has sent everything already.
type fedConn struct{ io.Reader }

func (fedConn) Write(p []byte) (int, error) { return len(p), nil }

func (fedConn) Close() error { return nil }

func (fedConn) LocalAddr() net.Addr { return nil }

func (fedConn) RemoteAddr() net.Addr { return nil }

func (fedConn) SetDeadline(time.Time) error { return nil }

func (fedConn) SetReadDeadline(time.Time) error { return nil }

func (fedConn) SetWriteDeadline(time.Time) error { return nil }

// TestPipelining: results come in the order of the statements, also where one of them
// fails. A connection with results that nobody has read is not used again.
func TestPipelining(t *testing.T) {
	pool := open(t)
	conn, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ask := func(text string, next ...string) string {
		b := &Buffer{}
		err := conn.Raw(func(raw any) error { return raw.(*Conn).ReadText(t.Context(), text, next, b) })
		if err != nil {
			return err.Error()
		}
		return b.Copy().At(0, 0)
	}
	unread := func() (n int) {
		_ = conn.Raw(func(raw any) error { n = len(raw.(*Conn).text.sent); return nil })
		return n
	}
	large := "SELECT REPEAT('x', 5000000)"
	for _, c := range []struct {
		text   string
		next   []string
		want   string
		unread int
	}{
		{"SELECT 1", []string{"SELECT 2", large, "SELECT 4"}, "1", 3},
		{"SELECT 2", nil, "2", 2},
		{large, nil, strings.Repeat("x", 5000000), 1},
		{"SELECT 4", nil, "4", 0},
		{"SELECT 5", []string{"SELECT * FROM nowhere", "SELECT 7"}, "5", 2},
		{"SELECT * FROM nowhere", nil, "Error 1146", 1},
		{"SELECT 7", nil, "7", 0},
		{"SELECT * FROM nowhere", []string{"SELECT 10"}, "Error 1146", 1},
		{"SELECT 10", nil, "10", 0},
		{"SELECT 11", []string{"SELECT '" + strings.Repeat("y", maxPipelined) + "'"}, "11", 0}, // too long to be sent along
	} {
		if got := ask(c.text, c.next...); !strings.HasPrefix(got, c.want) || unread() != c.unread {
			t.Errorf("%.40s: %.40s, %d unread", c.text, got, unread())
		}
	}
	// No other statement gets what was not read, nor does the next request.
	var n int
	for name, other := range map[string]func() error{
		"past the driver": func() error { return errors.New(ask("SELECT 4")) },
		"row by row":      func() error { return conn.QueryRowContext(t.Context(), "SELECT 11").Scan(&n) },
		"a change": func() error {
			_, err := conn.ExecContext(t.Context(), "SET @x = 1")
			return err
		},
	} {
		ask("SELECT 1", "SELECT 2", "SELECT 3")
		if err := other(); err == nil || !strings.Contains(err.Error(), errUnread.Error()) {
			t.Errorf("%s: %d, %v", name, n, err)
		}
		conn.Close()
		if conn, err = pool.Conn(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	id := ask("SELECT CONNECTION_ID()", "SELECT 2")
	conn.Close()
	if conn, err = pool.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ask("SELECT CONNECTION_ID()") == id {
		t.Error("a connection went back with a result unread")
	}
}
