package changefeed

import (
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
)

// batch is one or more transactions whose changes are applied together.
type batch struct {
	parts        map[*follower]*part
	gtid         binlog.Position // nil if there is none
	end          binlog.Place
	before       binlog.Position // before the last of them
	last         string          // identifies the last one
	lastGTID     string
	transactions int
	arrived      time.Time // when the first one arrived
	// joined are members for which all later transactions are complete.
	joined []*follower
}

// part holds the changes of one member in a batch.
type part struct {
	rowtags.Changes
	seen []seen
}

func newPart() *part { return &part{Changes: rowtags.NewChanges()} }

// seen holds the arguments of [Watcher.Seen].
type seen struct {
	gtid      string
	dated     []int64
	described int64
	any       bool
}

func newBatch() *batch { return &batch{parts: map[*follower]*part{}} }

// part returns the part of a member.
func (b *batch) part(f *follower) *part {
	p := b.parts[f]
	if p == nil {
		p = newPart()
		b.parts[f] = p
	}
	return p
}

// commit ends a batch of one transaction.
func (b *batch) commit(c *binlog.Commit, before binlog.Position, last string) {
	b.gtid, b.end, b.transactions, b.before, b.last, b.lastGTID = c.GTID, c.End, 1, before, last, c.GTID.String()
	for _, p := range b.parts {
		p.seen = []seen{{b.lastGTID, p.Dated(), p.Described(), p.Counted()}}
	}
}

// merge adds a later batch.
func (b *batch) merge(later *batch) {
	for f, p := range later.parts {
		if own := b.parts[f]; own != nil {
			own.Changes.Merge(&p.Changes)
			own.seen = append(own.seen, p.seen...)
		} else {
			b.parts[f] = p
		}
	}
	b.joined = append(b.joined, later.joined...)
	b.transactions += later.transactions
	switch {
	case later.gtid == nil:
		return
	case b.gtid == nil:
		b.gtid, b.arrived = later.gtid, later.arrived
	default:
		b.gtid = b.gtid.Merge(later.gtid)
	}
	b.end, b.before, b.last, b.lastGTID = later.end, later.before, later.last, later.lastGTID
}
