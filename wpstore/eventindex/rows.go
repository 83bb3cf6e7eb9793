package eventindex

import (
	"cmp"
	"slices"
)

// sortedRows are the rows of a calendar's events, ready to be searched. They never
// change.
type sortedRows struct {
	texts texts
	// trees holds the rows in the orders that lists have asked for, at least in one.
	trees [orders]*tree
	main  order
}

// builder collects the events of new [sortedRows].
type builder struct {
	texts texts
	rows  []row
}

// add adds an event that is not there yet.
func (b *builder) add(e event) { b.rows = append(b.rows, b.texts.rows(&e)...) }

// build returns the rows, ready for lists in an order.
func (b *builder) build(o order) *sortedRows {
	x := &sortedRows{texts: b.texts, main: o}
	x.trees[o] = newTree(o, b.rows)
	return x
}

// ready says whether lists in an order are found without sorting them.
func (x *sortedRows) ready(o order) bool { return x.trees[o] != nil }

// prepare returns rows that are also ready for lists in an order.
func (x *sortedRows) prepare(o order) *sortedRows {
	if x.ready(o) {
		return x
	}
	out := *x
	out.trees[o] = x.trees[x.main].in(o)
	return &out
}

// count is the number of dates of all events.
func (x *sortedRows) count() int {
	n := 0
	for _, c := range x.trees[x.main].chunks {
		n += len(c.ids)
	}
	return n
}

// replace returns rows in which the events with some ids are those given, and
// whether anything differs. Ids without an event are gone.
func (x *sortedRows) replace(ids []int64, events []event) (out *sortedRows, differs bool) {
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
