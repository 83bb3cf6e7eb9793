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
)

// Inspection is what trying to follow the binary log has found.
type Inspection struct {
	// Denied: the user lacks a privilege. NoLog: the server writes none.
	Denied, NoLog bool
	// Err is why else the log cannot be opened.
	Err error
	// Obstacle is why the log would not tell all changes, or not when they can be
	// read; "" if it does.
	Obstacle string
	// Format and RowImage are how finely the log tells changes: ROW and FULL name each
	// row and column.
	Format, RowImage string
}

// Inspect looks whether [Feed.Follow] could follow the binary log, by trying it. The
// error is for a server that could not be asked.
func Inspect(ctx context.Context, servers *sqlconn.Servers, primary *mysql.Config) (Inspection, error) {
	stream, err := binlog.Open(ctx, binlog.Config{MySQL: primary, Columns: func(*binlog.Table) []int { return nil }})
	const denied = 1227
	var refused *mysql.MySQLError
	switch {
	case errors.As(err, &refused) && refused.Number == denied:
		return Inspection{Denied: true}, nil
	case errors.Is(err, binlog.ErrNoLog):
		return Inspection{NoLog: true}, nil
	case err != nil:
		return Inspection{Err: err}, nil
	}
	defer stream.Close()
	var found Inspection
	found.Obstacle, err = obstacleTo(ctx, servers, servers.SQL(), stream, primary.DBName)
	if err != nil || found.Obstacle != "" {
		return found, err
	}
	settings, err := logSettings(ctx, sqlconn.NewDirect(servers, servers.SQL()))
	found.Format, found.RowImage = settings["binlog_format"], settings["binlog_row_image"]
	return found, err
}

// logSettings reads the server's settings of its log, by their names; those that it
// does not have are absent. One query.
func logSettings(ctx context.Context, run *sqlconn.Runner) (map[string]string, error) {
	names := []string{
		"binlog_format", "binlog_row_image", "log_slave_updates", "log_replica_updates", "gtid_mode",
		"binlog_optimize_thread_scheduling", "wsrep_on",
	}
	out := map[string]string{}
	query := sq.Expr("SHOW GLOBAL VARIABLES WHERE variable_name IN ('" + strings.Join(names, "', '") + "')")
	return out, ask(ctx, run, "feed.settings", query, func(rows *sql.Rows) error {
		var name, value string
		err := rows.Scan(&name, &value)
		out[strings.ToLower(name)] = strings.ToUpper(value)
		return err
	})
}

// obstacleTo says why the log would not tell all changes of a database, or not when
// they can be read; "" if it does. Two queries.
func obstacleTo(ctx context.Context, servers *sqlconn.Servers, pool *sql.DB, stream *binlog.Stream, database string) (string, error) {
	settings, err := logSettings(ctx, sqlconn.NewDirect(servers, pool))
	if err != nil {
		return "", err
	}
	replica := settings["wsrep_on"] == "ON" || stream.Flavor() == binlog.MySQL
	if !replica {
		limited, cancel := context.WithTimeout(ctx, questionTimeout)
		defer cancel()
		if replica, err = sqlconn.Replicates(limited, pool, servers.Dialect()); err != nil {
			return "", err
		}
	}
	switch {
	case !stream.Logs(database):
		return "the server leaves this database out of its binary log (binlog_do_db, binlog_ignore_db)", nil
	case settings["binlog_optimize_thread_scheduling"] == "OFF":
		return "with binlog_optimize_thread_scheduling=OFF the server does not tell when a transaction can be read", nil
	case stream.Flavor() == binlog.MySQL && settings["gtid_mode"] != "ON":
		return "gtid_mode is not ON", nil
	case replica && settings["log_slave_updates"] != "ON" && settings["log_replica_updates"] != "ON":
		return "the server does not log what comes from other servers (log_slave_updates)", nil
	}
	return "", nil
}
