package check

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
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// ReadGrants are the statements that let a user read what calbridge reads, and nothing
// else: one per table. The user is as SQL writes it, such as 'calbridge'@'localhost'.
// Sites without the calendar's own tables have no use for the statements about them,
// which the server then refuses. On a network a site but the main one reads more.
func ReadGrants(tables table.Names, network bool, database, user string) []string {
	var out []string
	for _, name := range slices.Concat(tablesRead, tablesReadIfThere) {
		if name == "sitemeta" && !network {
			continue // granting on a table that is not there is an error
		}
		out = append(out, fmt.Sprintf("GRANT SELECT ON `%s`.`%s` TO %s;", database, tables.Plain(name), user))
	}
	return out
}

// account is who asks, and what it may do.
type account struct {
	database string
	user     string // as SQL writes it
	granted  []grant
}

// may says whether a privilege on a table is granted.
func (a *account) may(privilege, table string) bool {
	return slices.ContainsFunc(a.granted, func(g grant) bool { return g.covers(a.database, table) && g.allows(privilege) })
}

// grants looks at the user's privileges. Tables that are missing may just be invisible
// to the user.
func grants(ctx context.Context, r *Report, run *sqlconn.Runner, site *Site, missing []string) error {
	const name = "database.grants"
	var a account
	err := run.Query(ctx, "check.user", sq.Select("DATABASE()", "CURRENT_USER()"), func(rows *sql.Rows) error {
		err := rows.Scan(&a.database, &a.user)
		a.user = quoteAccount(a.user)
		return err
	})
	if err != nil {
		return err
	}
	err = run.Query(ctx, "check.grants", sq.Expr("SHOW GRANTS"), func(rows *sql.Rows) error {
		var line string
		if err := rows.Scan(&line); err != nil {
			return err
		}
		if g, ok := parseGrant(line); ok {
			a.granted = append(a.granted, g)
		}
		return nil
	})
	if err != nil {
		if pingErr := site.Servers.Ping(ctx); pingErr != nil {
			return errors.Join(err, pingErr)
		}
		r.warn(name, "The server does not tell privileges; reading decides.", "SHOW GRANTS is refused")
		return nil
	}
	unreadable, err := unreadable(ctx, run, site.Tables, &a, missing)
	if err != nil {
		return err
	}
	if len(unreadable) > 0 {
		advice := "As an administrator of the server run:\n" + strings.Join(ReadGrants(site.Tables, site.Network, a.database, a.user), "\n")
		r.fail(name, advice, "%s may not read %s, or there is no such table", a.user, strings.Join(unreadable, ", "))
		return nil
	}
	r.ok(name, "%s may read all tables needed%s", a.user, alsoGranted(&a, site.Tables.Plain("posts")))
	return writes(ctx, r, site, &a)
}

// unreadable are the physical names of tables that the user cannot read.
func unreadable(ctx context.Context, run *sqlconn.Runner, tables table.Names, a *account, missing []string) ([]string, error) {
	var out []string
	for _, name := range tablesRead {
		physical := tables.Plain(name)
		if a.may("SELECT", physical) {
			continue
		}
		if slices.Contains(missing, physical) {
			out = append(out, physical)
			continue
		}
		// Roles grant more than the lines say, grants on single columns less.
		err := run.Query(ctx, "check.readable", sq.Select("*").From(tables.Quoted(name)).Limit(0), func(*sql.Rows) error { return nil })
		if errors.Is(err, wpstore.ErrUnavailable) {
			return nil, err
		}
		if err != nil {
			out = append(out, physical)
		}
	}
	return out, nil
}

// alsoGranted names what a user that only reads would not need.
func alsoGranted(a *account, table string) string {
	var more []string
	for _, privilege := range []string{"INSERT", "UPDATE", "DELETE", "DROP"} {
		if a.may(privilege, table) {
			more = append(more, privilege)
		}
	}
	if len(more) == 0 {
		return ""
	}
	return ", and may also " + strings.Join(more, ", ")
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
