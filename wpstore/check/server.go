package check

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// server looks whether this version is tested, and fit for serving sites.
func server(r *Report, d sqlconn.Dialect, version string) {
	const name = "database.server"
	major, minor := versionNumbers(version)
	oldestMajor, oldestMinor := d.OldestServer()
	if cmp.Or(cmp.Compare(major, oldestMajor), cmp.Compare(minor, oldestMinor)) < 0 {
		r.warn(name, fmt.Sprintf("Only %s %d.%d and later are tested; plan an upgrade.", d.Engine(), oldestMajor, oldestMinor),
			"%s %s", d.Engine(), version)
		return
	}
	if d.Embedded() {
		r.warn(name, "The embedded engine is for demonstrations and tests. Serve sites from MySQL or MariaDB.", "%s %s", d.Engine(), version)
		return
	}
	r.ok(name, "%s %s", d.Engine(), version)
}

// versionNumbers reads the first two numbers of "10.11.6-MariaDB".
func versionNumbers(version string) (major, minor int) {
	parts := strings.FieldsFunc(version, func(c rune) bool { return c < '0' || c > '9' })
	if len(parts) > 0 {
		major, _ = strconv.Atoi(parts[0])
	}
	if len(parts) > 1 {
		minor, _ = strconv.Atoi(parts[1])
	}
	return major, minor
}

// session looks whether the server took the settings of our sessions: a
// proxy between may swallow them.
func session(ctx context.Context, r *Report, run *sqlconn.Runner) error {
	var zone, modes, charset string
	err := run.Query(ctx, "check.session",
		sq.Select("@@session.time_zone", "@@session.sql_mode", "@@session.character_set_client"),
		func(rows *sql.Rows) error { return rows.Scan(&zone, &modes, &charset) })
	if err != nil {
		return err
	}
	const name = "database.session"
	found := fmt.Sprintf("time zone %s, modes %q, characters %s", zone, modes, charset)
	if zone != "+00:00" || charset != "utf8mb4" || strings.Contains(modes, "STRICT") || strings.Contains(modes, "NO_ZERO") || strings.Contains(modes, "ONLY_FULL_GROUP_BY") {
		r.fail(name, "Something between calbridge and the server resets the session, a connection proxy most likely. Connect to the server itself, or turn off its multiplexing.", "%s", found)
		return nil
	}
	r.ok(name, "%s", found)
	return nil
}

// binaryLog warns where the server's binary log does not take our writes: with
// statements in the log, InnoDB refuses every change made at READ COMMITTED (error
// 1665), because replicas could not repeat it faithfully.
func binaryLog(ctx context.Context, r *Report, run *sqlconn.Runner, readOnly bool) error {
	if readOnly {
		return nil
	}
	var on, format string
	err := run.Query(ctx, "check.binlog", sq.Select("@@global.log_bin", "@@session.binlog_format"),
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
