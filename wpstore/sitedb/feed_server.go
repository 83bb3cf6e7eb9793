package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
)

const (
	// stayPause is the time between two looks where the primary's address leads.
	stayPause = time.Second
	// strandedTime is how long nobody may answer there while the log goes on.
	strandedTime = 3 * time.Second
)

var (
	// errMoved means that the server that is followed is not the primary any more.
	// Positions of different servers don't compare: one may lack what the other had.
	errMoved       = errors.New("another server is the primary now")
	errLeftCluster = errors.New("what others write does not arrive")
	// errReadOnly means that another server may be the primary, or become it.
	errReadOnly = errors.New("the server cannot be written")
)

// stay returns when the server that is followed is not the primary any more.
// Connections stay with the server that they were made to when an address moves, so
// that each look opens one.
func (f *feed) stay(ctx context.Context) error {
	tick := time.NewTicker(stayPause)
	defer tick.Stop()
	for heard := time.Now(); ; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-f.role.ended:
			return errMoved
		case <-tick.C:
		}
		err := f.look(ctx)
		switch {
		case errors.Is(err, errMoved), errors.Is(err, errLeftCluster):
			return err
		case err == nil, isFull(err):
			heard = time.Now()
		case time.Since(heard) > strandedTime:
			return err
		}
	}
}

// look asks the server to which the address leads now whether it is the one that is
// followed.
func (f *feed) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, feedQueryTimeout)
	defer cancel()
	conn, err := f.fresh.Conn(ctx)
	if err != nil {
		return fmt.Errorf("look where the primary is: %w", err)
	}
	defer conn.Close()
	n, err := askNode(ctx, conn, f.db.d)
	switch {
	case err != nil:
		return fmt.Errorf("look where the primary is: %w", err)
	case n.id != f.server:
		return errMoved
	case n.outOfStep != "":
		return fmt.Errorf("%w: %s", errLeftCluster, n.outOfStep)
	}
	return nil
}

// isFull says whether a server refused a connection for having too many.
func isFull(err error) bool {
	var refused *mysql.MySQLError
	return errors.As(err, &refused) && (refused.Number == 1040 || refused.Number == 1203 || refused.Number == 1226)
}

// primaryPosition is the last transaction that the primary has written, as
// serverPosition, and proof that it is the primary: one that can be written. Where it
// cannot, its address may lead to another server than a moment ago.
func (f *feed) primaryPosition(ctx context.Context) (binlog.Position, error) {
	text, server, readOnly := "", "", false
	query := sq.Select(f.positionVariable(), f.flavor.Identity(), "@@global.read_only")
	ask := func(on *sql.DB) error {
		return f.queryOn(ctx, on, "feed.position", query, func(rows *sql.Rows) error { return rows.Scan(&text, &server, &readOnly) })
	}
	err := ask(f.pool)
	if err == nil && readOnly {
		if f.db.replicas != nil { // one of them may have the role already
			return nil, errReadOnly
		}
		err = ask(f.fresh)
	}
	if err != nil {
		return nil, err
	}
	if server != f.server || f.role != f.db.role.Load() {
		return nil, errMoved
	}
	return binlog.ParsePosition(f.flavor, text)
}
