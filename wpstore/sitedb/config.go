package sitedb

import (
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/searchindex"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Config describes which WordPress database to open and how.
type Config struct {
	// Config names the servers of the database.
	sqlconn.Config
	// Servers are those that several sites share; nil opens those that Config names.
	Servers *sqlconn.Servers
	// Hub follows their binary log for all of them; nil for a connection of the site's own.
	Hub *changefeed.Hub
	// Collations holds what their indexes of texts share; nil for one of the site's own.
	Collations *searchindex.Collations
	// Tables describes the names of its tables.
	Tables table.Config
	// CalendarTablesOff is documented at options.New.
	CalendarTablesOff bool
	// Tracker, when not nil, is invalidated by each write before the write returns. For
	// changes by others see [DB.Feed].
	Tracker *invalidation.Tracker
	// Committed, when not nil, is called with the changes of each writing transaction after
	// its commit. It must be quick: the response waits for it.
	Committed func(rowedit.Changes)
	// Listed, when not nil, is called with the outcome of each list requested from the
	// event index. It must be safe for concurrent use.
	Listed func(eventindex.Outcome)
	// Searched, when not nil, is called with the outcome of each search requested from the
	// search index. It must be safe for concurrent use.
	Searched func(searchindex.Outcome)
}
