package wptest

import (
	"database/sql"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/mariadbd"
)

// patience limits how long a test waits on a slow machine.
const patience = 3 * time.Minute

// Node is a server of one test, on a port of the loopback address. The test may kill, stop
// and restart it, and connect it with others. What it has committed survives.
type Node struct {
	t       testing.TB
	ID      int // server_id
	Port    int
	dir     string
	program mariadbd.Program
	args    []string          // arguments that differ from other nodes
	process *mariadbd.Process // nil while it does not run
}

// StartNode prepares and starts a server with a binary log. args are added to its command
// line. The test is skipped if there is no server.
func StartNode(t testing.TB, args ...string) *Node {
	t.Helper()
	n := startNode(t, 1, args...)
	n.MakeUser()
	return n
}

func startNode(t testing.TB, id int, args ...string) *Node {
	t.Helper()
	n := PrepareNode(t, id, args...)
	n.Start()
	n.Await("SELECT 1", "1")
	return n
}

// PrepareNode prepares a server with that server_id and does not start it.
func PrepareNode(t testing.TB, id int, args ...string) *Node {
	t.Helper()
	if os.Getenv("CALBRIDGE_TEST_DSN") != "" {
		t.Skip("kills and connects private servers only")
	}
	program, err := mariadbd.Find(testServer())
	if err != nil {
		SkipOrFail(t, err)
	}
	// Short, since the path of a socket is limited.
	dir, err := os.MkdirTemp("", "calbridge-node-")
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{t: t, ID: id, Port: FreePort(t), dir: dir, program: program, args: args}
	t.Cleanup(func() {
		if n.process != nil {
			n.Kill()
		}
		os.RemoveAll(dir)
	})
	// Not in /tmp: at its start a server deletes files there that it takes for left-over
	// temporary tables.
	prepare := append(slices.Clone(n.commandLine()[:3]), "--tmpdir="+dir)
	if owner := n.owner(); owner != "" {
		prepare = append(prepare, "--user="+owner)
		if out, err := exec.Command("chown", owner, dir).CombinedOutput(); err != nil {
			t.Fatalf("chown: %v: %s", err, out)
		}
	}
	if err := program.Prepare(filepath.Join(dir, "data"), prepare, true); errors.Is(err, mariadbd.ErrMissing) {
		SkipOrFail(t, err)
	} else if err != nil {
		t.Fatal(err)
	}
	return n
}

// SkipOrFail skips a test that has no server, or fails it if servers are required.
func SkipOrFail(t testing.TB, err error) {
	t.Helper()
	if os.Getenv("CALBRIDGE_REQUIRE_MARIADB") == "1" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// owner returns the user that the server runs as if the test runs as root: rsync, which
// copies nodes of a cluster, drops root's rights.
func (n *Node) owner() string {
	if os.Getuid() != 0 {
		return ""
	}
	// Other users may not be able to read the program in a given folder.
	if _, err := user.Lookup("mysql"); err == nil && testServer() == "" {
		return "mysql"
	}
	return "root"
}

// commandLine returns the server's command line. The first three arguments are those of the
// preparation too.
func (n *Node) commandLine() []string {
	logSize := "--innodb-log-file-size=32M"
	if n.program.MySQL {
		logSize = "--loose-innodb-redo-log-capacity=32M"
	}
	args := []string{
		"--no-defaults", "--datadir=" + filepath.Join(n.dir, "data"), logSize,
		"--socket=" + n.Socket(), "--pid-file=" + filepath.Join(n.dir, "pid"), "--tmpdir=" + n.dir,
		"--port=" + strconv.Itoa(n.Port), "--bind-address=127.0.0.1", "--skip-name-resolve",
		"--server-id=" + strconv.Itoa(n.ID), "--log-bin=bin", "--binlog-format=ROW", "--innodb-autoinc-lock-mode=2",
		// If the process is killed, everything that the kernel has received survives.
		"--innodb-flush-log-at-trx-commit=2", "--innodb-buffer-pool-size=64M",
		"--character-set-server=utf8mb4", "--max-allowed-packet=64M",
	}
	if n.program.MySQL {
		args = append(args, "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--log-slave-updates=ON")
	}
	if owner := n.owner(); owner != "" {
		args = append(args, "--user="+owner)
	}
	return append(args, n.args...)
}

// Socket returns the path of the server's socket.
func (n *Node) Socket() string { return filepath.Join(n.dir, "s") }

// Addr returns the server's address.
func (n *Node) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(n.Port)) }

// DSN returns the DSN of a user with all privileges on databases. Unlike the administrator,
// the user is bound by read_only.
func (n *Node) DSN(database string) string { return nodeDSN(n.Addr(), database) }

func nodeDSN(addr, database string) string { return "site:pass@tcp(" + addr + ")/" + database }

// MakeUser creates the user of [Node.DSN].
func (n *Node) MakeUser() {
	n.t.Helper()
	n.Exec("CREATE USER site@'%' IDENTIFIED BY 'pass'",
		"GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, ALTER, INDEX, LOCK TABLES, CREATE TEMPORARY TABLES ON *.* TO site@'%'")
}

// Start starts the server, with args besides its own. It does not wait until the server
// accepts connections.
func (n *Node) Start(args ...string) {
	n.t.Helper()
	process, err := mariadbd.Run(n.program.Path, append(n.commandLine(), args...), n.log(), "")
	if err != nil {
		n.t.Fatalf("start a server: %v", err)
	}
	n.process = process
}

// Kill ends the server immediately, with SIGKILL.
func (n *Node) Kill() {
	n.process.Kill()
	n.process = nil
}

// Shutdown shuts the server down properly, and waits.
func (n *Node) Shutdown() {
	n.t.Helper()
	n.Exec("SHUTDOWN")
	for end := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(n.dir, "pid")); errors.Is(err, os.ErrNotExist) {
			break
		}
		if time.Now().After(end) {
			n.t.Fatal("the server does not end")
		}
	}
	n.Kill()
}

// Backup returns a function that restores the current data to a server that was shut down.
func (n *Node) Backup() (restore func()) {
	n.t.Helper()
	copied := n.t.TempDir()
	duplicate := func(from, to string) {
		if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
			n.t.Fatalf("copy a server's files: %v: %s", err, out)
		}
	}
	data := filepath.Join(n.dir, "data")
	duplicate(data, copied)
	return func() {
		if err := os.RemoveAll(data); err != nil {
			n.t.Fatal(err)
		}
		duplicate(filepath.Join(copied, "data"), data)
	}
}

// Hang stops the server's process, whose connections stay open; Resume continues it.
func (n *Node) Hang()   { _ = syscall.Kill(n.process.PID, syscall.SIGSTOP) }
func (n *Node) Resume() { _ = syscall.Kill(n.process.PID, syscall.SIGCONT) }

func (n *Node) log() string { return filepath.Join(n.dir, "log") }

// Open opens a separate pool to the server, as administrator.
func (n *Node) Open(database string) *sql.DB {
	n.t.Helper()
	cfg := mysql.NewConfig()
	// MySQL's administrator may log in only over the socket.
	cfg.User, cfg.Net, cfg.Addr, cfg.DBName = "root", "unix", n.Socket(), database
	cfg.Logger, cfg.Timeout = &mysql.NopLogger{}, patience
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		n.t.Fatal(err)
	}
	return sql.OpenDB(connector)
}

// Exec runs statements.
func (n *Node) Exec(statements ...string) {
	n.t.Helper()
	db := n.Open("")
	defer db.Close()
	for _, s := range statements {
		_, err := db.Exec(s)
		const tooMany = 1040
		for full := new(mysql.MySQLError); errors.As(err, &full) && full.Number == tooMany; _, err = db.Exec(s) {
			time.Sleep(10 * time.Millisecond) // until the test's connections are gone
		}
		if err != nil {
			n.t.Fatalf("server %d: %s: %v", n.ID, s, err)
		}
	}
}

// Text runs a query of one value.
func (n *Node) Text(query string) (string, error) {
	db := n.Open("")
	defer db.Close()
	var value sql.NullString
	err := db.QueryRow(query).Scan(&value)
	return value.String, err
}

// Await waits until a query of one value returns want on the server, and returns the time
// of that.
func (n *Node) Await(query, want string) time.Time {
	n.t.Helper()
	var got string
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		got, err = n.Text(query)
		if err == nil && got == want {
			return time.Now()
		}
	}
	log, _ := os.ReadFile(n.log())
	n.t.Fatalf("server %d: %s is %q (%v), want %q\n%s", n.ID, query, got, err, want, log)
	return time.Time{}
}

// Site loads a site into the server.
func (n *Node) Site(site string) Database {
	n.t.Helper()
	d := describe(n.t, "mariadb", site)
	n.Exec("CREATE DATABASE calendar CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci")
	d.DSN = n.DSN("calendar")
	if err := loadServer(d.DSN, dumpPath(n.t, site)); err != nil {
		n.t.Fatal(err)
	}
	return d
}

// FreePort returns an unused port of the loopback address. It is below the range from which Linux
// takes the ports of outgoing connections, because one of them could take the port before the
// caller listens.
func FreePort(t testing.TB) int {
	t.Helper()
	const lowest, outgoing = 20000, 32768
	var err error
	for range 100 {
		port := lowest + rand.IntN(outgoing-lowest)
		var l net.Listener
		if l, err = net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port)); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal(err)
	return 0
}
