package sqlconn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/mysqlconn"
	"calbridge/wpstore/wptest"
)

// TestCompressedConnectionsAreReadByTheDriver: past it there would be compressed packets.
func TestCompressedConnectionsAreReadByTheDriver(t *testing.T) {
	db := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t)+"?compress=true")})
	rows, err := NewRunner(db, nil).Rows(t.Context(), "test", Statement{Text: "SELECT REPEAT('x', 100000)"})
	if err != nil || len(rows.At(0, 0)) != 100000 {
		t.Errorf("a compressed result: %v", err)
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
	db := mustOpen(t, Config{Database: wptest.Address(t, cfg.FormatDSN())})
	run := NewRunner(db, nil)
	defer run.KeepConnection(t.Context())()
	b, got := NewBatch(run), ""
	for _, text := range []string{"SELECT 1", "SELECT 2"} {
		b.Rows("test", Statement{Text: text}, func(rows *mysqlconn.RowSet) error {
			got += rows.At(0, 0)
			return nil
		})
	}
	if err := b.Send(t.Context()); err != nil || got != "12" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestDriverOnly runs the same statements with [Config].DriverOnly and without, in the
// clear and over TLS.
func TestDriverOnly(t *testing.T) {
	dir := t.TempDir()
	if err := wptest.WriteCertificate(dir); err != nil {
		t.Fatal(err)
	}
	dsn := wptest.Replicated(t, "--ssl-cert="+filepath.Join(dir, "cert.pem"), "--ssl-key="+filepath.Join(dir, "key.pem"))
	inTheClear := testDriverOnly(t, dsn, "")
	overTLS := testDriverOnly(t, dsn+"?tls=skip-verify", "TLS")
	if !slices.Equal(inTheClear, overTLS) {
		t.Errorf("in the clear %.2000q\nover TLS %.2000q", inTheClear, overTLS)
	}
}

// sessionStatus returns the server's table of what SHOW STATUS says.
func sessionStatus(t *testing.T) string {
	t.Helper()
	if isMySQL, version := wptest.ServerKind(t); isMySQL && !strings.HasPrefix(version, "5.6.") {
		return "performance_schema.session_status"
	}
	return "information_schema.SESSION_STATUS"
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
		db := mustOpen(t, Config{Database: wptest.Address(t, dsn), DriverOnly: driverOnly})
		if got := askText(t, db, sq.Expr("SELECT LEFT(VARIABLE_VALUE, 3) FROM "+sessionStatus(t)+" WHERE VARIABLE_NAME = 'Ssl_version'")); got != protocol {
			t.Errorf("driver only %t: the protocol is %q", driverOnly, got)
		}
		for _, shared := range []bool{false, true} {
			run := NewRunner(db, nil)
			if shared {
				done := run.KeepConnection(t.Context())
				defer done()
			}
			// Each batch ends with the first error.
			for _, some := range [][]Statement{statements[:3], statements[1:2], statements[3:]} {
				b := NewBatch(run)
				for _, s := range some {
					b.Rows("test", s, func(rows *mysqlconn.RowSet) error {
						results[driverOnly] = append(results[driverOnly], fmt.Sprintf("%.100s %+v", s.Text, rows))
						return nil
					})
				}
				if err := b.Send(t.Context()); (err != nil) != (len(some) == 3) || err != nil && !errors.Is(err, wpstore.ErrSchema) {
					t.Errorf("driver only %t, shared %t: %s: %v", driverOnly, shared, some[0].Text, err)
				}
			}
			if shared {
				err := run.conn.conn.Raw(func(raw any) error {
					if past := raw.(*mysqlconn.Conn).PastDriver(); past == driverOnly {
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
