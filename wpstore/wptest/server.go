package wptest

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/mariadbd"
)

// testServer returns the path of the server's program that tests run, "" for the one on the
// PATH. It lets the tests run on other engines; see .ci/engines and .ci/matrix.
func testServer() string { return os.Getenv("CALBRIDGE_TEST_SERVER") }

// testOptions returns further arguments of every server that tests start, such as
// "--sql-mode=ANSI_QUOTES --lower-case-table-names=1".
func testOptions() []string { return strings.Fields(os.Getenv("CALBRIDGE_TEST_OPTIONS")) }

// startServer starts a server as the environment variables describe it.
func startServer(o mariadbd.Options) (*mariadbd.Server, error) {
	o.Program, o.Args = testServer(), slices.Concat(testOptions(), o.Args)
	o.Accounts = o.Accounts || testLogin() != ""
	if testLogin() != "" {
		options, err := loginOptions()
		if err != nil {
			return nil, err
		}
		o.Args = append(o.Args, options...)
	}
	return mariadbd.Start(o)
}

// server is the server of this process. The first test that needs it starts it.
var server = sync.OnceValues(func() (*mariadbd.Server, error) {
	if dsn := os.Getenv("CALBRIDGE_TEST_DSN"); dsn != "" {
		cfg, err := mysql.ParseDSN(dsn)
		if err != nil {
			return nil, err
		}
		return mariadbd.At(cfg), nil
	}
	return startServer(mariadbd.Options{})
})

// serverWithUsers is another server, which checks privileges.
var serverWithUsers = sync.OnceValues(func() (*mariadbd.Server, error) {
	return startServer(mariadbd.Options{Accounts: true})
})

// ServerKind reports whether tests run MySQL rather than MariaDB, and returns its version.
func ServerKind(t testing.TB) (isMySQL bool, version string) {
	t.Helper()
	program, err := mariadbd.Find(testServer())
	if errors.Is(err, mariadbd.ErrMissing) {
		SkipOrFail(t, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return program.MySQL, program.Version
}

// IsMySQL reports whether tests run MySQL rather than MariaDB.
func IsMySQL(t testing.TB) bool {
	t.Helper()
	isMySQL, _ := ServerKind(t)
	return isMySQL
}

// ForMariaDB skips a test of a feature that only MariaDB has.
func ForMariaDB(t testing.TB, what string) {
	t.Helper()
	if IsMySQL(t) {
		t.Skipf("MySQL has no %s", what)
	}
}

// MariaDB returns the DSN of a new database, which is dropped when the test ends.
func MariaDB(t testing.TB) string {
	t.Helper()
	return database(t, need(t, server))
}

// MariaDBWithUsers returns a new database like [MariaDB], on a server with users and privileges; the DSN is the
// administrator's. The server takes seconds to prepare and needs mariadb-install-db.
func MariaDBWithUsers(t testing.TB) string {
	t.Helper()
	if os.Getenv("CALBRIDGE_TEST_DSN") != "" {
		t.Skip("users are made on a private server only")
	}
	return database(t, need(t, serverWithUsers))
}

// Replicated returns the DSN of a new database on a separate server, with a binary log of
// rows and more options of mariadbd, such as "--sync-binlog=1". With
// "--skip-grant-tables=0" the server has users. It ends with the test.
func Replicated(t testing.TB, options ...string) string {
	t.Helper()
	if os.Getenv("CALBRIDGE_TEST_DSN") != "" {
		t.Skip("options are for a private server only")
	}
	own := need(t, func() (*mariadbd.Server, error) {
		return startServer(mariadbd.Options{Accounts: slices.Contains(options, "--skip-grant-tables=0"), BinaryLog: true, Args: options})
	})
	t.Cleanup(own.Stop)
	dsn, _, err := create(own)
	if err != nil {
		t.Fatalf("test server: %v", err)
	}
	return dsn
}

// database creates a database that is dropped when the test ends.
func database(t testing.TB, on *mariadbd.Server) string {
	t.Helper()
	dsn, drop, err := create(on)
	if err != nil {
		t.Fatalf("test server: %v", err)
	}
	t.Cleanup(drop)
	return dsn
}

// create creates a database on a server, for the login that tests use.
func create(on *mariadbd.Server) (dsn string, drop func(), err error) {
	dsn, drop, err = on.CreateDatabase()
	if err == nil && testLogin() != "" {
		dsn, err = logIn(dsn)
	}
	return dsn, drop, err
}

// need starts a server, or skips the test if none is installed.
func need(t testing.TB, start func() (*mariadbd.Server, error)) *mariadbd.Server {
	t.Helper()
	use, err := start()
	if errors.Is(err, mariadbd.ErrMissing) {
		SkipOrFail(t, fmt.Errorf("%w, and CALBRIDGE_TEST_DSN is not set", err))
	}
	if err != nil {
		t.Fatalf("test server: %v", err)
	}
	return use
}
