package changefeed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
	settings, err := logSettings(ctx, sqlconn.NewDirect(servers, servers.SQL()))
	if err != nil {
		return Inspection{}, err
	}
	if obstacle := obstacleIn(settings, servers.Dialect().Flavor(), servers.Version()); obstacle != "" {
		return Inspection{Obstacle: obstacle}, nil
	}
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
	found := Inspection{Format: settings["binlog_format"], RowImage: settings["binlog_row_image"]}
	found.Obstacle, err = obstacleTo(ctx, servers, servers.SQL(), settings, stream, primary.DBName)
	return found, err
}

// logSettings reads the server's settings of its log, by name; settings that the server
// doesn't have are absent. One query.
func logSettings(ctx context.Context, run *sqlconn.Runner) (map[string]string, error) {
	names := []string{
		"binlog_format", "binlog_row_image", "log_slave_updates", "log_replica_updates", "gtid_mode",
		"binlog_optimize_thread_scheduling", "binlog_storage_engine", "wsrep_on", "log_bin",
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

// obstacleIn says why a server with these settings has a log that can't be followed, or
// doesn't show when changes can be read; "" if there is no obstacle, or no log.
func obstacleIn(settings map[string]string, flavor binlog.Flavor, version string) string {
	var major, minor int
	_, _ = fmt.Sscanf(version, "%d.%d", &major, &minor) // what isn't there is 0
	isMySQL := flavor == binlog.MySQL
	switch {
	case settings["log_bin"] == "OFF":
		return ""
	case isMySQL && (major < 5 || major == 5 && minor < 7):
		return "MySQL before 5.7 does not say when a transaction can be read"
	case isMySQL && settings["gtid_mode"] != "ON":
		return "gtid_mode is not ON; set gtid_mode=ON and enforce_gtid_consistency=ON"
	case settings["binlog_optimize_thread_scheduling"] == "OFF":
		return "with binlog_optimize_thread_scheduling=OFF the server does not say when a transaction can be read"
	case settings["binlog_storage_engine"] != "":
		return "with binlog_storage_engine the positions in the log are not known to grow as those of files do"
	}
	return ""
}

// obstacleTo says why an open log lacks changes of a database; "" if there is no
// obstacle. At most one query.
func obstacleTo(ctx context.Context, servers *sqlconn.Servers, pool *sql.DB, settings map[string]string, stream *binlog.Stream, database string) (string, error) {
	replica := settings["wsrep_on"] == "ON" || stream.Flavor() == binlog.MySQL
	if !replica {
		limited, cancel := context.WithTimeout(ctx, queryTimeout)
		defer cancel()
		var err error
		if replica, err = sqlconn.Replicates(limited, pool, servers.Dialect()); err != nil {
			return "", err
		}
	}
	switch {
	case !stream.Logs(database):
		return "the server leaves this database out of its binary log (binlog_do_db, binlog_ignore_db)", nil
	case replica && settings["log_slave_updates"] != "ON" && settings["log_replica_updates"] != "ON":
		return "the server does not log what comes from other servers (log_slave_updates)", nil
	}
	return "", nil
}
