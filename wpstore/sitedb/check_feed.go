package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/binlog"
)

// feedGrants are what a user needs, besides [DB.GrantStatements], to follow the
// binary log.
func (db *DB) feedGrants(user string) []string {
	monitor := "REPLICATION CLIENT"
	if db.Engine() == "mariadb" {
		monitor = "BINLOG MONITOR"
	}
	return []string{"GRANT REPLICATION SLAVE, " + monitor + " ON *.* TO " + user + ";"}
}

// CheckFeed looks whether [DB.Follow] could follow the binary log, by trying it.
// The error is for a database that could not be asked. The embedded engine has no
// log, and nothing is reported.
func (db *DB) CheckFeed(ctx context.Context) (Report, error) {
	const name = "database.change-feed"
	const within = 5 * time.Second
	var r Report
	if db.Engine() == "sqlite" {
		return r, nil
	}
	cfg, err := mysqlConfig(db.cfg, db.cfg.DSN)
	if err != nil {
		return r, err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	var account string
	if err := db.query(ctx, "check.account", sq.Select("CURRENT_USER()"), func(rows *sql.Rows) error { return rows.Scan(&account) }); err != nil {
		return r, err
	}
	const without = "calbridge works without it; changes by others are then noticed later."
	stream, err := binlog.Open(ctx, binlog.Config{MySQL: cfg, Columns: func(*binlog.Table) []int { return nil }})
	const denied = 1227
	var refused *mysql.MySQLError
	switch {
	case errors.As(err, &refused) && refused.Number == denied:
		user := quoteAccount(account)
		r.warn(name, without+"\nAs an administrator of the server run:\n"+strings.Join(db.feedGrants(user), "\n"), "%s may not read it", user)
		return r, nil
	case errors.Is(err, binlog.ErrNoLog):
		r.warn(name, without+"\nIn the server's configuration: log_bin=binlog, binlog_format=ROW, and a server_id; "+logOptions[db.Engine()], "the server keeps none (log_bin is off)")
		return r, nil
	case err != nil:
		r.warn(name, without, "cannot be followed: %v", err)
		return r, nil
	}
	defer stream.Close()
	f := &feed{db: db, pool: db.primary.pool, schema: cfg.DBName}
	obstacle, err := f.obstacle(ctx, stream)
	if err != nil {
		return r, err
	}
	if obstacle != "" {
		r.warn(name, without, "cannot be followed: %s", obstacle)
		return r, nil
	}
	settings, err := f.logSettings(ctx)
	if err != nil {
		return r, err
	}
	var coarse []string
	for _, want := range [][2]string{{"binlog_format", "ROW"}, {"binlog_row_image", "FULL"}} {
		if got := settings[want[0]]; got != want[1] {
			coarse = append(coarse, fmt.Sprintf("%s=%s instead of %s", want[0], got, want[1]))
		}
	}
	r.ok(name, "can be followed")
	if len(coarse) > 0 {
		r.warn(name+"-detail", "Set them so, for all connections: otherwise a change counts as a change of everything.", "%s", strings.Join(coarse, ", "))
	}
	return r, nil
}

// logOptions are what else a log needs on each kind of server.
var logOptions = map[string]string{
	"mariadb": "then restart it.",
	"mysql":   "gtid_mode=ON and enforce_gtid_consistency=ON; then restart it.",
}

// logSettings reads the server's settings of its log, by their names; those that it
// does not have are absent. One query.
func (f *feed) logSettings(ctx context.Context) (map[string]string, error) {
	names := []string{
		"binlog_format", "binlog_row_image", "log_slave_updates", "log_replica_updates", "gtid_mode",
		"binlog_optimize_thread_scheduling", "wsrep_on",
	}
	out := map[string]string{}
	query := sq.Expr("SHOW GLOBAL VARIABLES WHERE variable_name IN ('" + strings.Join(names, "', '") + "')")
	return out, f.query(ctx, "feed.settings", query, func(rows *sql.Rows) error {
		var name, value string
		err := rows.Scan(&name, &value)
		out[strings.ToLower(name)] = strings.ToUpper(value)
		return err
	})
}

// obstacle says why the log would not tell all changes, or not when they can be
// read; "" if it does. Two queries.
func (f *feed) obstacle(ctx context.Context, stream *binlog.Stream) (string, error) {
	settings, err := f.logSettings(ctx)
	if err != nil {
		return "", err
	}
	replica := settings["wsrep_on"] == "ON" || stream.Flavor() == binlog.MySQL
	if !replica {
		limited, cancel := context.WithTimeout(ctx, feedQueryTimeout)
		defer cancel()
		if replica, err = replicates(limited, f.pool, f.db.d); err != nil {
			return "", err
		}
	}
	switch {
	case !stream.Logs(f.schema):
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
