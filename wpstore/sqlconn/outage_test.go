package sqlconn

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/wptest"
)

// proxy stands between the pool and the server, and can be taken away.
type proxy struct {
	path, target string
	mu           sync.Mutex
	listener     net.Listener
	open         []net.Conn
	// dead are connections that are closed when the client sends something.
	dead map[net.Conn]bool
}

func (p *proxy) start(t *testing.T) {
	t.Helper()
	l, err := net.Listen("unix", p.path)
	if err != nil {
		t.Fatal(err)
	}
	p.listener = l
	go func() {
		for {
			in, err := l.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("unix", p.target)
			if err != nil {
				in.Close()
				continue
			}
			p.mu.Lock()
			p.open = append(p.open, in, out)
			p.mu.Unlock()
			go io.Copy(in, out)
			go p.send(out, in)
		}
	}()
}

// send passes on what a client sends.
func (p *proxy) send(out, in net.Conn) {
	defer in.Close()
	for buf := make([]byte, 4<<10); ; {
		n, err := in.Read(buf)
		p.mu.Lock()
		dead := p.dead[in]
		p.mu.Unlock()
		if err != nil || dead {
			return
		}
		if _, err := out.Write(buf[:n]); err != nil {
			return
		}
	}
}

// kill makes the open connections dead, as when something between client and server has
// forgotten them.
func (p *proxy) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = map[net.Conn]bool{}
	for _, c := range p.open {
		p.dead[c] = true
	}
}

func (p *proxy) stop() {
	p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		c.Close()
	}
	p.open = nil
}

// TestTransactionOnDeadConnections: a transaction whose connection turns out to be dead runs
// on another one.
func TestTransactionOnDeadConnections(t *testing.T) {
	for _, driverOnly := range []bool{false, true} {
		p, cfg := startProxy(t)
		db := mustOpen(t, Config{Database: wptest.Address(t, cfg.FormatDSN()), DriverOnly: driverOnly})
		if err := createOptions(db); err != nil {
			t.Fatal(err)
		}
		var idle []*sql.Conn
		for range 6 {
			conn, err := db.SQL().Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			idle = append(idle, conn)
		}
		for _, conn := range idle {
			conn.Close()
		}
		for _, dead := range []bool{true, false} {
			if dead {
				p.kill()
			}
			attempts := 0
			err := NewRunner(db, nil).Transact(t.Context(), func(tx *Runner) (Ended, error) {
				attempts++
				_, err := tx.Exec(t.Context(), "options.add", "options", sq.Insert("`wp_options`").Columns("option_name", "option_value").Values(fmt.Sprint(dead), "1"))
				return nil, err
			})
			if err != nil || !driverOnly && dead != (attempts == 2) {
				t.Errorf("driver only %v, dead %v: %v after %d attempts", driverOnly, dead, err, attempts)
			}
		}
		if got := storedOptions(t, db); got != "false=1,true=1" {
			t.Errorf("stored %s", got)
		}
	}
}

// startProxy starts a proxy before a server of its own.
func startProxy(t *testing.T) (*proxy, *mysql.Config) {
	t.Helper()
	cfg, err := mysql.ParseDSN(wptest.MariaDB(t))
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Net != "unix" {
		t.Skip("needs a server on a socket")
	}
	p := &proxy{path: filepath.Join(t.TempDir(), "s"), target: cfg.Addr}
	cfg.Addr = p.path
	p.start(t)
	t.Cleanup(p.stop)
	return p, cfg
}

func TestServerGoesAwayAndComesBack(t *testing.T) {
	p, cfg := startProxy(t)
	db := mustOpen(t, Config{Database: wptest.Address(t, cfg.FormatDSN()), QueryTimeout: time.Minute})
	ask := func() error {
		_, err := NewRunner(db, nil).Rows(context.Background(), "test", Statement{Text: "SELECT 1"})
		if other := NewRunner(db, nil).Query(context.Background(), "test", sq.Select("1"), func(*sql.Rows) error { return nil }); (err == nil) != (other == nil) {
			t.Errorf("read at once: %v; row by row: %v", err, other)
		}
		return err
	}
	if err := ask(); err != nil {
		t.Fatal(err)
	}
	p.stop()
	start := time.Now()
	for range 3 {
		if err := ask(); !errors.Is(err, wpstore.ErrUnavailable) {
			t.Errorf("while the server is away: %v", err)
		}
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("three refusals took %s", took)
	}
	p.start(t)
	if err := ask(); err != nil {
		t.Errorf("after the server came back: %v", err)
	}
}

func TestClassification(t *testing.T) {
	for _, c := range []struct {
		err  error
		want error // nil: neither
	}{
		{&mysql.MySQLError{Number: 1040}, wpstore.ErrUnavailable},
		{&mysql.MySQLError{Number: 1046}, wpstore.ErrUnavailable},
		{&mysql.MySQLError{Number: 1049}, wpstore.ErrUnavailable},
		{&mysql.MySQLError{Number: 1053}, wpstore.ErrUnavailable},
		{&mysql.MySQLError{Number: 1205}, wpstore.ErrUnavailable},
		{&mysql.MySQLError{Number: 1213}, wpstore.ErrUnavailable},
		{&mysql.MySQLError{Number: 1969}, wpstore.ErrUnavailable},
		{&mysql.MySQLError{Number: 1146}, wpstore.ErrSchema},
		{&mysql.MySQLError{Number: 1054}, wpstore.ErrSchema},
		{&mysql.MySQLError{Number: 1412}, wpstore.ErrUnavailable},
		{&mysql.MySQLError{Number: 1932}, wpstore.ErrSchema},
		{&mysql.MySQLError{Number: 1064}, nil},
		{&mysql.MySQLError{Number: 1142}, nil},
		{mysql.ErrInvalidConn, wpstore.ErrUnavailable},
		{io.ErrUnexpectedEOF, wpstore.ErrUnavailable},
		{sql.ErrConnDone, wpstore.ErrUnavailable},
		{context.DeadlineExceeded, wpstore.ErrUnavailable},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, wpstore.ErrUnavailable},
		{errors.New("sql: Scan error"), nil},
	} {
		err := explain(context.Background(), dialect.MySQL{}, "test", fmt.Errorf("wrapped: %w", c.err))
		if !errors.Is(err, c.err) {
			t.Errorf("%v is lost in %v", c.err, err)
		}
		for _, kind := range []error{wpstore.ErrUnavailable, wpstore.ErrSchema} {
			if errors.Is(err, kind) != (kind == c.want) {
				t.Errorf("%v: is %q is %v", err, kind, kind != c.want)
			}
		}
	}
}

func TestSQLiteLockIsUnavailable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.sqlite")
	db := mustOpen(t, Config{Database: wptest.Address(t, "sqlite:"+file), CreateFile: true})
	if err := createOptions(db); err != nil {
		t.Fatal(err)
	}
	tx, err := db.SQL().Begin() // takes the write lock
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	db.cfg.QueryTimeout = 100 * time.Millisecond
	_, err = NewRunner(db, nil).Exec(context.Background(), "test", "options", sq.Insert("wp_options").Columns("option_name", "option_value").Values("a", "b"))
	if !errors.Is(err, wpstore.ErrUnavailable) {
		t.Errorf("a locked database: %v", err)
	}
	db.cfg.QueryTimeout = time.Minute
	if got := askText(t, db, sq.Select("COUNT(*)").From("wp_options")); got != "0" {
		t.Errorf("reading beside a writer: %s", got)
	}
}
