package changefeed

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Host is the operator of a server, if the operator determines how it is set up.
type Host string

// The hosts.
const (
	Aurora Host = "Aurora"
	RDS    Host = "RDS"
)

// Inspection is the result of trying to follow the binary log.
type Inspection struct {
	// Followed is set if a hub follows the log with the site's user. Nothing else is known then.
	Followed bool
	// Account is the database user that would follow it, and Host the server's operator.
	Account string
	Host    Host
	// Denied is set if the user lacks a privilege, NoLog if the server writes no log, and
	// NoGTIDs if it is a MySQL server without GTIDs.
	Denied, NoLog, NoGTIDs bool
	// Unreadable is the reason why the user can't read the site's tables; nil if it can.
	Unreadable error
	// Err is any other reason why the log can't be opened.
	Err error
	// Obstacle is the reason why the log lacks changes, or doesn't show when they can be
	// read; "" if there is none.
	Obstacle string
	// Format and RowImage are the server's settings: with ROW and FULL the log has every
	// row and column that changed.
	Format, RowImage string
}

// Inspect checks whether [Feed.Follow] could follow the binary log of a site with these
// tables. It doesn't open the log if a hub follows it already, which may be nil. It returns an error
// if the server can't be queried.
func Inspect(ctx context.Context, servers *sqlconn.Servers, tables table.Names, hub *Hub) (found Inspection, err error) {
	if hub.Following() && !servers.Feed().Apart() {
		return Inspection{Followed: true}, nil
	}
	src := Open(servers)
	defer src.Close()
	err = src.Query(ctx, "feed.account", sq.Select("CURRENT_USER()"), func(rows *sql.Rows) error { return rows.Scan(&found.Account) })
	if err != nil {
		return found, servers.Feed().Advise(err)
	}
	settings, err := src.Settings(ctx)
	if err != nil {
		return found, err
	}
	found.Host, found.Format, found.RowImage = hostOf(settings), settings["binlog_format"], settings["binlog_row_image"]
	if found.Obstacle = settings.Obstacle(src.Flavor()); found.Obstacle != "" {
		found.NoGTIDs = found.Obstacle == NoGTIDs
		return found, nil
	}
	if !hub.Following() {
		if err := found.open(ctx, src, settings); err != nil || found.Denied || found.NoLog || found.Err != nil || found.Obstacle != "" {
			return found, err
		}
	}
	if servers.Feed().Apart() { // with another user
		some := sq.Select("term_taxonomy_id").From(tables.Quoted("term_taxonomy")).Limit(1)
		found.Unreadable = src.Query(ctx, "feed.readable", some, func(*sql.Rows) error { return nil })
	}
	return found, nil
}

// open opens the log, for which MariaDB reads all of its newest file.
func (found *Inspection) open(ctx context.Context, src *Source, settings Settings) error {
	stream, err := binlog.Open(ctx, binlog.Config{MySQL: src.Config(), Columns: func(*binlog.Table) []int { return nil }})
	const denied = 1227
	var refused *mysql.MySQLError
	switch {
	case errors.As(err, &refused) && refused.Number == denied:
		found.Denied = true
		return nil
	case errors.Is(err, binlog.ErrNoLog):
		found.NoLog = true
		return nil
	case err != nil:
		found.Err = src.servers.Feed().Advise(err)
		return nil
	}
	defer stream.Close()
	src.Identify(stream.Server(), stream.Flavor())
	switch _, err = src.AskPrimary(ctx); {
	case errors.Is(err, ErrNotPrimary), errors.Is(err, ErrLeftCluster):
		found.Obstacle = err.Error()
		return nil
	case err != nil:
		return err
	}
	found.Obstacle, err = src.LogObstacle(ctx, settings, stream)
	return err
}

// hostOf recognises Amazon's servers.
func hostOf(settings Settings) Host {
	switch {
	case settings["aurora_version"] != "":
		return Aurora
	case strings.HasPrefix(settings["basedir"], "/RDSDBBIN"):
		return RDS
	}
	return ""
}
