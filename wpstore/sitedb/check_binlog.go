package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// checkBinaryLog warns where the server's binary log does not take our writes: with
// statements in the log, InnoDB refuses every change made at READ COMMITTED (error
// 1665), because replicas could not repeat it faithfully.
func (db *DB) checkBinaryLog(ctx context.Context, r *Report) error {
	if db.Engine() == "sqlite" || db.cfg.ReadOnly {
		return nil
	}
	var on, format string
	err := db.query(ctx, "check.binlog", sq.Select("@@global.log_bin", "@@session.binlog_format"),
		func(rows *sql.Rows) error { return rows.Scan(&on, &format) })
	if errors.Is(err, wpstore.ErrUnavailable) {
		return err
	}
	if err == nil { // servers that only speak MySQL's protocol may know neither
		judgeBinaryLog(r, on, format)
	}
	return nil
}

// judgeBinaryLog takes the values of log_bin and binlog_format.
func judgeBinaryLog(r *Report, on, format string) {
	const name = "database.binlog-format"
	switch {
	case on != "1" && !strings.EqualFold(on, "ON"):
		r.ok(name, "off")
	case strings.EqualFold(format, "STATEMENT"):
		r.warn(name, "Set binlog_format to ROW or MIXED, in the server's configuration and at once with: SET GLOBAL binlog_format = 'ROW';\nOr start with --read-only.",
			"binlog_format is STATEMENT: the server will refuse every write, which are made at READ COMMITTED")
	default:
		r.ok(name, "binlog_format %s", format)
	}
}
