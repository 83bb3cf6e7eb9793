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
	// Tracker, when not nil, is told of what this DB writes, before a write returns. For
	// what others write see [DB.Feed].
	Tracker *invalidation.Tracker
	// Committed, when not nil, is told after each writing transaction what it
	// wrote. It must not take long: the answer waits for it.
	Committed func(rowedit.Changes)
	// Listed is called for every list of events that the event index was asked for,
	// with how it was answered. It may be nil, and is called from many goroutines.
	Listed func(eventindex.Outcome)
}
