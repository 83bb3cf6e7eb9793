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
	"calbridge/wpstore/table"
)

// ReadGrants returns the statements, one per table, that let a user read what calbridge reads,
// and nothing else. The user is in SQL's form, such as 'calbridge'@'localhost'. If a site lacks
// the calendar's own tables, the server refuses the statements for them, which does no harm.
func ReadGrants(tables table.Names, database, user string) []string {
	var out []string
	names := slices.Concat(tablesRead, optionalTables)
	if tables.Network() { // granting on a missing table is an error
		names = append(names, networkTables...)
	}
	for _, name := range names {
		out = append(out, fmt.Sprintf("GRANT SELECT ON `%s`.`%s` TO %s;", database, tables.Plain(name), user))
	}
	return out
}

// account is the user as which calbridge connects.
type account struct {
	database string
	user     string // in SQL's form
	granted  []grant
}

// may reports whether all privileges on a table are granted.
func (a *account) may(table string, privileges ...string) bool {
	return !slices.ContainsFunc(privileges, func(privilege string) bool {
		return !slices.ContainsFunc(a.granted, func(g grant) bool { return g.covers(a.database, table) && g.allows(privilege) })
	})
}

// grants checks the user's privileges. Missing tables may just be invisible to the user.
func (c *checker) grants(ctx context.Context) error {
	const name = "database.grants"
	var a account
	err := c.run.Query(ctx, "check.user", sq.Select("DATABASE()", "CURRENT_USER()"), func(rows *sql.Rows) error {
		err := rows.Scan(&a.database, &a.user)
		a.user = quoteAccount(a.user)
		return err
	})
	if err != nil {
		return err
	}
	err = c.run.Query(ctx, "check.grants", sq.Expr("SHOW GRANTS"), func(rows *sql.Rows) error {
		var line string
		err := rows.Scan(&line)
		if g, ok := parseGrant(line); ok {
			a.granted = append(a.granted, g)
		}
		return err
	})
	if err != nil {
		if pingErr := c.Servers.Ping(ctx); pingErr != nil {
			return errors.Join(err, pingErr)
		}
		c.warn(name, "The server does not list privileges; calbridge will find out whether it can read the tables.", "SHOW GRANTS is refused")
		return nil
	}
	unreadable, err := c.unreadable(ctx, &a)
	if err != nil {
		return err
	}
	if len(unreadable) > 0 {
		advice := "As an administrator of the server run:\n" + strings.Join(ReadGrants(c.Tables, a.database, a.user), "\n")
		c.fail(name, advice, "%s may not read %s, or there is no such table", a.user, strings.Join(unreadable, ", "))
		return nil
	}
	// Privileges that a user who only reads doesn't need.
	more := slices.DeleteFunc([]string{"INSERT", "UPDATE", "DELETE", "DROP"}, func(privilege string) bool {
		return !a.may(c.Tables.Plain("posts"), privilege)
	})
	also := ""
	if len(more) > 0 {
		also = ", and may also " + strings.Join(more, ", ")
	}
	c.ok(name, "%s may read all tables needed%s", a.user, also)
	c.writes(&a)
	return nil
}

// unreadable returns the physical names of tables that the user can't read.
func (c *checker) unreadable(ctx context.Context, a *account) (out []string, err error) {
	for _, name := range tablesRead {
		physical := c.Tables.Plain(name)
		if a.may(physical, "SELECT") {
			continue
		}
		if !slices.Contains(c.missing, physical) {
			// Roles grant more than SHOW GRANTS lists, grants on single columns less.
			err := c.run.Query(ctx, "check.readable", sq.Select("*").From(c.Tables.Quoted(name)).Limit(0), func(*sql.Rows) error { return nil })
			if errors.Is(err, wpstore.ErrUnavailable) {
				return nil, err
			}
			if err == nil {
				continue
			}
		}
		out = append(out, physical)
	}
	return out, nil
}

// grant is one line of SHOW GRANTS.
type grant struct {
	privileges string // as written, in capitals
	database   string // a pattern: % and _ are wildcards unless after a backslash
	table      string // "*" for all
}

var grantLine = regexp.MustCompile("^GRANT (.+?) ON (?:TABLE )?(?:(\\*)|`((?:[^`]|``)+)`)\\.(?:(\\*)|`((?:[^`]|``)+)`) TO ")

// parseGrant reads "GRANT SELECT, UPDATE ON `db`.* TO …"; ok is false for other lines:
// roles, routines, proxies.
func parseGrant(line string) (g grant, ok bool) {
	m := grantLine.FindStringSubmatch(line)
	if m == nil {
		return g, false
	}
	unquote := func(star, name string) string { return star + strings.ReplaceAll(name, "``", "`") }
	return grant{privileges: strings.ToUpper(m[1]), database: unquote(m[2], m[3]), table: unquote(m[4], m[5])}, true
}

// allows reports whether the privilege is among the grant's, on the whole table:
// SELECT (`column`) is not.
func (g grant) allows(privilege string) bool {
	return strings.HasPrefix(g.privileges, "ALL") || slices.Contains(strings.Split(g.privileges, ", "), privilege)
}

func (g grant) covers(database, table string) bool {
	return (g.database == "*" || likeName(g.database, database)) && (g.table == "*" || strings.EqualFold(g.table, table))
}

var likeToken = regexp.MustCompile(`(?s)\\.|.`)

// likeName matches a database name with the pattern of a grant.
func likeName(pattern, name string) bool {
	expr := likeToken.ReplaceAllStringFunc(pattern, func(token string) string {
		switch token {
		case "%":
			return ".*"
		case "_":
			return "."
		}
		return regexp.QuoteMeta(strings.TrimPrefix(token, `\`))
	})
	re, err := regexp.Compile("(?is)^" + expr + "$")
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
