package check

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// writes warns of a user that may read only, where writes are to be served.
func writes(ctx context.Context, r *Report, site *Site, a *account) error {
	there, err := site.Options.Existing(ctx, site.PluginTables...)
	if err != nil {
		return err
	}
	plugin := slices.DeleteFunc(slices.Clone(site.PluginTables), func(name string) bool { return !there[name] })
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
