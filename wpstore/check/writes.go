package check

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// writes warns of a user that may read only, where writes are to be served.
func writes(ctx context.Context, r *Report, run *sqlconn.Runner, site *Site, a *account) error {
	plugin, err := existing(ctx, run, site.Tables, site.PluginTables)
	if err != nil {
		return err
	}
	const name = "database.writes"
	if site.Servers.Config().ReadOnly {
		r.ok(name, "nothing is written (--read-only)")
		return nil
	}
	var refused []string
	for _, written := range slices.Concat(site.Written, plugin) {
		physical := site.Tables.Plain(written)
		if !a.may("INSERT", physical) || !a.may("UPDATE", physical) || !a.may("DELETE", physical) {
			refused = append(refused, physical)
		}
	}
	if len(refused) > 0 {
		advice := "To read only, start with --read-only. To write, as an administrator of the server run:\n" + strings.Join(writeGrants(site, plugin, a), "\n")
		r.warn(name, advice, "%s may not write %s", a.user, strings.Join(refused, ", "))
		return nil
	}
	r.ok(name, "%s may write all tables needed", a.user)
	return nil
}

// existing are those of some tables that the site has. One query.
func existing(ctx context.Context, run *sqlconn.Runner, tables table.Names, names []string) ([]string, error) {
	physical := make([]string, len(names))
	for i, name := range names {
		physical[i] = tables.Plain(name)
	}
	there := map[string]bool{}
	err := run.Query(ctx, "site.tables", run.Dialect().TablesNamed(physical), func(rows *sql.Rows) error {
		var name string
		err := rows.Scan(&name)
		there[strings.ToLower(name)] = true
		return err
	})
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !there[strings.ToLower(tables.Plain(name))] }), err
}

// writeGrants are what a user needs besides [ReadGrants] to write tables as WordPress
// does: one statement per table. With a language plugin's tables, who translates
// becomes a translator.
func writeGrants(site *Site, plugin []string, a *account) []string {
	users := "UPDATE"
	if len(plugin) > 0 {
		users = "INSERT, UPDATE"
	}
	out := []string{fmt.Sprintf("GRANT %s ON `%s`.`%s` TO %s;", users, a.database, site.Tables.Plain("usermeta"), a.user)}
	for _, written := range slices.Concat(site.Written, plugin) {
		out = append(out, fmt.Sprintf("GRANT SELECT, INSERT, UPDATE, DELETE ON `%s`.`%s` TO %s;", a.database, site.Tables.Plain(written), a.user))
	}
	return out
}
