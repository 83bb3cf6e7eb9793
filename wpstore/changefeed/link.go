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
	// linkConnections: one to prove what is visible, one for [Feed.CatchUp]. They are
	// the feed's own, since the site's may be busy when it matters.
	linkConnections = 2
	// stayPause is the time between two looks where the primary's address leads.
	stayPause = time.Second
	// strandedTime is how long nobody may answer there while the log goes on.
	strandedTime = 3 * time.Second
)

// link is the connections to the server that is followed.
type link struct {
	servers *sqlconn.Servers
	primary *sqlconn.Primary
	cfg     *mysql.Config
	flavor  binlog.Flavor
	server  string // its id
	// pool holds connections, and fresh opens one for each question; run and runFresh
	// run statements there.
	pool, fresh   *sql.DB
	run, runFresh *sqlconn.Runner
}

// openLink opens connections to the server that is the primary now.
func openLink(servers *sqlconn.Servers) (l *link, err error) {
	l = &link{servers: servers, primary: servers.Primary(), flavor: servers.Dialect().Flavor()}
	if l.cfg, err = l.primary.DriverConfig(); err != nil {
		return nil, err
	}
	if l.pool, err = l.primary.OpenPool(); err != nil {
		return nil, err
	}
	if l.fresh, err = l.primary.OpenPool(); err != nil {
		l.pool.Close()
		return nil, err
	}
	l.pool.SetMaxOpenConns(linkConnections)
	l.pool.SetMaxIdleConns(linkConnections)
	l.fresh.SetMaxOpenConns(linkConnections)
	l.fresh.SetMaxIdleConns(-1)
	l.run, l.runFresh = sqlconn.NewDirect(servers, l.pool), sqlconn.NewDirect(servers, l.fresh)
	return l, nil
}

func (l *link) close() {
	l.fresh.Close()
	l.pool.Close()
}

// stay returns when the server that is followed is not the primary any more.
// Connections stay with the server that they were made to when an address moves, so
// that each look opens one.
func (l *link) stay(ctx context.Context) error {
	tick := time.NewTicker(stayPause)
	defer tick.Stop()
	for answered := time.Now(); ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-l.primary.Ended():
			return errMoved
		case <-tick.C:
		}
		err := l.look(ctx)
		switch {
		case errors.Is(err, errMoved), errors.Is(err, errLeftCluster):
			return err
		case err == nil, isFull(err):
			answered = time.Now()
		case time.Since(answered) > strandedTime:
			return err
		}
	}
}

// look asks the server to which the address leads now whether it is the one that is
// followed.
func (l *link) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	conn, err := l.fresh.Conn(ctx)
	if err != nil {
		return fmt.Errorf("look where the primary is: %w", err)
	}
	defer conn.Close()
	n, err := sqlconn.AskNode(ctx, conn, l.servers.Dialect())
	switch {
	case err != nil:
		return fmt.Errorf("look where the primary is: %w", err)
	case n.ID != l.server:
		return errMoved
	case n.OutOfStep != "":
		return fmt.Errorf("%w: %s", errLeftCluster, n.OutOfStep)
	}
	return nil
}

// isFull says whether a server refused a connection for having too many.
func isFull(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && (refused.Number == 1040 || refused.Number == 1203 || refused.Number == 1226)
}

// visible says whether everybody who asks now sees the transactions up to a place in
// the log (MariaDB) or with these GTIDs (MySQL). See package binlog for why these two
// prove it.
func (l *link) visible(ctx context.Context, gtid binlog.Position, end binlog.Place) (bool, error) {
	if l.flavor == binlog.MariaDB {
		shown, err := l.shown(ctx)
		return err == nil && !shown.Before(end), err
	}
	executed, err := l.position(ctx)
	return err == nil && executed.Contains(gtid), err
}

// shown is the place in MariaDB's log up to which transactions are visible.
func (l *link) shown(ctx context.Context) (binlog.Place, error) {
	var place binlog.Place
	err := ask(ctx, l.run, "feed.visible", sq.Expr(`SHOW STATUS LIKE 'binlog\_snapshot\_%'`), func(rows *sql.Rows) error {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return err
		}
		if strings.EqualFold(name, "binlog_snapshot_file") {
			place.File = value
			return nil
		}
		n, err := strconv.ParseUint(value, 10, 64)
		place.Position = n
		return err
	})
	if err == nil && place.File == "" {
		err = fmt.Errorf("query feed.visible: the server does not tell which transactions are visible")
	}
	return place, err
}

// position is the last transaction that the server has written (MariaDB), which may
// not be visible yet, or are visible (MySQL).
func (l *link) position(ctx context.Context) (binlog.Position, error) {
	var text string
	if err := ask(ctx, l.run, "feed.position", sq.Select(l.positionVariable()), func(rows *sql.Rows) error { return rows.Scan(&text) }); err != nil {
		return nil, err
	}
	return binlog.ParsePosition(l.flavor, text)
}

func (l *link) positionVariable() string {
	if l.flavor == binlog.MariaDB {
		return "@@global.gtid_binlog_pos"
	}
	return "@@global.gtid_executed"
}

// primaryPosition is the position, and proof that the server is the primary: one that
// can be written. Where it cannot, its address may lead to another server than a
// moment ago.
func (l *link) primaryPosition(ctx context.Context) (binlog.Position, error) {
	text, server, readOnly := "", "", false
	query := sq.Select(l.positionVariable(), l.flavor.Identity(), "@@global.read_only")
	scan := func(rows *sql.Rows) error { return rows.Scan(&text, &server, &readOnly) }
	err := ask(ctx, l.run, "feed.position", query, scan)
	if err == nil && readOnly {
		if l.servers.Replicas() > 0 { // one of them may have the role already
			return nil, errReadOnly
		}
		err = ask(ctx, l.runFresh, "feed.position", query, scan)
	}
	if err != nil {
		return nil, err
	}
	if server != l.server || l.primary != l.servers.Primary() {
		return nil, errMoved
	}
	return binlog.ParsePosition(l.flavor, text)
}
