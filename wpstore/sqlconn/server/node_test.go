package server

import (
	"strings"
	"testing"

	"calbridge/wpstore/sqlconn/dialect"
)

// TestAuroraReader: a reader that shares the primary's storage is no replica to wait for.
func TestAuroraReader(t *testing.T) {
	primary := Node{Position: Position{GTID: "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5"}, ID: "a"}
	reader := Node{Position: primary.Position, ID: "b", ReadOnly: true, sharesStorage: true}
	if kind, why := reader.Follows(primary, dialect.MySQL{}); kind != "" || !strings.Contains(why, "shares the primary's storage") {
		t.Errorf("%q, %q", kind, why)
	}
	reader.sharesStorage = false
	if kind, why := reader.Follows(primary, dialect.MySQL{}); kind != dialect.MySQLGTID || why != "" {
		t.Errorf("%q, %q", kind, why)
	}
}
