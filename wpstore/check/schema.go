package check

import (
	"context"
	"errors"

	"calbridge/wpstore"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/options"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Site is a site whose database is checked.
type Site struct {
	Servers *sqlconn.Servers
	Tables  table.Names
	// Written lists the tables that writes change on every site. PluginTables lists those of
	// language plugins, which may not exist.
	Written, PluginTables []string
	// CalendarTablesOff: see options.New.
	CalendarTablesOff bool
	// Options reads the site's options.
	Options *options.Store
	// Hub may follow the binary log already. It may be nil.
	Hub *changefeed.Hub
}

// checker runs the checks of [Schema].
type checker struct {
	Site
	Report
	run     *sqlconn.Runner
	exist   map[string]bool // the site's tables, and those of language plugins
	columns columns
	missing []string           // physical names of tables that nothing works without
	read    *wpstore.SiteFacts // nil until the facts are read
}

// Schema checks whether a database can be served: server and session, privileges,
// tables and columns, versions of WordPress and of the calendar. It leaves out checks
// that need what an earlier one found missing. It also returns the site's facts, nil if they
// can't be read. It returns an error if the database can't be queried.
func Schema(ctx context.Context, site Site) (Report, *wpstore.SiteFacts, error) {
	if err := site.Servers.Ping(ctx); err != nil {
		return nil, nil, err
	}
	c := &checker{Site: site, run: sqlconn.NewRunner(site.Servers, nil)}
	c.server()
	if err := c.readColumns(ctx); err != nil {
		return c.Report, nil, err
	}
	checks := []func(context.Context) error{c.tables}
	if !c.run.Dialect().Embedded() {
		checks = []func(context.Context) error{c.session, c.binaryLog, c.grants, c.tables}
	}
	if len(c.missing) == 0 {
		checks = append(checks, c.facts)
	}
	for _, check := range checks {
		if err := check(ctx); err != nil {
			if errors.Is(err, wpstore.ErrUnavailable) {
				return c.Report, nil, err
			}
			c.fail("database.query", "The check itself failed; please report this with the server's version.", "%v", err)
		}
	}
	return c.Report, c.read, nil
}
