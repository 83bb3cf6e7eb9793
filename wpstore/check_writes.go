package wpstore

import (
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

// WriteGrantStatements are what a user needs besides [DB.GrantStatements] to write
// as WordPress does: one statement per table.
func (db *DB) WriteGrantStatements(database, user string) []string {
	out := []string{fmt.Sprintf("GRANT UPDATE ON `%s`.`%s` TO %s;", database, db.names.plain("usermeta"), user)}
	for _, table := range tablesWritten {
		out = append(out, fmt.Sprintf("GRANT SELECT, INSERT, UPDATE, DELETE ON `%s`.`%s` TO %s;", database, db.names.plain(table), user))
	}
	return out
}

// checkWrites warns of a user that may read only, where writes are to be served.
func (db *DB) checkWrites(r *Report, granted []grant, database, user string) {
	const name = "database.writes"
	if db.cfg.ReadOnly {
		r.ok(name, "nothing is written (--read-only)")
		return
	}
	var refused []string
	for _, table := range tablesWritten {
		physical := db.names.plain(table)
		for _, privilege := range []string{"INSERT", "UPDATE", "DELETE"} {
			if !slices.ContainsFunc(granted, func(g grant) bool { return g.covers(database, physical) && g.allows(privilege) }) {
				refused = append(refused, physical)
				break
			}
		}
	}
	if len(refused) > 0 {
		advice := "To read only, start with --read-only. To write, as an administrator of the server run:\n" + strings.Join(db.WriteGrantStatements(database, user), "\n")
		r.warn(name, advice, "%s may not write %s", user, strings.Join(refused, ", "))
		return
	}
	r.ok(name, "%s may write all tables needed", user)
}
