package dialect

import (
	"testing"

	"github.com/go-sql-driver/mysql"
)

// TestServersThatAreAway: refusals that no server of the tests makes.
func TestServersThatAreAway(t *testing.T) {
	for number, want := range map[uint16]Failure{3032: Node, 3159: Unavailable, 1064: Other} {
		if got := (MariaDB{}).Classify(&mysql.MySQLError{Number: number}); got != want {
			t.Errorf("%d: %d, want %d", number, got, want)
		}
	}
}
