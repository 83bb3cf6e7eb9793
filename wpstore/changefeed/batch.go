package changefeed

import (
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
)

// batch is one or more transactions whose changes are applied together.
type batch struct {
	rowtags.Changes
	gtid         binlog.Position
	end          binlog.Place
	before       binlog.Position // before the last of them
	last         string          // identifies the last one
	transactions int
	seen         []seen
	arrived      time.Time // when the first one arrived
}

// seen holds the arguments of [Watcher.Seen].
type seen struct {
	gtid      string
	dated     []int64
	described int64
	any       bool
}

func newBatch() *batch { return &batch{Changes: rowtags.NewChanges()} }

// merge adds a later transaction.
func (b *batch) merge(later *batch) {
	b.Changes.Merge(&later.Changes)
	b.gtid, b.end = b.gtid.Merge(later.gtid), later.end
	b.before, b.last = later.before, later.last
	b.transactions += later.transactions
	b.seen = append(b.seen, later.seen...)
}
