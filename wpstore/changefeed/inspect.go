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

// Inspection is the result of trying to follow the binary log.
type Inspection struct {
	// Denied: the user lacks a privilege. NoLog: the server writes no log.
	Denied, NoLog bool
	// Err is any other reason why the log can't be opened.
	Err error
	// Obstacle is why the log lacks changes, or doesn't show when they can be read;
	// "" if there is none.
	Obstacle string
	// Format and RowImage are the server's settings: with ROW and FULL the log names
	// each row and column that changed.
	Format, RowImage string
}

// Inspect tries whether [Feed.Follow] could follow the binary log. It returns an error
// if the server can't be queried.
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

// logSettings reads the server's settings of its log, by name; settings that the server
// doesn't have are absent. One query.
func logSettings(ctx context.Context, run *sqlconn.Runner) (map[string]string, error) {
	names := []string{
		"binlog_format", "binlog_row_image", "log_slave_updates", "log_replica_updates", "gtid_mode",
		"binlog_optimize_thread_scheduling", "wsrep_on",
	}
	out := map[string]string{}
	settings := sq.Expr("SHOW GLOBAL VARIABLES WHERE variable_name IN ('" + strings.Join(names, "', '") + "')")
	return out, query(ctx, run, "feed.settings", settings, func(rows *sql.Rows) error {
		var name, value string
		err := rows.Scan(&name, &value)
		out[strings.ToLower(name)] = strings.ToUpper(value)
		return err
	})
}

// obstacleTo says why the log lacks changes of a database, or doesn't show when they can
// be read; "" if there is no obstacle. Two queries.
func obstacleTo(ctx context.Context, servers *sqlconn.Servers, pool *sql.DB, stream *binlog.Stream, database string) (string, error) {
	settings, err := logSettings(ctx, sqlconn.NewDirect(servers, pool))
	if err != nil {
		return "", err
	}
	replica := settings["wsrep_on"] == "ON" || stream.Flavor() == binlog.MySQL
	if !replica {
		limited, cancel := context.WithTimeout(ctx, queryTimeout)
		defer cancel()
		if replica, err = sqlconn.Replicates(limited, pool, servers.Dialect()); err != nil {
			return "", err
		}
	}
	switch {
	case !stream.Logs(database):
		return "the server leaves this database out of its binary log (binlog_do_db, binlog_ignore_db)", nil
	case settings["binlog_optimize_thread_scheduling"] == "OFF":
		return "with binlog_optimize_thread_scheduling=OFF the server does not say when a transaction can be read", nil
	case stream.Flavor() == binlog.MySQL && settings["gtid_mode"] != "ON":
		return "gtid_mode is not ON", nil
	case replica && settings["log_slave_updates"] != "ON" && settings["log_replica_updates"] != "ON":
		return "the server does not log what comes from other servers (log_slave_updates)", nil
	}
	return "", nil
}
