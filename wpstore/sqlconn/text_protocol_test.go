package sqlconn

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
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
	conn, err := plain.primary.pool.Conn(t.Context())
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
		through := &rowBuffer{}
		otherErr := readSQL(t.Context(), conn, Statement{Text: query}, through)
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
	var serverErr *mysql.MySQLError
	if !errors.As(err, &serverErr) || serverErr.Number != 1146 || string(serverErr.SQLState[:]) != "42S02" || !strings.Contains(serverErr.Message, "nowhere") {
		t.Errorf("of a table that is not there: %v", err)
	}
	err = conn.Raw(func(raw any) error { return raw.(*mysqlConn).readText("SELECT 1", nil, &rowBuffer{}) })
	if err != nil {
		t.Errorf("after an error: %v", err)
	}
}

// TestCompressedConnectionsAreReadByTheDriver: past it there would be compressed packets.
func TestCompressedConnectionsAreReadByTheDriver(t *testing.T) {
	for dsn, want := range map[string]bool{
		"u@tcp(h:1)/d": false, "u@unix(/s)/d": false, "u@tcp(h:1)/d?tls=skip-verify": false, "u@tcp(h:1)/d?compress=true": true,
	} {
		cfg, err := driverConfig(&Config{}, dsn)
		if err != nil {
			t.Fatal(err)
		}
		if got := compresses(cfg); got != want {
			t.Errorf("%s: %t", dsn, got)
		}
	}
	db := mustOpen(t, Config{DSN: wptest.MariaDB(t) + "?compress=true"})
	rows, err := NewRunner(db, nil).Rows(t.Context(), "test", Statement{Text: "SELECT REPEAT('x', 100000)"})
	if err != nil || len(rows.At(0, 0)) != 100000 {
		t.Errorf("a compressed result: %v", err)
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
		var serverErr *mysql.MySQLError
		if err == nil || errors.As(err, &serverErr) {
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

// TestTextReaderReadsBothEnds reads one result in the forms that servers have for it.
func TestTextReaderReadsBothEnds(t *testing.T) {
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
		passed := &rowBuffer{}
		passed.each = func(values [][]byte) {
			for _, value := range values {
				_ = passed.add(value)
			}
		}
		err, otherErr := fedReader(string(stream)).query("SELECT 1", nil, b), fedReader(string(stream)).query("SELECT 1", nil, passed)
		if (err == nil) != (otherErr == nil) {
			t.Errorf("%v, row by row %v", err, otherErr)
		}
		if err != nil {
			return
		}
		if passed.columns != b.columns || len(passed.ends) != len(b.ends) {
			t.Errorf("row by row %q, at once %q", passed.text, b.text)
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
// fails or is not fetched.
func TestPipelining(t *testing.T) {
	db := mustOpen(t, Config{DSN: wptest.MariaDB(t)})
	conn, err := db.primary.pool.Conn(t.Context())
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
		{"SELECT 11", []string{"SELECT '" + strings.Repeat("y", maxPipelined) + "'"}, "11", 0}, // too long to be sent along
	} {
		if got := ask(c.text, c.next...); !strings.HasPrefix(got, c.want) || unread() != c.unread {
			t.Errorf("%.40s: %.40s, %d unread", c.text, got, unread())
		}
	}
	// The driver must not meet what was not read, nor must the next request.
	ask("SELECT 1", "SELECT 2", "SELECT 3")
	var n int
	if err := conn.QueryRowContext(t.Context(), "SELECT 11").Scan(&n); err != nil || n != 11 {
		t.Errorf("row by row: %d, %v", n, err)
	}
	ask("SELECT 1", "SELECT 2", "SELECT 3")
	b := &rowBuffer{}
	if err := readConn(t.Context(), conn, Statement{"SELECT ?", []any{int64(12)}}, nil, b); err != nil || string(b.text) != "\x0212" {
		t.Errorf("through the driver: %q, %v", b.text, err)
	}
	id := ask("SELECT CONNECTION_ID()", "SELECT 2")
	conn.Close()
	if conn, err = db.primary.pool.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ask("SELECT CONNECTION_ID()") == id {
		t.Error("a connection went back with a result unread")
	}
}

// TestProxyWithoutPipelining: behind a proxy that takes one statement at a time, that
// is what it gets.
func TestProxyWithoutPipelining(t *testing.T) {
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
	run.conn.announce(Statement{Text: "SELECT 1"}, Statement{Text: "SELECT 2"})
	for _, want := range []string{"1", "2"} {
		rows, err := run.Rows(t.Context(), "test", Statement{Text: "SELECT " + want})
		if err != nil || rows.At(0, 0) != want {
			t.Errorf("SELECT %s: %v", want, err)
		}
	}
}

// TestDriverOnly runs the same statements with [Config].DriverOnly and without, in the
// clear and over TLS.
func TestDriverOnly(t *testing.T) {
	web := httptest.NewTLSServer(nil) // for its certificate
	web.Close()
	cert := web.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certFile, keyFile := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: cert.Certificate[0]}, keyFile: {Type: "PRIVATE KEY", Bytes: key}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dsn := wptest.Replicated(t, "--ssl-cert="+certFile, "--ssl-key="+keyFile)
	inTheClear := testDriverOnly(t, dsn, "")
	overTLS := testDriverOnly(t, dsn+"?tls=skip-verify", "TLS")
	if !slices.Equal(inTheClear, overTLS) {
		t.Errorf("in the clear %.2000q\nover TLS %.2000q", inTheClear, overTLS)
	}
}

// testDriverOnly returns the results, which must be the same both ways.
func testDriverOnly(t *testing.T, dsn, protocol string) []string {
	t.Helper()
	statements := []Statement{
		{Text: "SELECT 1 AS a, NULL AS b, 'ěšč' AS c UNION ALL SELECT 2, '', REPEAT('x', 70000)"},
		{Text: "SELECT 1 WHERE 1=0"},
		{Text: "SELECT * FROM nowhere"},
		{Text: "SELECT -5, 18446744073709551615, '0000-00-00 00:00:00'"},
		{Text: "SELECT ?, ?", Args: []any{int64(7), "it's"}},
	}
	results := map[bool][]string{}
	for _, driverOnly := range []bool{false, true} {
		db := mustOpen(t, Config{DSN: dsn, DriverOnly: driverOnly})
		if got := askText(t, db, sq.Expr("SELECT LEFT(VARIABLE_VALUE, 3) FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_version'")); got != protocol {
			t.Errorf("driver only %t: the protocol is %q", driverOnly, got)
		}
		for _, shared := range []bool{false, true} {
			run := NewRunner(db, nil)
			if shared {
				done := run.KeepConnection()
				defer done()
			}
			announced := false
			if err := run.Announce(func() ([]Statement, error) { announced = true; return statements[:4], nil }); err != nil {
				t.Fatal(err)
			}
			if want := shared && !driverOnly; announced != want {
				t.Errorf("driver only %t, shared %t: announced %t", driverOnly, shared, announced)
			}
			for i, s := range statements {
				if i == 4 {
					AnnounceNothing(run)
				}
				rows, err := run.Rows(t.Context(), "test", s)
				if (err != nil) != (i == 2) || err != nil && !errors.Is(err, wpstore.ErrSchema) {
					t.Errorf("driver only %t, shared %t: %s: %v", driverOnly, shared, s.Text, err)
				}
				results[driverOnly] = append(results[driverOnly], fmt.Sprintf("%.100s %+v", s.Text, rows))
			}
			if shared {
				err := run.conn.conn.Raw(func(raw any) error {
					if past := raw.(*mysqlConn).text != nil; past == driverOnly {
						t.Errorf("driver only %t: rows are read past it: %t", driverOnly, past)
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		}
	}
	if !slices.Equal(results[true], results[false]) {
		t.Errorf("by the driver %.2000q\npast it %.2000q", results[true], results[false])
	}
	return results[true]
}
