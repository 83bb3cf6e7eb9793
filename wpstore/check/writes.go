package check

import (
	"fmt"
	"slices"
	"strings"
)

// writes warns if the user may only read although calbridge should serve writes.
func (c *checker) writes(a *account) {
	const name = "database.writes"
	if c.Servers.Config().ReadOnly {
		c.ok(name, "not needed: calbridge doesn't write (--read-only)")
		return
	}
	const sites = "blogs" // of a network, with the times of their last changes
	plugin := slices.DeleteFunc(slices.Clone(c.PluginTables), func(name string) bool { return !c.exist[name] })
	users := "UPDATE"
	if len(plugin) > 0 { // with a language plugin, writers become translators
		users = "INSERT, UPDATE"
	}
	grants := []string{fmt.Sprintf("GRANT %s ON `%s`.`%s` TO %s;", users, a.database, c.Tables.Plain("usermeta"), a.user)}
	var refused []string
	for _, written := range slices.Concat(c.Written, plugin) {
		table := c.Tables.Plain(written)
		grants = append(grants, fmt.Sprintf("GRANT SELECT, INSERT, UPDATE, DELETE ON `%s`.`%s` TO %s;", a.database, table, a.user))
		if !a.may(table, "INSERT", "UPDATE", "DELETE") {
			refused = append(refused, table)
		}
	}
	if c.exist[sites] {
		table := c.Tables.Plain(sites)
		grants = append(grants, fmt.Sprintf("GRANT SELECT, UPDATE ON `%s`.`%s` TO %s;", a.database, table, a.user))
		if !a.may(table, "UPDATE") {
			refused = append(refused, table)
		}
	}
	if len(refused) > 0 {
		c.warn(name, "To read only, start with --read-only. To write, as an administrator of the server run:\n"+strings.Join(grants, "\n"),
			"%s may not write %s", a.user, strings.Join(refused, ", "))
		return
	}
	c.ok(name, "%s may write all tables needed", a.user)
}

// engines warns of tables without transactions: a failed write leaves rows behind, and
// concurrent writes may interleave. tables is wpstore.SiteFacts.NoTransactions.
func (c *checker) engines(tables []string) {
	const name = "database.engines"
	if c.Servers.Config().ReadOnly || c.run.Dialect().Embedded() {
		return
	}
	if len(tables) == 0 {
		c.ok(name, "all tables that calbridge writes have transactions")
		return
	}
	alter := make([]string, len(tables))
	for i, table := range tables {
		alter[i] = fmt.Sprintf("ALTER TABLE `%s` ENGINE=InnoDB;", table)
	}
	c.warn(name, "Writes are refused, unless --write-without-transactions accepts the risk. After a backup run:\n"+strings.Join(alter, "\n"),
		"without transactions a failed write leaves rows behind, and locks do not hold: %s", strings.Join(tables, ", "))
}
