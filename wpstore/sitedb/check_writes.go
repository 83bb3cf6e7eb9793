package sitedb

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// tablesWritten are the tables that writes change, with those that only some
// sites have at the end.
var tablesWritten = []string{
	"posts", "postmeta", "options", "terms", "term_taxonomy", "term_relationships", "termmeta", "comments", "commentmeta",
	"tec_events", "tec_occurrences",
}

// wpmlTablesWritten are those of WPML.
var wpmlTablesWritten = append([]string{"icl_translations"}, jobTables...)

// tablesToWrite are the tables that writes change on this site. One query.
func (db *DB) tablesToWrite(ctx context.Context) ([]string, error) {
	found, err := db.existing(ctx, wpmlTablesWritten...)
	out := slices.Clone(tablesWritten)
	for _, table := range wpmlTablesWritten {
		if found[table] {
			out = append(out, table)
		}
	}
	return out, err
}

// writeGrants are what a user needs besides [DB.GrantStatements] to write tables as
// WordPress does: one statement per table. Under WPML, who translates becomes a
// translator.
func (db *DB) writeGrants(tables []string, database, user string) []string {
	users := "UPDATE"
	if slices.Contains(tables, wpmlTablesWritten[0]) {
		users = "INSERT, UPDATE"
	}
	out := []string{fmt.Sprintf("GRANT %s ON `%s`.`%s` TO %s;", users, database, db.names.plain("usermeta"), user)}
	for _, table := range tables {
		out = append(out, fmt.Sprintf("GRANT SELECT, INSERT, UPDATE, DELETE ON `%s`.`%s` TO %s;", database, db.names.plain(table), user))
	}
	return out
}

// checkWrites warns of a user that may read only, where writes are to be served.
func (db *DB) checkWrites(r *Report, granted []grant, tables []string, database, user string) {
	const name = "database.writes"
	if db.cfg.ReadOnly {
		r.ok(name, "nothing is written (--read-only)")
		return
	}
	var refused []string
	for _, table := range tables {
		physical := db.names.plain(table)
		for _, privilege := range []string{"INSERT", "UPDATE", "DELETE"} {
			if !slices.ContainsFunc(granted, func(g grant) bool { return g.covers(database, physical) && g.allows(privilege) }) {
				refused = append(refused, physical)
				break
			}
		}
	}
	if len(refused) > 0 {
		advice := "To read only, start with --read-only. To write, as an administrator of the server run:\n" + strings.Join(db.writeGrants(tables, database, user), "\n")
		r.warn(name, advice, "%s may not write %s", user, strings.Join(refused, ", "))
		return
	}
	r.ok(name, "%s may write all tables needed", user)
}
