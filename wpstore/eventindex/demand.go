package eventindex

import (
	"sync"

	"calbridge/wpstore"
)

// maxSorted is up to how many rows lists may sort before the index is prepared for their
// order.
const maxSorted = 1000

// wanted is what the index should have.
type wanted struct {
	known       bool // a list has been asked for
	occurrences bool
	orders      [orders]bool
}

// demand collects what lists need. It is safe for concurrent use.
type demand struct {
	mu     sync.Mutex
	wanted wanted
}

func (d *demand) get() wanted {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.wanted
}

// note adds what a list needs, unless the snapshot, which may be nil, has it. sorted is
// how many rows the list had to sort.
func (d *demand) note(q *wpstore.EventQuery, on *snapshot, sorted int) (lacking bool) {
	o := orderOf(q)
	if on != nil && on.asked == q.Occurrences && (on.rows.trees[o] != nil || sorted <= maxSorted) {
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
