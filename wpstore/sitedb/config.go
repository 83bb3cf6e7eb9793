package sitedb

import (
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Config says which WordPress database to open and how.
type Config struct {
	// Config says on which servers it is.
	sqlconn.Config
	// Tables says how its tables are called.
	Tables table.Config
	// CalendarTablesOff: see options.New.
	CalendarTablesOff bool
	// Tracker, when not nil, is where each write invalidates what it changed, before it
	// returns. For changes by others see [DB.Feed].
	Tracker *invalidation.Tracker
	// Committed, when not nil, is called after each writing transaction with what it
	// wrote. It must be quick: the response waits for it.
	Committed func(rowedit.Changes)
	// Listed, when not nil, is called for every list that the event index was asked for,
	// with the outcome. It must be safe for concurrent use.
	Listed func(eventindex.Outcome)
	// OtherChanges: see changefeed.Config.Others; may be nil.
	OtherChanges func(names []string)
}
