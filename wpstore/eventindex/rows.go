package eventindex

import (
	"cmp"
	"slices"
)

// sortedRows are the rows of a calendar's events, ready to be searched. They are
// immutable.
type sortedRows struct {
	texts texts
	// trees has the rows in each order that lists have asked for, main at least.
	trees [orders]*tree
	main  order
}

// sortRows returns rows ready for lists in the order of a tree.
func sortRows(texts texts, t *tree) *sortedRows {
	x := &sortedRows{texts: texts, main: t.order}
	x.trees[t.order] = t
	return x
}

// prepare returns rows that are also ready for lists in another order.
func (x *sortedRows) prepare(o order) *sortedRows {
	if x.trees[o] != nil {
		return x
	}
	out := *x
	out.trees[o] = x.trees[x.main].in(o)
	return &out
}

// count returns the number of dates of all events.
func (x *sortedRows) count() int {
	n := 0
	for _, c := range x.trees[x.main].chunks {
		n += len(c.ids)
	}
	return n
}

// replace returns rows in which the events with some ids are those given, and
// whether anything differs. Events that are not given are removed.
func (x *sortedRows) replace(ids []int64, events []event) (out *sortedRows, differs bool) {
	ids = sortedSet(slices.Clone(ids))
	next := *x
	b := rowBuilder{texts: x.texts}
	for i := range events {
		b.add(&events[i])
	}
	next.texts = b.texts
	ids, fresh := changed(ids, x.trees[x.main].rowsOf(ids), b.rows)
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
func changed(ids []int64, old, fresh []row) (differing []int64, rows []row) {
	byEvent := func(rows []row) map[int64][]row {
		slices.SortFunc(rows, func(a, b row) int {
			return cmp.Or(cmp.Compare(a.id, b.id), slices.Compare(a.dates[:], b.dates[:]))
		})
		of := map[int64][]row{}
		for i, r := range rows {
			n := len(of[r.id]) + 1
			of[r.id] = rows[i+1-n : i+1]
		}
		return of
	}
	was, is := byEvent(old), byEvent(fresh)
	for _, id := range ids {
		if !slices.EqualFunc(was[id], is[id], row.equal) {
			differing = append(differing, id)
			rows = append(rows, is[id]...)
		}
	}
	return differing, rows
}

func (r row) equal(o row) bool {
	return r.id == o.id && r.published == o.published && r.dates == o.dates && slices.Equal(r.attributes, o.attributes)
}
