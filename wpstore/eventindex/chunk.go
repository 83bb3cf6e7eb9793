package eventindex

import (
	"cmp"
	"math/bits"
	"slices"
)

const (
	// chunkRows is how many rows a chunk can hold, chunkFill how many it gets when many
	// rows are packed.
	chunkRows  = 1024
	chunkFill  = 768
	chunkWords = chunkRows / 64
	// listRows is from how many rows on a bitmap takes less room than a list.
	listRows = chunkWords * 64 / rowBit
)

// mask is a set of rows of a chunk.
type mask [chunkWords]uint64

func (m *mask) set(row uint16)      { m[row/64] |= 1 << (row % 64) }
func (m *mask) has(row uint16) bool { return m[row/64]>>(row%64)&1 != 0 }

// first makes the mask that of the first n rows.
func (m *mask) first(n int) {
	for w := range m {
		switch left := n - 64*w; {
		case left >= 64:
			m[w] = ^uint64(0)
		case left > 0:
			m[w] = 1<<left - 1
		default:
			m[w] = 0
		}
	}
}

func (m *mask) empty() bool {
	var all uint64
	for _, w := range m {
		all |= w
	}
	return all == 0
}

// head summarises a chunk, so that most queries can skip it. The heads of a tree lie side
// by side in memory, since a cache miss for each chunk costs more than the search.
type head struct {
	rows int
	// low and high are the least and greatest date of a column, leaving out null and
	// missing; gaps says that there are such.
	low, high [columns]date
	gaps      [columns]bool
	flags     uint32 // those that any row has, a bit for each
	// least and greatest are the bounds of the ids. Ids mostly grow with dates.
	least, greatest int64
	// status is that of all rows, 0 where they have several. As an attribute no status
	// is 0.
	status attribute
}

// flagged reports whether any row has a flag.
func (h *head) flagged(flag int64) bool { return h.flags>>flag&1 != 0 }

// chunk is a block of rows in the order of its tree. It is immutable.
type chunk struct {
	head

	ids       []int64
	published []date
	dates     [columns][]date

	byID []uint16 // the rows by id

	// keys are the attributes that rows of the chunk have, ascending; those of a tag
	// begin at tags[tag]. counts is how many rows have each; at is where these rows
	// begin: in lists, or, from listRows rows on, in maps.
	keys   []attribute
	tags   [tagCount + 1]uint32
	counts []uint16
	at     []uint32
	lists  []uint16
	maps   []mask
}

// pack makes a chunk of at most chunkRows sorted rows.
func pack(rows []row) *chunk {
	n := len(rows)
	c := &chunk{ids: make([]int64, n), published: make([]date, n), byID: make([]uint16, n)}
	dates := make([]date, columns*n)
	for column := range c.dates {
		c.dates[column] = dates[column*n : (column+1)*n : (column+1)*n]
		c.low[column], c.high[column] = 1<<62, -1
	}
	attributes := 0
	for i := range rows {
		r := &rows[i]
		c.ids[i], c.published[i], c.byID[i] = r.id, r.published, uint16(i)
		for column, d := range r.dates {
			c.dates[column][i] = d
			if d < 0 {
				c.gaps[column] = true
				continue
			}
			c.low[column], c.high[column] = min(c.low[column], d), max(c.high[column], d)
		}
		attributes += len(r.attributes)
	}
	slices.SortFunc(c.byID, func(a, b uint16) int { return cmp.Or(cmp.Compare(c.ids[a], c.ids[b]), cmp.Compare(a, b)) })
	pairs := make([]uint64, 0, attributes)
	for i := range rows {
		for _, a := range rows[i].attributes {
			pairs = append(pairs, uint64(a)<<rowBit|uint64(i))
		}
	}
	slices.Sort(pairs)
	c.index(pairs)
	c.rows, c.least, c.greatest = n, c.ids[c.byID[0]], c.ids[c.byID[n-1]]
	flags, _ := c.of(tagFlag)
	for _, a := range flags {
		c.flags |= 1 << (a - attributeOf(tagFlag, 0))
	}
	if statuses, first := c.of(tagStatus); len(statuses) == 1 && int(c.counts[first]) == n {
		c.status = statuses[0]
	}
	return c
}

// index sets which rows have which attribute, from sorted pairs.
func (c *chunk) index(pairs []uint64) {
	keys, listed, mapped := 0, 0, 0
	eachKey(pairs, func(_ attribute, rows []uint64) {
		keys++
		if len(rows) < listRows {
			listed += len(rows)
		} else {
			mapped++
		}
	})
	c.keys, c.counts, c.at = make([]attribute, 0, keys), make([]uint16, 0, keys), make([]uint32, 0, keys)
	c.lists, c.maps = make([]uint16, 0, listed), make([]mask, 0, mapped)
	next := tag(0)
	eachKey(pairs, func(a attribute, rows []uint64) {
		for ; next <= a.tag(); next++ {
			c.tags[next] = uint32(len(c.keys))
		}
		c.keys, c.counts = append(c.keys, a), append(c.counts, uint16(len(rows)))
		if len(rows) < listRows {
			c.at = append(c.at, uint32(len(c.lists)))
			for _, pair := range rows {
				c.lists = append(c.lists, uint16(pair))
			}
			return
		}
		c.at = append(c.at, uint32(len(c.maps)))
		c.maps = append(c.maps, mask{})
		m := &c.maps[len(c.maps)-1]
		for _, pair := range rows {
			m.set(uint16(pair))
		}
	})
	for ; next <= tagCount; next++ {
		c.tags[next] = uint32(len(c.keys))
	}
}

// eachKey calls f with the pairs of each attribute.
func eachKey(pairs []uint64, f func(attribute, []uint64)) {
	for from := 0; from < len(pairs); {
		key, to := pairs[from]>>rowBit, from+1
		for to < len(pairs) && pairs[to]>>rowBit == key {
			to++
		}
		f(attribute(key), pairs[from:to])
		from = to
	}
}

// unpack returns the rows.
func (c *chunk) unpack() []row {
	n := len(c.ids)
	rows := make([]row, n)
	ends := make([]int, n+1) // of each row's attributes in a shared slice
	for k := range c.keys {
		c.each(k, func(r uint16) { ends[r+1]++ })
	}
	for i := range n {
		ends[i+1] += ends[i]
	}
	all := make([]attribute, ends[n])
	for i := range rows {
		rows[i] = row{id: c.ids[i], published: c.published[i], attributes: all[ends[i]:ends[i]:ends[i+1]]}
		for column := range c.dates {
			rows[i].dates[column] = c.dates[column][i]
		}
	}
	for k, a := range c.keys {
		c.each(k, func(r uint16) { rows[r].attributes = append(rows[r].attributes, a) })
	}
	return rows
}

// each calls f with the rows that have the k-th attribute, ascending.
func (c *chunk) each(k int, f func(uint16)) {
	if c.counts[k] < listRows {
		for _, r := range c.lists[c.at[k] : c.at[k]+uint32(c.counts[k])] {
			f(r)
		}
		return
	}
	for w, word := range c.maps[c.at[k]] {
		for ; word != 0; word &= word - 1 {
			f(uint16(64*w + bits.TrailingZeros64(word)))
		}
	}
}

// of returns the keys of a tag and the number of the first.
func (c *chunk) of(t tag) (keys []attribute, first int) {
	first = int(c.tags[t])
	return c.keys[first:c.tags[t+1]], first
}

// add adds the rows with an attribute to a mask.
func (c *chunk) add(m *mask, k int) {
	if c.counts[k] < listRows {
		for _, r := range c.lists[c.at[k] : c.at[k]+uint32(c.counts[k])] {
			m.set(r)
		}
		return
	}
	m.or(&c.maps[c.at[k]])
}

// any adds the rows to a mask that have any of some attributes of one tag, sorted.
func (c *chunk) any(m *mask, wanted []attribute) {
	if len(wanted) == 0 {
		return
	}
	keys, first := c.of(wanted[0].tag())
	if len(keys) < len(wanted) {
		for k, a := range keys {
			if _, ok := slices.BinarySearch(wanted, a); ok {
				c.add(m, first+k)
			}
		}
		return
	}
	for _, a := range wanted {
		if k, ok := slices.BinarySearch(keys, a); ok {
			c.add(m, first+k)
		}
	}
}

// within returns those of some ids, sorted, that are within the bounds of a chunk's ids.
func (h *head) within(ids []int64) []int64 {
	from, _ := slices.BinarySearch(ids, h.least)
	to, last := slices.BinarySearch(ids, h.greatest)
	if last {
		to++
	}
	return ids[from:max(from, to)]
}

// find adds the rows of the events with some ids, sorted, to a mask.
func (c *chunk) find(m *mask, ids []int64) (found bool) {
	for _, id := range c.within(ids) {
		i, ok := slices.BinarySearchFunc(c.byID, id, func(r uint16, id int64) int { return cmp.Compare(c.ids[r], id) })
		for ; ok && i < len(c.byID) && c.ids[c.byID[i]] == id; i++ {
			m.set(c.byID[i])
			found = true
		}
	}
	return found
}
