package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// GrantStatements are the statements that let a user read what calbridge reads,
// and nothing else: one per table. The user is as SQL writes it, such as
// 'calbridge'@'localhost'. Sites without the calendar's own tables have no use for
// the statements about them, which the server then refuses.
func (db *DB) GrantStatements(database, user string) []string {
	var out []string
	for _, table := range slices.Concat(tablesRead, tablesReadIfThere) {
		if table == "sitemeta" && db.cfg.BlogID <= 1 {
			continue // granting on a table that is not there is an error
		}
		out = append(out, fmt.Sprintf("GRANT SELECT ON `%s`.`%s` TO %s;", database, db.names.plain(table), user))
	}
	return out
}

// checkGrants reads the user's privileges. Tables that are missing may just be
// invisible to the user.
func (db *DB) checkGrants(ctx context.Context, r *Report, missing []string) error {
	if db.Engine() == "sqlite" {
		return nil
	}
	const name = "database.grants"
	var database, account string
	err := db.query(ctx, "check.user", sq.Select("DATABASE()", "CURRENT_USER()"), func(rows *sql.Rows) error {
		return rows.Scan(&database, &account)
	})
	if err != nil {
		return err
	}
	user := quoteAccount(account)
	advice := "As an administrator of the server run:\n" + strings.Join(db.GrantStatements(database, user), "\n")
	var granted []grant
	err = db.query(ctx, "check.grants", sq.Expr("SHOW GRANTS"), func(rows *sql.Rows) error {
		var line string
		if err := rows.Scan(&line); err != nil {
			return err
		}
		if g, ok := parseGrant(line); ok {
			granted = append(granted, g)
		}
		return nil
	})
	if err != nil {
		if pingErr := db.Ping(ctx); pingErr != nil {
			return errors.Join(err, pingErr)
		}
		r.warn(name, "The server does not tell privileges; reading decides.", "SHOW GRANTS is refused")
		return nil
	}
	var unreadable []string
	for _, table := range tablesRead {
		physical := db.names.plain(table)
		if readable(granted, database, physical) {
			continue
		}
		if slices.Contains(missing, physical) {
			unreadable = append(unreadable, physical)
			continue
		}
		// Roles grant more than the lines say, grants on single columns less.
		err := db.query(ctx, "check.readable", sq.Select("*").From(db.table(table)).Limit(0), func(*sql.Rows) error { return nil })
		if errors.Is(err, wpstore.ErrUnavailable) {
			return err
		}
		if err != nil {
			unreadable = append(unreadable, physical)
		}
	}
	if len(unreadable) > 0 {
		r.fail(name, advice, "%s may not read %s, or there is no such table", user, strings.Join(unreadable, ", "))
		return nil
	}
	r.ok(name, "%s may read all tables needed%s", user, alsoGranted(granted, database, db.names.plain("posts")))
	tables, err := db.tablesToWrite(ctx)
	if err != nil {
		return err
	}
	db.checkWrites(r, granted, tables, database, user)
	return nil
}

// grant is one line of SHOW GRANTS.
type grant struct {
	privileges string // as written, in capitals
	database   string // a pattern: % and _ are wildcards, a backslash protects them
	table      string // "*" for all
}

var grantLine = regexp.MustCompile("^GRANT (.+?) ON (?:TABLE )?(?:(\\*)|`((?:[^`]|``)+)`)\\.(?:(\\*)|`((?:[^`]|``)+)`) TO ")

// parseGrant reads "GRANT SELECT, UPDATE ON `db`.* TO …"; ok is false for other
// lines: roles, routines, proxies.
func parseGrant(line string) (g grant, ok bool) {
	m := grantLine.FindStringSubmatch(line)
	if m == nil {
		return g, false
	}
	unquote := func(star, name string) string { return star + strings.ReplaceAll(name, "``", "`") }
	return grant{privileges: strings.ToUpper(m[1]), database: unquote(m[2], m[3]), table: unquote(m[4], m[5])}, true
}

// allows says whether the privilege is among the grant's, on the whole table.
func (g grant) allows(privilege string) bool {
	if strings.HasPrefix(g.privileges, "ALL") {
		return true
	}
	for p := range strings.SplitSeq(g.privileges, ",") {
		if strings.TrimSpace(p) == privilege { // SELECT (`column`) is not
			return true
		}
	}
	return false
}

func (g grant) covers(database, table string) bool {
	return (g.database == "*" || likeName(g.database, database)) && (g.table == "*" || strings.EqualFold(g.table, table))
}

func readable(granted []grant, database, table string) bool {
	return slices.ContainsFunc(granted, func(g grant) bool { return g.covers(database, table) && g.allows("SELECT") })
}

// alsoGranted names what a user that only reads would not need.
func alsoGranted(granted []grant, database, table string) string {
	var more []string
	for _, privilege := range []string{"INSERT", "UPDATE", "DELETE", "DROP"} {
		if slices.ContainsFunc(granted, func(g grant) bool { return g.covers(database, table) && g.allows(privilege) }) {
			more = append(more, privilege)
		}
	}
	if len(more) == 0 {
		return ""
	}
	return ", and may also " + strings.Join(more, ", ")
}

// likeName matches a database name with the pattern of a grant.
func likeName(pattern, name string) bool {
	var expr strings.Builder
	expr.WriteString("(?is)^")
	escaped := false
	for _, c := range pattern {
		switch {
		case !escaped && c == '\\':
			escaped = true
			continue
		case !escaped && c == '%':
			expr.WriteString(".*")
		case !escaped && c == '_':
			expr.WriteString(".")
		default:
			expr.WriteString(regexp.QuoteMeta(string(c)))
		}
		escaped = false
	}
	re, err := regexp.Compile(expr.String() + "$")
	return err == nil && re.MatchString(name)
}

// quoteAccount turns user@host into 'user'@'host'.
func quoteAccount(account string) string {
	user, host := account, "%"
	if i := strings.LastIndexByte(account, '@'); i >= 0 {
		user, host = account[:i], account[i+1:]
	}
	quote := func(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
	return quote(user) + "@" + quote(host)
}
