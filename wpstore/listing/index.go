package listing

import (
	"cmp"
	"slices"
)

// Index is the events of a calendar, ready to be searched. It never changes.
type Index struct {
	texts texts
	// trees holds the rows in the orders that lists have asked for, at least in one.
	trees [orders]*tree
	main  Order
}

// Builder collects the events of a new [Index].
type Builder struct {
	texts texts
	rows  []row
}

// Add adds an event that is not there yet.
func (b *Builder) Add(e Event) { b.rows = append(b.rows, b.texts.rows(&e)...) }

// Build returns the index, ready for lists in an order.
func (b *Builder) Build(o Order) *Index {
	x := &Index{texts: b.texts, main: o}
	x.trees[o] = newTree(o, b.rows)
	return x
}

// Ready says whether lists in an order are found without sorting them.
func (x *Index) Ready(o Order) bool { return x.trees[o] != nil }

// Prepare returns an index that is also ready for lists in an order.
func (x *Index) Prepare(o Order) *Index {
	if x.Ready(o) {
		return x
	}
	out := *x
	out.trees[o] = x.trees[x.main].in(o)
	return &out
}

// Rows is the number of dates of all events.
func (x *Index) Rows() int {
	n := 0
	for _, c := range x.trees[x.main].chunks {
		n += len(c.ids)
	}
	return n
}

// Replace returns an index in which the events with some ids are those given, and
// whether anything differs. Ids without an event are gone.
func (x *Index) Replace(ids []int64, events []Event) (out *Index, differs bool) {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	next := *x
	var fresh []row
	for i := range events {
		fresh = append(fresh, next.texts.rows(&events[i])...)
	}
	ids, fresh = changed(ids, x.trees[x.main].rowsOf(ids), fresh)
	if len(ids) == 0 {
		return x, false
	}
	for o, t := range x.trees {
		if t != nil {
			next.trees[o] = t.replace(ids, slices.Clone(fresh))
		}
	}
	return &next, true
}

// changed returns those of the ids whose rows differ, and their new rows.
func changed(ids []int64, old, fresh []row) ([]int64, []row) {
	byID := func(a, b row) int {
		if a.id != b.id {
			return cmp.Compare(a.id, b.id)
		}
		return slices.Compare(a.dates[:], b.dates[:])
	}
	slices.SortFunc(old, byID)
	slices.SortFunc(fresh, byID)
	of := func(rows []row, id int64) []row {
		from, _ := slices.BinarySearchFunc(rows, id, func(r row, id int64) int { return cmp.Compare(r.id, id) })
		to := from
		for to < len(rows) && rows[to].id == id {
			to++
		}
		return rows[from:to]
	}
	var differing []int64
	var out []row
	for _, id := range ids {
		now := of(fresh, id)
		if !slices.EqualFunc(of(old, id), now, row.equal) {
			differing = append(differing, id)
			out = append(out, now...)
		}
	}
	return differing, out
}

func (r row) equal(o row) bool {
	return r.id == o.id && r.published == o.published && r.dates == o.dates && slices.Equal(r.attributes, o.attributes)
}
