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
)

const (
	// sourceConnections: one to ask what is visible, one for [Feed.CatchUp]. They are
	// the feed's own, since the site's pool may be busy when it matters.
	sourceConnections = 2
	// watchInterval is the time between two checks where the primary's address leads.
	watchInterval = time.Second
	// unreachableTimeout is how long that address may not answer while the log goes on.
	unreachableTimeout = 3 * time.Second
	// queryTimeout bounds each query.
	queryTimeout = time.Second
)

var errLeftCluster = errors.New("changes by others do not arrive")

// source is the server whose log is followed, and connections to it.
type source struct {
	servers *sqlconn.Servers
	cfg     *mysql.Config
	flavor  binlog.Flavor
	server  string // its id
	// pool holds connections, and fresh opens one for each query; run and runFresh
	// run statements there.
	pool, fresh   *sql.DB
	run, runFresh *sqlconn.Runner
	statements    sqlconn.Templates
	left          chan error // why the server or its log is no longer the one to follow
}

// openSource opens pools of connections to the primary. It doesn't connect yet.
func openSource(servers *sqlconn.Servers) *source {
	s := &source{servers: servers, cfg: servers.DriverConfig(), flavor: servers.Dialect().Flavor(), pool: servers.OpenPool(), fresh: servers.OpenPool(),
		left: make(chan error, 1)}
	s.pool.SetMaxOpenConns(sourceConnections)
	s.pool.SetMaxIdleConns(sourceConnections)
	s.fresh.SetMaxOpenConns(sourceConnections)
	s.fresh.SetMaxIdleConns(-1)
	s.run, s.runFresh = sqlconn.NewDirect(servers, s.pool), sqlconn.NewDirect(servers, s.fresh)
	return s
}

func (s *source) close() {
	s.fresh.Close()
	s.pool.Close()
}

// query runs a query within queryTimeout.
func query(ctx context.Context, run *sqlconn.Runner, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	return run.Query(ctx, name, b, scan)
}

// leave ends watch with an error.
func (s *source) leave(why error) {
	select {
	case s.left <- why:
	default:
	}
}

// watch returns when the server is no longer the primary. When an address moves to
// another server, open connections stay with the old one, so each check opens one.
func (s *source) watch(ctx context.Context) error {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for answered := time.Now(); ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-s.left:
			return err
		case <-tick.C:
		}
		err := s.checkPrimary(ctx)
		switch {
		case errors.Is(err, errNotPrimary), errors.Is(err, errLeftCluster):
			return err
		case err == nil, isFull(err):
			answered = time.Now()
		case time.Since(answered) > unreachableTimeout:
			return err
		}
	}
}

// checkPrimary asks the server to which the primary's address leads now whether it is
// this one.
func (s *source) checkPrimary(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	conn, err := s.fresh.Conn(ctx)
	if err != nil {
		return fmt.Errorf("check the primary: %w", err)
	}
	defer conn.Close()
	n, err := sqlconn.AskNode(ctx, conn, s.servers.Dialect())
	switch {
	case err != nil:
		return fmt.Errorf("check the primary: %w", err)
	case n.ID != s.server:
		return errNotPrimary
	case n.OutOfStep != "":
		return fmt.Errorf("%w: %s", errLeftCluster, n.OutOfStep)
	}
	return nil
}

// isFull reports whether a server refused a connection for having too many.
func isFull(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && (refused.Number == 1040 || refused.Number == 1203 || refused.Number == 1226)
}

// visible reports whether everyone who reads now sees the transactions up to a place in
// the log (MariaDB) or with these GTIDs (MySQL). See package binlog for why these two
// prove it.
func (s *source) visible(ctx context.Context, gtid binlog.Position, end binlog.Place) (bool, error) {
	if s.flavor == binlog.MariaDB {
		upTo, err := s.visiblePlace(ctx)
		return err == nil && !upTo.Before(end), err
	}
	var executed bool
	subset := sq.Select().Column("GTID_SUBSET(?, @@global.gtid_executed)", gtid.String())
	err := query(ctx, s.run, "feed.executed", subset, func(rows *sql.Rows) error { return rows.Scan(&executed) })
	return executed, err
}

// visiblePlace is the place in MariaDB's log up to which transactions are visible.
func (s *source) visiblePlace(ctx context.Context) (binlog.Place, error) {
	var place binlog.Place
	err := query(ctx, s.run, "feed.visible", sq.Expr(`SHOW STATUS LIKE 'binlog\_snapshot\_%'`), func(rows *sql.Rows) error {
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
		err = fmt.Errorf("query feed.visible: the server does not say which transactions are visible")
	}
	return place, err
}

func (s *source) positionVariable() string {
	if s.flavor == binlog.MariaDB {
		return "@@global.gtid_binlog_pos"
	}
	return "@@global.gtid_executed"
}

// primaryPosition is the server's position, proved to be that of the primary by its
// being writable. If it isn't writable, its address may lead to another server by now.
func (s *source) primaryPosition(ctx context.Context) (binlog.Position, error) {
	n, err := s.askNode(ctx, s.run)
	if err == nil && n.readOnly {
		n, err = s.askNode(ctx, s.runFresh)
	}
	if err != nil {
		return nil, err
	}
	if n.server != s.server {
		return nil, errNotPrimary
	}
	return binlog.ParsePosition(s.flavor, n.position)
}

// node is a server and its state.
type node struct {
	position, server string
	readOnly         bool
}

// askNode asks a server for its state. Each answer under strict waits for this query, so it
// is built once and read past the driver.
func (s *source) askNode(ctx context.Context, run *sqlconn.Runner) (n node, err error) {
	const name = "feed.position"
	statement, err := s.statements.Once(name, "", func() sq.Sqlizer {
		return sq.Select(s.positionVariable(), s.flavor.Identity(), sqlconn.RoleExpression)
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
	return node{position: rows.At(0, 0), server: rows.At(0, 1), readOnly: sqlconn.IsReadOnly(rows.At(0, 2))}, nil
}
