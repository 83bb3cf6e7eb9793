package check

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn/dialect"
)

// server checks whether the server's version is supported, and reports how close it is to a
// tested one.
func (c *checker) server() {
	d := c.run.Dialect()
	c.judgeServer(d.Engine(), c.Servers.Version(), d.Versions())
}

func (r *Report) judgeServer(engine, version string, versions dialect.Versions) {
	const name = "database.server"
	v := versionNumbers(version)
	switch {
	case v.Compare(versions.Oldest) < 0:
		r.warn(name, fmt.Sprintf("Only %s %s and later are supported; plan an upgrade.", engine, versions.Oldest), "%s %s", engine, version)
	case len(versions.Tested) == 0:
		r.warn(name, "The embedded engine is for demonstrations and tests. Serve sites from MySQL or MariaDB.", "%s %s", engine, version)
	default:
		r.ok(name, "%s %s; %s", engine, version, nearestTested(v, versions.Tested))
	}
}

// nearestTested names the tested versions closest to v.
func nearestTested(v dialect.Version, tested []dialect.Version) string {
	at, same := slices.BinarySearchFunc(tested, v, dialect.Version.Compare)
	switch {
	case same:
		return "calbridge is tested on this series"
	case at == 0:
		return fmt.Sprintf("the oldest that calbridge is tested on is %s", tested[0])
	case at == len(tested):
		return fmt.Sprintf("the newest that calbridge is tested on is %s", tested[at-1])
	}
	return fmt.Sprintf("calbridge is tested on %s and %s, but not on versions between them", tested[at-1], tested[at])
}

// versionNumbers reads the first two numbers of "10.11.6-MariaDB".
func versionNumbers(version string) (v dialect.Version) {
	_, _ = fmt.Sscanf(version, "%d.%d", &v.Major, &v.Minor) // missing numbers are 0
	return v
}

// session checks whether the server applied our session settings: a connection proxy
// may drop them.
func (c *checker) session(ctx context.Context) error {
	var zone, modes, charset, collation string
	err := c.run.Query(ctx, "check.session",
		sq.Select("@@session.time_zone", "@@session.sql_mode", "@@session.character_set_client", "@@session.collation_connection"),
		func(rows *sql.Rows) error { return rows.Scan(&zone, &modes, &charset, &collation) })
	if err != nil {
		return err
	}
	const name = "database.session"
	found := fmt.Sprintf("time zone %s, modes %q, characters %s", zone, modes, charset)
	if zone != "+00:00" || charset != c.Servers.Charset().Name || strings.Contains(modes, "STRICT") || strings.Contains(modes, "NO_ZERO") || strings.Contains(modes, "ONLY_FULL_GROUP_BY") {
		c.fail(name, "Something between calbridge and the server, most likely a connection proxy, resets the session. Connect to the server itself, or turn off the proxy's multiplexing.", "%s", found)
		return nil
	}
	c.ok(name, "%s", found)
	c.judgeCollation(c.Servers.Collation(), collation)
	return nil
}

// judgeCollation warns if connections have another collation than the configured one.
func (r *Report) judgeCollation(configured, used string) {
	alias := func(collation string) string {
		return strings.Replace(strings.ToLower(collation), "utf8mb3_", "utf8_", 1)
	}
	if configured != "" && alias(configured) != alias(used) {
		r.warn("database.collation", "Set DB_COLLATE in wp-config.php to a collation that the server knows, or to ''.",
			"the server does not know the collation %s; connections use %s, the default of their character set, as WordPress's connections do", configured, used)
	}
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

// judgeBinaryLog reports on the values of log_bin and binlog_format.
func (r *Report) judgeBinaryLog(on, format string) {
	const name = "database.binlog-format"
	switch {
	case on != "1" && !strings.EqualFold(on, "ON"):
		r.ok(name, "off")
	case strings.EqualFold(format, "STATEMENT"):
		r.warn(name, "Set binlog_format to ROW or MIXED, in the server's configuration and at once with: SET GLOBAL binlog_format = 'ROW';\nOr start with --read-only.",
			"binlog_format is STATEMENT: the server will refuse every write, because calbridge writes at READ COMMITTED")
	default:
		r.ok(name, "binlog_format %s", format)
	}
}
