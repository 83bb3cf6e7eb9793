package sqlconn

import (
	"errors"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// TestNothingMatches has the errors by which MariaDB and MySQL refuse to compare a text
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
