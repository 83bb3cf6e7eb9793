package check

import (
	"calbridge/wpstore/options"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Site is a site whose database is checked.
type Site struct {
	Servers *sqlconn.Servers
	Tables  table.Names
	// Network: the site is one of a network, and not its main site.
	Network bool
	// Written are the tables that writes change on every site, PluginTables those of
	// language plugins, which are there or not.
	Written, PluginTables []string
	// Options reads what the site says of itself.
	Options *options.Store
}
