package eventindex

import (
	"cmp"
	"slices"

	"calbridge/wpstore"
)

// order is an order of lists.
type order uint8

// The orders. Equal starts are ordered by publication, equal publications by id.
const (
	byStart order = iota
	byStartUTC
	byPublication
	orders
)

// orderOf returns the order of a query's list.
func orderOf(q *wpstore.EventQuery) order {
	switch {
	case q.Order.ByPublication:
		return byPublication
	case q.Order.UTC:
		return byStartUTC
	}
	return byStart
}

// column returns the column of the start that lists are ordered by.
func (o order) column() int {
	if o == byStartUTC {
		return columnStartUTC
	}
	return columnStart
}

// key holds the values by which rows are sorted, without those that the order ignores.
type key struct {
	start, published date
	id               int64
}

// compare returns -1 for a row that comes before another one, and 1 for one that comes after it.
func (k key) compare(o key) int {
	return cmp.Or(cmp.Compare(k.start, o.start), cmp.Compare(k.published, o.published), cmp.Compare(k.id, o.id))
}

// key returns the key of a row.
func (o order) key(r *row) key {
	if o == byPublication {
		return key{published: r.published, id: r.id}
	}
	return key{r.dates[o.column()], r.published, r.id}
}

// keyAt returns the key of a row of a chunk.
func (o order) keyAt(c *chunk, i int) key {
	if o == byPublication {
		return key{published: c.published[i], id: c.ids[i]}
	}
	return key{c.dates[o.column()][i], c.published[i], c.ids[i]}
}

// sort sorts rows; those of one event with equal keys by all their dates, so that the
// order is always the same.
func (o order) sort(rows []row) {
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(o.key(&a).compare(o.key(&b)), slices.Compare(a.dates[:], b.dates[:]))
	})
}
