package wptest

import (
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/dbaddr"
)

// Address parses the text of --dsn.
func Address(t testing.TB, dsn string) dbaddr.Address {
	t.Helper()
	a, err := dbaddr.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Server parses the DSN of a server.
func Server(t testing.TB, dsn string) *mysql.Config {
	t.Helper()
	return Address(t, dsn).MySQL
}
