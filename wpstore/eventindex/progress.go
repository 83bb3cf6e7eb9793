package eventindex

import "sync/atomic"

// progress counts the events of a load that have been read. It has no other part of the index.
type progress struct{ read, total atomic.Int64 }

func (p *progress) begin(total int) {
	p.read.Store(0)
	p.total.Store(int64(total))
}

func (p *progress) add(events int) { p.read.Add(int64(events)) }
