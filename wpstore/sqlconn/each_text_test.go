package sqlconn

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

// eachText collects the rows of a query; NULL is "NULL".
func eachText(ctx context.Context, r *Runner, b sq.Sqlizer) (rows []string, err error) {
	err = EachText(ctx, r, "test", b, func(values [][]byte) {
		row := ""
		for _, value := range values {
			if value == nil {
				value = []byte("NULL")
			}
			row += "|" + string(value)
		}
		rows = append(rows, row)
	})
	return rows, err
}

// TestEachText: the same rows on every kind of connection, and errors by their kinds.
func TestEachText(t *testing.T) {
	long := strings.Repeat("x", 70_000)
	configs := map[string]Config{"sqlite": {Database: wptest.Address(t, "sqlite::memory:")}, "mariadb": {Database: wptest.Address(t, wptest.MariaDB(t))}}
	driverOnly := configs["mariadb"]
	driverOnly.DriverOnly = true
	configs["driver only"] = driverOnly
	for name, cfg := range configs {
		db := mustOpen(t, cfg)
		shared := NewRunner(db, nil)
		defer shared.KeepConnection(t.Context())()
		for _, run := range []*Runner{NewRunner(db, nil), shared} {
			for _, c := range []struct {
				query sq.Sqlizer
				want  []string
			}{
				{sq.Expr("SELECT 1, NULL, 'ěšč' UNION ALL SELECT -2, '', ?", long), []string{"|1|NULL|ěšč", "|-2||" + long}},
				{sq.Expr("SELECT 1 WHERE 1=0"), nil},
				{sq.Expr("SELECT ?, ?", int64(7), "it's ?"), []string{"|7|it's ?"}},
			} {
				if got, err := eachText(t.Context(), run, c.query); err != nil || !slices.Equal(got, c.want) {
					t.Errorf("%s: %.200q, %v", name, got, err)
				}
			}
			if _, err := eachText(t.Context(), run, sq.Expr("SELECT * FROM nowhere")); !errors.Is(err, wpstore.ErrSchema) {
				t.Errorf("%s: of a table that is not there: %v", name, err)
			}
		}
	}
}

// TestEachTextPassesRowsOnce: after a connection has died in the middle of a result the
// statement isn't run again.
func TestEachTextPassesRowsOnce(t *testing.T) {
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
			go func() { _, _ = relay(out, in, 1<<30) }()
			go func() { // the first 100 kB
				_, _ = relay(in, out, 100_000)
				in.Close()
				out.Close()
			}()
		}
	}()
	cfg.Addr = l.Addr().String()
	db := mustOpen(t, Config{Database: wptest.Address(t, cfg.FormatDSN())})
	query := sq.Expr(fmt.Sprintf("SELECT seq, '%s' FROM %s", strings.Repeat("y", 100), wptest.Sequence(1, 20000)))
	rows, err := eachText(t.Context(), NewRunner(db, nil), query)
	if err == nil || len(rows) == 0 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	slices.Sort(rows)
	if n := len(slices.Compact(slices.Clone(rows))); n != len(rows) {
		t.Errorf("%d rows, of which %d differ", len(rows), n)
	}
}

// relay copies up to some bytes.
func relay(to, from net.Conn, most int) (n int, err error) {
	buffer := make([]byte, 16<<10)
	for n < most {
		got, err := from.Read(buffer)
		if err != nil {
			return n, err
		}
		if _, err := to.Write(buffer[:got]); err != nil {
			return n, err
		}
		n += got
	}
	return n, nil
}
