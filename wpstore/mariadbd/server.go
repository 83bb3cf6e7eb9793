package mariadbd

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
)

// startTimeout is long enough to create the data directory of a MySQL 8 server on a slow
// machine.
const startTimeout = 3 * time.Minute

// Options describe the server to start.
type Options struct {
	// Program is the path of the server's program; "" is the one on the PATH.
	Program string
	// Accounts makes the server check users and privileges. Without it, every client that
	// can reach the socket has all rights.
	Accounts bool
	// BinaryLog makes the server write a binary log of rows, and send it to replicas.
	BinaryLog bool
	// Args are further arguments of the server.
	Args []string
}

// Server is a server on which databases can be created.
type Server struct {
	cfg       *mysql.Config // the administrator's, outside of any database
	process   *Process      // nil for a server that [At] returned
	databases atomic.Int64  // number of databases created so far
}

// At returns a server that is already running. Its administrator logs in with cfg.
func At(cfg *mysql.Config) *Server {
	cfg = cfg.Clone()
	cfg.DBName = ""
	return &Server{cfg: cfg}
}

// Start starts a server in a temporary folder and waits until it accepts connections. The
// error matches [ErrMissing] if none is installed. Server and folder are removed after the
// end of this process, whatever the reason.
func Start(o Options) (*Server, error) {
	program, err := Find(o.Program)
	if err != nil {
		return nil, err
	}
	// The path of a socket is limited to about a hundred bytes: no t.TempDir.
	dir, err := os.MkdirTemp("", "calbridge-db-")
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		return nil, err
	}
	args := serverArgs(dir, o.Accounts)
	preparing := slices.Clone(args)
	for _, arg := range o.Args {
		if decidedAtStart(arg) {
			preparing = append(preparing, arg)
		}
	}
	if err := program.Prepare(filepath.Join(dir, "data"), preparing, o.Accounts); err != nil {
		return nil, err
	}
	if o.BinaryLog {
		args = append(args, program.binaryLog()...)
	}
	args = append(args, o.Args...)
	log := filepath.Join(dir, "log")
	process, err := Run(program.Path, args, log, dir)
	if err != nil {
		return nil, err
	}
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr = "root", "unix", filepath.Join(dir, "socket")
	s := &Server{cfg: cfg, process: process}
	err = s.wait(log)
	if err == nil && o.BinaryLog && !o.Accounts && !program.MySQL {
		err = s.letLogBeRead()
	}
	if err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// DSN returns the DSN of the server's administrator, outside of any database.
func (s *Server) DSN() string { return s.cfg.FormatDSN() }

// PID returns the process id of a server that [Start] has started.
func (s *Server) PID() int { return s.process.PID }

// Stop ends a server that [Start] has started.
func (s *Server) Stop() { s.process.Kill() }

// CreateDatabase creates an empty database and returns its DSN and a function that drops
// it.
func (s *Server) CreateDatabase() (dsn string, drop func(), err error) {
	name := fmt.Sprintf("calbridge_test_%d_%d", os.Getpid(), s.databases.Add(1))
	if err := s.exec("CREATE DATABASE `" + name + "` CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci"); err != nil {
		return "", nil, err
	}
	own := s.cfg.Clone()
	own.DBName = name
	return own.FormatDSN(), func() { _ = s.exec("DROP DATABASE `" + name + "`") }, nil
}

// letLogBeRead creates the one table without which a server that has no tables of its own
// does not send its log.
func (s *Server) letLogBeRead() error {
	for _, statement := range []string{"CREATE DATABASE mysql",
		"CREATE TABLE mysql.gtid_slave_pos (domain_id int unsigned, sub_id bigint unsigned, server_id int unsigned NOT NULL," +
			" seq_no bigint unsigned NOT NULL, PRIMARY KEY (domain_id, sub_id))"} {
		if err := s.exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// exec runs one statement outside of any database.
func (s *Server) exec(statement string) error {
	db, err := sql.Open("mysql", s.cfg.FormatDSN())
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

// wait returns when the server accepts connections. Its error contains the server's log.
func (s *Server) wait(log string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	cfg := s.cfg.Clone()
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
