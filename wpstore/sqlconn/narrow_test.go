package sqlconn

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/wptest"
)

// TestNothingMatches covers the errors by which MariaDB and MySQL refuse to compare a text
// with a column that can't hold it.
func TestNothingMatches(t *testing.T) {
	refused := func(number uint16) error { return fmt.Errorf("search: %w", &mysql.MySQLError{Number: number}) }
	for _, c := range []struct {
		err  error
		arg  any
		want bool
	}{
		{refused(1267), "%😀%", true},   // illegal mix of two collations
		{refused(1270), "%😀%", true},   // of three
		{refused(1271), "%😀%", true},   // of more
		{refused(3988), "%😀%", true},   // MySQL 8: impossible conversion
		{refused(1267), "žluť", true},  // a column of latin1
		{refused(1267), "zlut", false}, // something else is wrong
		{refused(3988), int64(7), false},
		{refused(1064), "%😀%", false}, // a syntax error
		{errors.New("lost"), "%😀%", false},
		{nil, "%😀%", false},
	} {
		if got := nothingMatches(c.err, []any{int64(1), c.arg}); got != c.want {
			t.Errorf("%v, %v: %v", c.err, c.arg, got)
		}
	}
}

// TestTextsOfNoColumn: columns of another character set can't be compared with every text.
// A result that was read before into the same memory doesn't show through.
func TestTextsOfNoColumn(t *testing.T) {
	s := mustOpen(t, Config{Database: wptest.Address(t, wptest.MariaDB(t))})
	run := NewRunner(s, nil)
	for _, statement := range []string{"CREATE TABLE t (a VARCHAR(20) CHARACTER SET latin1)", "INSERT INTO t VALUES ('x'), ('y')"} {
		if _, err := s.SQL().Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		text string
		want int
	}{{"x", 1}, {"Ž", 0}, {"🎉", 0}} {
		three, err := run.Rows(t.Context(), "test.three", Statement{Text: "SELECT a, a, a FROM t"})
		if err != nil || three.Len() != 2 {
			t.Fatal(three, err)
		}
		rows, err := run.Rows(t.Context(), "test.equal", Statement{Text: "SELECT a FROM t WHERE a = ?", Args: []any{c.text}})
		if err != nil || rows.Len() != c.want || rows.Columns() > 1 {
			t.Errorf("%s: %+v %v", c.text, rows, err)
		}
	}
}
