package changefeed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/server"
)

const (
	// connections is one for visibility checks and one for the catch-up of strict requests.
	// They belong to the feed alone, since the site's pool may be busy when it matters.
	connections = 2
	// queryTimeout bounds each query.
	queryTimeout = time.Second
)

// Errors of a server that is not the one to follow.
var (
	ErrNotPrimary  = errors.New("another server is the primary now")
	ErrLeftCluster = errors.New("changes by others do not arrive")
)

// Source is the server whose log is followed, with connections to it.
type Source struct {
	servers *sqlconn.Servers
	cfg     *mysql.Config
	flavor  binlog.Flavor
	server  string // the server's id
	// pool holds connections to the server that is followed. fresh opens a new connection
	// to the primary's address for each query. run and runFresh run statements there.
	pool, fresh   *sql.DB
	run, runFresh *sqlconn.Runner
	statements    sqlconn.Templates
}

// Open opens pools of connections to the primary and the site's database. It doesn't connect yet.
func Open(servers *sqlconn.Servers) *Source {
	return newSource(servers, servers.Feed().Config(), servers.Feed().OpenPool(), servers.OpenPool())
}

// openServer opens pools of connections to the primary that need no database: that of one of several
// sites may be dropped.
func openServer(servers *sqlconn.Servers) *Source {
	cfg := servers.Feed().Config()
	cfg.DBName = ""
	return newSource(servers, cfg, servers.Feed().OpenWithout(), servers.OpenWithout())
}

func newSource(servers *sqlconn.Servers, cfg *mysql.Config, pool, fresh *sql.DB) *Source {
	s := &Source{servers: servers, cfg: cfg, flavor: binlog.Flavor(servers.Dialect().Engine()), pool: pool, fresh: fresh}
	s.pool.SetMaxOpenConns(connections)
	s.pool.SetMaxIdleConns(connections)
	s.fresh.SetMaxOpenConns(connections)
	s.fresh.SetMaxIdleConns(-1)
	s.run, s.runFresh = sqlconn.NewDirect(servers, s.pool), sqlconn.NewDirect(servers, s.fresh)
	return s
}

// Close closes the connections.
func (s *Source) Close() {
	s.fresh.Close()
	s.pool.Close()
}

// Config returns the driver's settings for connections to the server that is followed.
func (s *Source) Config() *mysql.Config { return s.cfg }

// Flavor returns which kind of log the server has.
func (s *Source) Flavor() binlog.Flavor { return s.flavor }

// ID returns the id of the server, "" before Identify.
func (s *Source) ID() string { return s.server }

// Identify sets the server that is followed: the one whose log was opened.
func (s *Source) Identify(id string, flavor binlog.Flavor) { s.server, s.flavor = id, flavor }

// Query runs a query on the server that is followed, within a second.
func (s *Source) Query(ctx context.Context, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	return s.run.Query(ctx, name, b, scan)
}

// AskPrimary queries the server at the primary's address for its state. That server must be
// this one. When an address moves to another server, open connections stay with the old
// one, so this opens a new connection.
func (s *Source) AskPrimary(ctx context.Context) (Node, error) {
	n, err := s.askNode(ctx, s.runFresh)
	switch {
	case err != nil:
		return n, fmt.Errorf("check the primary: %w", err)
	case n.server != s.server:
		return n, s.otherServer(n)
	case !s.servers.Cluster():
		return n, nil
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	member, err := server.ReadNode(ctx, s.pool, s.servers.Dialect())
	if err == nil && member.OutOfStep != "" {
		err = fmt.Errorf("%w: %s", ErrLeftCluster, member.OutOfStep)
	}
	return n, err
}

// otherServer returns the error for an address of the primary that leads to another server.
func (s *Source) otherServer(n Node) error {
	if s.servers.Feed().Apart() {
		return fmt.Errorf("%w: %s by --dsn, %s by --feed-dsn", ErrNotPrimary, n.server, s.server)
	}
	return ErrNotPrimary
}

// AskOpen queries the server that is followed for its state, over an open connection.
func (s *Source) AskOpen(ctx context.Context) (Node, error) {
	n, err := s.askNode(ctx, s.run)
	if err == nil && n.server != s.server {
		err = s.otherServer(n)
	}
	return n, err
}

// Visible reports whether the transactions up to a position in the log (MariaDB) or with
// these GTIDs (MySQL) are visible to every connection. Package binlog explains why these
// two prove it.
func (s *Source) Visible(ctx context.Context, gtid binlog.Position, end binlog.Place) (bool, error) {
	if s.flavor == binlog.MariaDB {
		upTo, err := s.visiblePlace(ctx)
		return err == nil && !upTo.Before(end), err
	}
	var executed bool
	subset := sq.Select().Column("GTID_SUBSET(?, @@global.gtid_executed)", gtid.String())
	err := s.Query(ctx, "feed.executed", subset, func(rows *sql.Rows) error { return rows.Scan(&executed) })
	return executed, err
}

// visiblePlace returns the position in MariaDB's log up to which transactions are visible.
func (s *Source) visiblePlace(ctx context.Context) (binlog.Place, error) {
	var place binlog.Place
	err := s.Query(ctx, "feed.visible", sq.Expr(`SHOW STATUS LIKE 'binlog\_snapshot\_%'`), func(rows *sql.Rows) error {
		var name, value string
		err := rows.Scan(&name, &value)
		if err == nil && strings.EqualFold(name, "binlog_snapshot_file") {
			place.File = value
		} else if err == nil {
			place.Position, err = strconv.ParseUint(value, 10, 64)
		}
		return err
	})
	if err == nil && place.File == "" {
		err = fmt.Errorf("query feed.visible: the server does not report which transactions are visible")
	}
	return place, err
}

// Position returns the server's position. The server is the primary only if it is writable;
// if it isn't, its address may lead to another server by now.
func (s *Source) Position(ctx context.Context) (binlog.Position, error) {
	n, err := s.askNode(ctx, s.run)
	if err == nil && n.readOnly {
		n, err = s.askNode(ctx, s.runFresh)
	}
	if err != nil {
		return nil, err
	}
	if n.server != s.server {
		return nil, s.otherServer(n)
	}
	return n.committing(s.flavor)
}

// askNode queries a server for its state. Each response under strict waits for this query,
// so it is built once and its rows are read without the driver.
func (s *Source) askNode(ctx context.Context, run *sqlconn.Runner) (n Node, err error) {
	const name = "feed.position"
	statement, err := s.statements.Once(name, "", func() sq.Sqlizer {
		// The order matters: a transaction that is no longer owned is executed.
		return sq.Select(ownedVariable(s.flavor), positionVariable(s.flavor), s.flavor.Identity(), server.RoleExpression)
	})
	if err != nil {
		return n, err
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	rows, err := run.Rows(ctx, name, statement)
	if err != nil {
		return n, err
	}
	if rows.Len() != 1 {
		return n, fmt.Errorf("query %s: %d rows", name, rows.Len())
	}
	return Node{owned: rows.At(0, 0), GTIDs: rows.At(0, 1), server: rows.At(0, 2), readOnly: server.IsReadOnly(rows.At(0, 3))}, nil
}

// Settings reads the settings of the server. One query.
func (s *Source) Settings(ctx context.Context) (Settings, error) {
	names := []string{
		"binlog_format", "binlog_row_image", "log_slave_updates", "log_replica_updates", "gtid_mode",
		"binlog_optimize_thread_scheduling", "binlog_storage_engine", "wsrep_on", "log_bin",
		"version", "aurora_version", "basedir",
	}
	out := Settings{}
	settings := sq.Expr("SHOW GLOBAL VARIABLES WHERE variable_name IN ('" + strings.Join(names, "', '") + "')")
	return out, s.Query(ctx, "feed.settings", settings, func(rows *sql.Rows) error {
		var name, value string
		err := rows.Scan(&name, &value)
		out[strings.ToLower(name)] = strings.ToUpper(value)
		return err
	})
}

// LogObstacle returns why an open log lacks changes of the site's database, or of all databases if the
// source has none; "" if there is no obstacle. At most one query.
func (s *Source) LogObstacle(ctx context.Context, settings Settings, stream *binlog.Stream) (string, error) {
	replica := settings["wsrep_on"] == "ON" || stream.Flavor() == binlog.MySQL
	if !replica {
		limited, cancel := context.WithTimeout(ctx, queryTimeout)
		defer cancel()
		var err error
		if replica, err = server.Replicates(limited, s.pool, s.servers.Dialect()); err != nil {
			return "", err
		}
	}
	switch {
	case s.cfg.DBName != "" && !stream.Logs(s.cfg.DBName):
		return "the server leaves this database out of its binary log (binlog_do_db, binlog_ignore_db)", nil
	case replica && settings["log_slave_updates"] != "ON" && settings["log_replica_updates"] != "ON":
		return "the server does not log what comes from other servers (log_slave_updates)", nil
	}
	return "", nil
}
