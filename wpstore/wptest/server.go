package wptest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// startTimeout is long enough for the data directory of a MySQL 8 server, or for
// anything else that is waited for, on a slow machine.
const startTimeout = 3 * time.Minute

// errNoServer means that there is nothing to start.
var errNoServer = errors.New("no database server for tests")

// running is a server to use.
type running struct {
	*mysql.Config
	lifeline io.Closer // when this closes, at the process's end, the server stops
}

// server is the one that this process uses, started by the first test that asks.
var server = sync.OnceValues(func() (running, error) {
	if dsn := os.Getenv("CALBRIDGE_TEST_DSN"); dsn != "" {
		cfg, err := mysql.ParseDSN(dsn)
		return running{Config: cfg}, err
	}
	return startServer(withoutUsers)
})

// PrivateServer starts a server for a program that is no test and returns the DSN
// of an empty database on it. It keeps a binary log of rows. args are further ones
// for the server. It ends, and its data with it, when stop is called or the process
// ends.
func PrivateServer(args ...string) (dsn string, stop func(), err error) {
	use, err := startServer(withoutUsers, append(binaryLog(), args...)...)
	if err != nil {
		return "", nil, err
	}
	if err = letLogBeRead(use.Config); err == nil {
		dsn, _, err = newDatabase(use.Config)
	}
	return dsn, func() { _ = use.lifeline.Close() }, err
}

// binaryLog are the options of a server that keeps a binary log of rows.
func binaryLog() []string {
	return []string{"--log-bin=binlog", "--binlog-format=ROW", "--server-id=1"}
}

// letLogBeRead makes the one table without which a server that has no tables of its
// own does not send its log.
func letLogBeRead(cfg *mysql.Config) error {
	for _, statement := range []string{"CREATE DATABASE mysql",
		"CREATE TABLE mysql.gtid_slave_pos (domain_id int unsigned, sub_id bigint unsigned, server_id int unsigned NOT NULL," +
			" seq_no bigint unsigned NOT NULL, PRIMARY KEY (domain_id, sub_id))"} {
		if err := admin(cfg, statement); err != nil {
			return err
		}
	}
	return nil
}

// serverWithUsers is another, which checks privileges.
var serverWithUsers = sync.OnceValues(func() (running, error) { return startServer(withUsers) })

// databases numbers the databases of this process.
var databases atomic.Int64

// MariaDB returns the DSN of a new, empty database, which is dropped when the test
// ends.
func MariaDB(t testing.TB) string {
	t.Helper()
	dsn, drop, err := newDatabase(needServer(t))
	if err != nil {
		t.Fatalf("test server: %v", err)
	}
	t.Cleanup(drop)
	return dsn
}

// MariaDBWithUsers is like [MariaDB], on a server that knows users and privileges:
// the DSN is that of its administrator. It takes seconds to prepare, and needs
// mariadb-install-db.
func MariaDBWithUsers(t testing.TB) string {
	t.Helper()
	if os.Getenv("CALBRIDGE_TEST_DSN") != "" {
		t.Skip("users are made on a private server only")
	}
	dsn, drop, err := newDatabase(need(t, serverWithUsers))
	if err != nil {
		t.Fatalf("test server: %v", err)
	}
	t.Cleanup(drop)
	return dsn
}

// Replicated returns the DSN of a new, empty database on a server of its own that
// keeps a binary log of rows, with more options of mariadbd, such as
// "--sync-binlog=1". With "--skip-grant-tables=0" it knows users. The server ends
// with the test.
func Replicated(t testing.TB, options ...string) string {
	t.Helper()
	if os.Getenv("CALBRIDGE_TEST_DSN") != "" {
		t.Skip("options are for a private server only")
	}
	accounts := users(slices.Contains(options, "--skip-grant-tables=0"))
	own, err := startServer(accounts, append(binaryLog(), options...)...)
	if own.lifeline != nil {
		t.Cleanup(func() { own.lifeline.Close() })
	}
	cfg := need(t, func() (running, error) { return own, err })
	if !accounts {
		if err := letLogBeRead(cfg); err != nil {
			t.Fatalf("test server: %v", err)
		}
	}
	dsn, _, err := newDatabase(cfg)
	if err != nil {
		t.Fatalf("test server: %v", err)
	}
	return dsn
}

// needServer skips the test when there is no server to be had.
func needServer(t testing.TB) *mysql.Config {
	t.Helper()
	return need(t, server)
}

func need(t testing.TB, start func() (running, error)) *mysql.Config {
	t.Helper()
	use, err := start()
	if errors.Is(err, errNoServer) && os.Getenv("CALBRIDGE_REQUIRE_MARIADB") != "1" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("test server: %v", err)
	}
	return use.Config
}

// newDatabase creates a database and returns how to drop it.
func newDatabase(cfg *mysql.Config) (dsn string, drop func(), err error) {
	name := fmt.Sprintf("calbridge_test_%d_%d", os.Getpid(), databases.Add(1))
	create := "CREATE DATABASE `" + name + "` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci"
	if err := admin(cfg, create); err != nil {
		return "", nil, err
	}
	own := cfg.Clone()
	own.DBName = name
	return own.FormatDSN(), func() { _ = admin(cfg, "DROP DATABASE `"+name+"`") }, nil
}

// admin runs one statement outside of any database.
func admin(cfg *mysql.Config, statement string) error {
	cfg = cfg.Clone()
	cfg.DBName = ""
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

// users says whether a server has accounts.
type users bool

const (
	withUsers    users = true
	withoutUsers users = false
)

// startServer starts a server of its own on a socket. A shell watches over it: its
// standard input ends when this process does, whatever the reason, and then it
// stops the server and removes the directory.
func startServer(accounts users, options ...string) (running, error) {
	binary, isMySQL, err := findServer()
	if err != nil {
		return running{}, err
	}
	// The path of a socket is limited to about a hundred bytes: no t.TempDir.
	dir, err := os.MkdirTemp("", "calbridge-db-")
	if err != nil {
		return running{}, err
	}
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		return running{}, err
	}
	args := serverArgs(dir, accounts)
	if err := prepare(binary, isMySQL, args, accounts); err != nil {
		return running{}, err
	}
	args = append(args, options...)
	logFile := filepath.Join(dir, "log")
	log, err := os.Create(logFile)
	if err != nil {
		return running{}, err
	}
	defer log.Close()
	const watch = `dir=$1; shift; "$@" & server=$!; cat; kill -9 $server; wait $server 2>/dev/null; rm -rf "$dir"`
	cmd := exec.Command("sh", append([]string{"-c", watch, "sh", dir, binary}, args...)...)
	cmd.Stderr = log
	lifeline, err := cmd.StdinPipe()
	if err != nil {
		return running{}, err
	}
	if err := cmd.Start(); err != nil {
		return running{}, err
	}
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr = "root", "unix", filepath.Join(dir, "socket")
	return running{cfg, lifeline}, waitForServer(cfg, logFile)
}

func findServer() (binary string, isMySQL bool, err error) {
	for _, name := range []string{"mariadbd", "mysqld"} {
		path, err := exec.LookPath(name)
		if err != nil {
			path, err = exec.LookPath(filepath.Join("/usr/sbin", name))
		}
		if err != nil {
			continue
		}
		version, err := exec.Command(path, "--no-defaults", "--version").Output()
		if err != nil {
			return "", false, fmt.Errorf("%s --version: %w", path, err)
		}
		return path, !strings.Contains(string(version), "MariaDB"), nil
	}
	return "", false, fmt.Errorf("%w: neither mariadbd nor mysqld is on the PATH, and CALBRIDGE_TEST_DSN is not set", errNoServer)
}

// prepare fills the data directory. MariaDB takes an empty one as it is if it
// needs no accounts.
func prepare(binary string, isMySQL bool, args []string, accounts users) error {
	var cmd *exec.Cmd
	switch {
	case isMySQL:
		cmd = exec.Command(binary, append(args, "--initialize-insecure")...)
	case bool(accounts):
		install, err := exec.LookPath("mariadb-install-db")
		if err != nil {
			return fmt.Errorf("%w: mariadb-install-db is not on the PATH", errNoServer)
		}
		cmd = exec.Command(install, append(args, "--auth-root-authentication-method=normal", "--skip-test-db")...)
	default:
		return nil
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("prepare a data directory: %w: %s", err, out)
	}
	return nil
}

// serverArgs makes a server that trusts everybody who can reach its socket and
// keeps nothing safe: fast, and gone afterwards. The first must stay first.
func serverArgs(dir string, accounts users) []string {
	args := []string{
		"--no-defaults", "--skip-networking",
		"--socket=" + filepath.Join(dir, "socket"),
		"--datadir=" + filepath.Join(dir, "data"),
		"--pid-file=" + filepath.Join(dir, "pid"),
		"--tmpdir=" + dir,
		"--innodb-flush-log-at-trx-commit=0",
		"--innodb-buffer-pool-size=128M",
		"--skip-innodb-doublewrite",
		"--character-set-server=utf8mb4",
		"--max-allowed-packet=64M",
	}
	if !accounts {
		args = append(args, "--skip-grant-tables")
	}
	if u, err := user.Current(); err == nil && u.Uid == "0" {
		args = append(args, "--user=root")
	}
	return args
}

// waitForServer returns when the server answers, or with its log.
func waitForServer(cfg *mysql.Config, log string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	cfg = cfg.Clone()
	cfg.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the server did not answer within %s: %w\n%s", startTimeout, err, tail(log))
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func tail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	const most = 4 << 10
	if info, err := f.Stat(); err == nil && info.Size() > most {
		_, _ = f.Seek(-most, io.SeekEnd)
	}
	text, _ := io.ReadAll(f)
	return string(text)
}
