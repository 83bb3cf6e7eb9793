package sqlconn

import (
	"bytes"
	"errors"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

// TestTextReaderReadsWhatTheDriverReads compares rows read past the driver with those
// that it reads, of all shapes that the protocol knows.
func TestTextReaderReadsWhatTheDriverReads(t *testing.T) {
	plain := mustOpen(t, Config{DSN: wptest.MariaDB(t)})
	conn, err := plain.configured.pool.Conn(t.Context())
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
		"SELECT seq, REPEAT(CHAR(65 + seq MOD 26), seq) FROM seq_1_to_700",
		"SELECT REPEAT('a', 9000000), 'between', REPEAT('b', 9000000), 1", // two pieces
		"SELECT REPEAT('a', 16777000), REPEAT('b', 206), 'z'",             // and one that is just full
		"SELECT REPEAT('a', 16777216), 7",                                 // a length of nine bytes
		"SELECT 'ěšč', x'00ff27', '/* ? */'",
	} {
		read := func(do func(*mysqlConn, *rowBuffer) error) (*rowBuffer, error) {
			b := &rowBuffer{}
			err := conn.Raw(func(raw any) error { return do(raw.(*mysqlConn), b) })
			return b, err
		}
		past, err := read(func(c *mysqlConn, b *rowBuffer) error { return c.readText(query, nil, b) })
		through, otherErr := read(func(c *mysqlConn, b *rowBuffer) error { return readQuery(t.Context(), c, Statement{Text: query}, b) })
		if err != nil || otherErr != nil {
			t.Fatalf("%s: %v, %v", query, err, otherErr)
		}
		if past.columns != through.columns || !slices.Equal(past.ends, through.ends) || !bytes.Equal(past.text, through.text) {
			t.Errorf("%s: %d columns %d values %.200q, through the driver %d columns %d values %.200q", query,
				past.columns, len(past.ends), past.text, through.columns, len(through.ends), through.text)
		}
	}
	// An error leaves the connection as good as it was.
	err = conn.Raw(func(raw any) error { return raw.(*mysqlConn).readText("SELECT * FROM nowhere", nil, &rowBuffer{}) })
	var told *mysql.MySQLError
	if !errors.As(err, &told) || told.Number != 1146 || string(told.SQLState[:]) != "42S02" || !strings.Contains(told.Message, "nowhere") {
		t.Errorf("of a table that is not there: %v", err)
	}
	err = conn.Raw(func(raw any) error { return raw.(*mysqlConn).readText("SELECT 1", nil, &rowBuffer{}) })
	if err != nil {
		t.Errorf("after an error: %v", err)
	}
}

// TestEncryptedConnectionsAreReadByTheDriver: past it there would be cipher text.
func TestEncryptedConnectionsAreReadByTheDriver(t *testing.T) {
	for dsn, want := range map[string]bool{
		"u@tcp(h:1)/d": true, "u@unix(/s)/d": true, "u@tcp(h:1)/d?tls=skip-verify": false, "u@tcp(h:1)/d?tls=preferred": false,
		"u@tcp(h:1)/d?tls=false": true, "u@tcp(h:1)/d?compress=true": false,
	} {
		cfg, err := driverConfig(&Config{}, dsn)
		if err != nil {
			t.Fatal(err)
		}
		if got := sendsPlainly(cfg); got != want {
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
		b := &rowBuffer{}
		err := fedReader(stream).query("SELECT 1", nil, b)
		var told *mysql.MySQLError
		if err == nil || errors.As(err, &told) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// oneColumn is the head of a result, as MariaDB and as MySQL send it.
const oneColumn = "\x01\x00\x00\x01\x01" + "\x03\x00\x00\x02def"

// endOfRows is the newer form of the last packet.
func endOfRows(sequence byte) string {
	return "\x07\x00\x00" + string([]byte{sequence}) + "\xfe\x00\x00\x02\x00\x00\x00"
}

// TestTextReaderKnowsBothEnds reads one result in the forms that servers have for it.
func TestTextReaderKnowsBothEnds(t *testing.T) {
	const row, older = "\x02\x00\x00\x04\x01a", "\xfe\x00\x00\x02\x00"
	for name, stream := range map[string]string{
		"newer":           oneColumn + "\x02\x00\x00\x03\x01a" + endOfRows(4),
		"older":           oneColumn + "\x05\x00\x00\x03" + older + row + "\x05\x00\x00\x05" + older,
		"without columns": "\x02\x00\x00\x01\x01\x00" + "\x02\x00\x00\x02\x01a" + endOfRows(3),
	} {
		b := &rowBuffer{}
		if err := fedReader(stream).query("SELECT 1", nil, b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if r := (&RowSet{string(b.text), b.ends, b.columns}); r.Len() != 1 || r.At(0, 0) != "a" {
			t.Errorf("%s: %q", name, b.text)
		}
	}
}

// FuzzTextReader: whatever a server sends, what is read is consistent.
func FuzzTextReader(f *testing.F) {
	f.Add([]byte(oneColumn + "\x02\x00\x00\x03\x01a" + endOfRows(4)))
	f.Add([]byte("\x09\x00\x00\x01\xff\x7a\x04#42S02x"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		b := &rowBuffer{}
		if err := fedReader(string(stream)).query("SELECT 1", nil, b); err != nil {
			return
		}
		r := &RowSet{string(b.text), b.ends, b.columns}
		for row := range r.Len() {
			for column := range r.columns {
				_ = r.At(row, column)
			}
		}
		if n := r.Len() * r.columns; n != len(r.ends) {
			t.Errorf("%d values of %d columns", len(r.ends), r.columns)
		}
	})
}

func fedReader(stream string) *textReader {
	return newTextReader(&wire{Conn: fedConn{strings.NewReader(stream)}})
}

// fedConn is a connection whose other side has said everything already.
type fedConn struct{ io.Reader }

func (fedConn) Write(p []byte) (int, error) { return len(p), nil }

func (fedConn) Close() error { return nil }

func (fedConn) LocalAddr() net.Addr { return nil }

func (fedConn) RemoteAddr() net.Addr { return nil }

func (fedConn) SetDeadline(time.Time) error { return nil }

func (fedConn) SetReadDeadline(time.Time) error { return nil }

func (fedConn) SetWriteDeadline(time.Time) error { return nil }

// TestStatementsTogether: results come in the order of the statements, also where one
// of them fails or is asked for no more.
func TestStatementsTogether(t *testing.T) {
	db := mustOpen(t, Config{DSN: wptest.MariaDB(t)})
	conn, err := db.configured.pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	ask := func(text string, next ...string) string {
		b := &rowBuffer{}
		err := conn.Raw(func(raw any) error { return raw.(*mysqlConn).readText(text, next, b) })
		if err != nil {
			return err.Error()
		}
		return (&RowSet{string(b.text), b.ends, b.columns}).At(0, 0)
	}
	unread := func() (n int) {
		_ = conn.Raw(func(raw any) error { n = len(raw.(*mysqlConn).text.sent); return nil })
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
		{"SELECT 8", []string{"SELECT 9"}, "8", 1}, // of other ones
		{"SELECT 9", nil, "9", 0},
		{"SELECT * FROM nowhere", []string{"SELECT 10"}, "Error 1146", 1},
		{"SELECT 10", nil, "10", 0},
		{"SELECT 11", []string{"SELECT '" + strings.Repeat("y", maxTogether) + "'"}, "11", 0}, // too long to be sent along
	} {
		if got := ask(c.text, c.next...); !strings.HasPrefix(got, c.want) || unread() != c.unread {
			t.Errorf("%.40s: %.40s, %d unread", c.text, got, unread())
		}
	}
	// Nor may the driver meet what was not read, nor the next user of the connection.
	ask("SELECT 1", "SELECT 2", "SELECT 3")
	b := &rowBuffer{}
	if err := readConn(t.Context(), conn, Statement{"SELECT ?", []any{int64(12)}}, nil, b); err != nil || string(b.text) != "\x0212" {
		t.Errorf("through the driver: %q, %v", b.text, err)
	}
	id := ask("SELECT CONNECTION_ID()", "SELECT 2")
	conn.Close()
	if conn, err = db.configured.pool.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ask("SELECT CONNECTION_ID()") == id {
		t.Error("a connection went back with a result unread")
	}
}

// TestOneByOne: where something between takes one statement at a time, that is what
// it gets.
func TestOneByOne(t *testing.T) {
	cfg, err := mysql.ParseDSN(wptest.MariaDB(t))
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Net != "unix" {
		t.Skip("needs a server on a socket")
	}
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	target := cfg.Addr
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("unix", target)
			if err != nil {
				in.Close()
				return
			}
			go func() {
				_, _ = io.Copy(in, out)
				in.Close()
			}()
			go func() {
				defer out.Close()
				for buf := make([]byte, 64<<10); ; {
					n, err := in.Read(buf)
					if err != nil || bytes.Count(buf[:n], []byte("SELECT")) > 1 {
						in.Close()
						return
					}
					_, _ = out.Write(buf[:n])
				}
			}()
		}
	}()
	cfg.Addr = l.Addr().String()
	db := mustOpen(t, Config{DSN: cfg.FormatDSN()})
	run := NewRunner(db, nil)
	defer run.KeepConnection()()
	run.kept.announce(Statement{Text: "SELECT 1"}, Statement{Text: "SELECT 2"})
	for _, want := range []string{"1", "2"} {
		rows, err := run.Rows(t.Context(), "test", Statement{Text: "SELECT " + want})
		if err != nil || rows.At(0, 0) != want {
			t.Errorf("SELECT %s: %v", want, err)
		}
	}
}

// TestInlined: arguments stand in the text only where nothing has to be quoted.
func TestInlined(t *testing.T) {
	for _, c := range []struct {
		text string
		args []any
		want string // "" for unchanged
	}{
		{"SELECT ? FROM t WHERE x IN (?,?)", []any{int64(-5), "publish", "_tribe modified-fields:1"}, "SELECT -5 FROM t WHERE x IN ('publish','_tribe modified-fields:1')"},
		{"SELECT ?", []any{"it's"}, ""},
		{"SELECT ?", []any{`a\b`}, ""},
		{"SELECT ?", []any{"ě"}, ""},
		{"SELECT ?, '?'", []any{"a"}, ""},
		{"SELECT ?", []any{1.5}, ""},
		{"SELECT 1", nil, "SELECT 1"},
	} {
		got := inlined(Statement{c.text, c.args})
		if c.want == "" && (got.Text != c.text || len(got.Args) != len(c.args)) || c.want != "" && (got.Text != c.want || got.Args != nil) {
			t.Errorf("%s %v: %s %v", c.text, c.args, got.Text, got.Args)
		}
	}
}

// TestKeptConnection: the reads of a request run on one connection, which goes back
// to the pool, and is replaced when it dies.
func TestKeptConnection(t *testing.T) {
	db := mustOpen(t, Config{DSN: wptest.MariaDB(t), MaxOpen: 2})
	id := func(run *Runner) string {
		rows, err := run.Rows(t.Context(), "test", Statement{Text: "SELECT CONNECTION_ID()"})
		if err != nil {
			t.Fatal(err)
		}
		return rows.At(0, 0)
	}
	run := NewRunner(db, nil)
	done := run.KeepConnection()
	first := id(run)
	if id(run) != first || len(db.configured.places) != 1 {
		t.Errorf("another connection, or %d places", len(db.configured.places))
	}
	if other := id(NewRunner(db, nil)); other == first {
		t.Error("another request had the same connection")
	}
	if _, err := db.SQL().ExecContext(t.Context(), "KILL "+first); err != nil {
		t.Fatal(err)
	}
	if id(run) == first {
		t.Error("the dead connection answers")
	}
	done()
	id(run)
	if n := len(db.configured.places); n != 0 {
		t.Errorf("%d places are taken in the end", n)
	}
	// A statement of another kind does not need a second place.
	one := mustOpen(t, Config{DSN: wptest.MariaDB(t), MaxOpen: 1, PoolWait: time.Second})
	run = NewRunner(one, nil)
	defer run.KeepConnection()()
	for range 2 {
		if _, err := run.Rows(t.Context(), "test", Statement{Text: "SELECT 1"}); err != nil {
			t.Error(err)
		}
		if err := run.Transact(t.Context(), func(*Runner) (func(error), error) { return nil, nil }); err != nil {
			t.Error(err)
		}
		if _, err := run.Number(t.Context(), "test", sq.Select("COUNT(*)").From("wp_options")); err != nil && !errors.Is(err, wpstore.ErrSchema) {
			t.Error(err)
		}
	}
}
