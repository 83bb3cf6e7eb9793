package check

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// server checks whether the server's version is tested, and fit for serving sites.
func (c *checker) server() {
	const name = "database.server"
	d, version := c.run.Dialect(), c.Servers.Version()
	major, minor := versionNumbers(version)
	oldestMajor, oldestMinor := d.OldestServer()
	switch {
	case cmp.Or(cmp.Compare(major, oldestMajor), cmp.Compare(minor, oldestMinor)) < 0:
		c.warn(name, fmt.Sprintf("Only %s %d.%d and later are tested; plan an upgrade.", d.Engine(), oldestMajor, oldestMinor),
			"%s %s", d.Engine(), version)
	case d.Embedded():
		c.warn(name, "The embedded engine is for demonstrations and tests. Serve sites from MySQL or MariaDB.", "%s %s", d.Engine(), version)
	default:
		c.ok(name, "%s %s", d.Engine(), version)
	}
}

// versionNumbers reads the first two numbers of "10.11.6-MariaDB".
func versionNumbers(version string) (major, minor int) {
	_, _ = fmt.Sscanf(version, "%d.%d", &major, &minor) // what isn't there is 0
	return major, minor
}

// session checks whether the server applied our session settings: a connection proxy
// may drop them.
func (c *checker) session(ctx context.Context) error {
	var zone, modes, charset string
	err := c.run.Query(ctx, "check.session",
		sq.Select("@@session.time_zone", "@@session.sql_mode", "@@session.character_set_client"),
		func(rows *sql.Rows) error { return rows.Scan(&zone, &modes, &charset) })
	if err != nil {
		return err
	}
	const name = "database.session"
	found := fmt.Sprintf("time zone %s, modes %q, characters %s", zone, modes, charset)
	if zone != "+00:00" || charset != c.Servers.Charset() || strings.Contains(modes, "STRICT") || strings.Contains(modes, "NO_ZERO") || strings.Contains(modes, "ONLY_FULL_GROUP_BY") {
		c.fail(name, "Something between calbridge and the server resets the session, a connection proxy most likely. Connect to the server itself, or turn off its multiplexing.", "%s", found)
		return nil
	}
	c.ok(name, "%s", found)
	return nil
}

// binaryLog warns if the server's binary log can't take our writes: with statements in
// the log, InnoDB refuses every change made at READ COMMITTED (error 1665), because
// replicas couldn't repeat it faithfully.
func (c *checker) binaryLog(ctx context.Context) error {
	if c.Servers.Config().ReadOnly {
		return nil
	}
	var on, format string
	err := c.run.Query(ctx, "check.binlog", sq.Select("@@global.log_bin", "@@session.binlog_format"),
		func(rows *sql.Rows) error { return rows.Scan(&on, &format) })
	if errors.Is(err, wpstore.ErrUnavailable) {
		return err
	}
	if err == nil { // servers that only speak MySQL's protocol may have neither variable
		c.judgeBinaryLog(on, format)
	}
	return nil
}

// judgeBinaryLog takes the values of log_bin and binlog_format.
func (r *Report) judgeBinaryLog(on, format string) {
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
