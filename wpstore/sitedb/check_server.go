package sitedb

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"
)

// oldestServer is the oldest version of each engine that is tested and promised.
var oldestServer = map[string][2]int{"mysql": {8, 0}, "mariadb": {10, 6}, "sqlite": {3, 40}}

func (db *DB) checkServer(r *Report) {
	const name = "database.server"
	major, minor := versionNumbers(db.version)
	oldest := oldestServer[db.Engine()]
	if cmp.Or(cmp.Compare(major, oldest[0]), cmp.Compare(minor, oldest[1])) < 0 {
		r.warn(name, fmt.Sprintf("Only %s %d.%d and later are tested; plan an upgrade.", db.Engine(), oldest[0], oldest[1]),
			"%s %s", db.Engine(), db.version)
		return
	}
	if db.Engine() == "sqlite" {
		r.warn(name, "The embedded engine is for demonstrations and tests. Serve sites from MySQL or MariaDB.", "sqlite %s", db.version)
		return
	}
	r.ok(name, "%s %s", db.Engine(), db.version)
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

// checkSession looks whether the server took the settings of our sessions: a
// proxy between may swallow them.
func (db *DB) checkSession(ctx context.Context, r *Report) error {
	if db.Engine() == "sqlite" {
		return nil
	}
	var zone, modes, charset string
	err := db.query(ctx, "check.session",
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
