package eventindex

import (
	"sync"

	"calbridge/wpstore"
)

// maxSorted is up to how many rows a list may sort again and again before the index
// is made ready for its order.
const maxSorted = 1000

// wanted is what the index should be made for.
type wanted struct {
	known       bool // lists have asked
	occurrences bool
	orders      [orders]bool
}

// demand collects what lists ask for. It is safe for concurrent use.
type demand struct {
	mu     sync.Mutex
	wanted wanted
}

func (d *demand) get() wanted {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wanted
}

// note notes what a list would have the index be made for. It says false if the
// snapshot is that already; it may be nil. sorted is how many rows the list had to
// sort.
func (d *demand) note(q *wpstore.EventQuery, on *snapshot, sorted int) bool {
	o := orderOf(q)
	if on != nil && on.asked == q.Occurrences && (on.rows.ready(o) || sorted <= maxSorted) {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted.known, d.wanted.occurrences = true, q.Occurrences
	if o != byPublication || sorted > maxSorted {
		d.wanted.orders[o] = true
	}
	return true
}
