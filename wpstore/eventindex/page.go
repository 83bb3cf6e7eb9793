package eventindex

import (
	"cmp"
	"math/bits"
	"slices"

	"calbridge/wpstore"
)

// matches are the rows of a tree that match: chunkRows bits for each chunk.
type matches struct {
	t     *tree
	words []uint64
}

// once leaves one row of each event: the first that matches, or, in a descending list,
// the last. Rows without a start come first, but count only for events that have no
// other.
func (m *matches) once(descending bool) {
	seen := map[int64]bool{}
	if descending {
		m.pass(seen, descending, func(date) bool { return true })
		return
	}
	m.pass(seen, descending, func(start date) bool { return start >= 0 })
	m.pass(seen, descending, func(start date) bool { return start < 0 })
}

// pass visits the rows whose start counts, in either direction, and removes those of
// events seen before.
func (m *matches) pass(seen map[int64]bool, descending bool, counts func(start date) bool) {
	repeated := []attribute{attributeOf(tagFlag, flagRepeated)}
	for i := range m.t.chunks {
		if descending {
			i = len(m.t.chunks) - 1 - i
		}
		if !m.t.heads[i].flagged(flagRepeated) {
			continue
		}
		c := m.t.chunks[i]
		rows := (*mask)(m.words[i*chunkWords:])
		var some mask
		c.any(&some, repeated)
		some.and(rows)
		for w := range some {
			if descending {
				w = chunkWords - 1 - w
			}
			for word := some[w]; word != 0; {
				bit := bits.TrailingZeros64(word)
				if descending {
					bit = 63 - bits.LeadingZeros64(word)
				}
				word &^= 1 << bit
				switch row := 64*w + bit; {
				case !counts(c.dates[m.t.order.column()][row]):
				case seen[c.ids[row]]:
					rows[w] &^= 1 << bit
				default:
					seen[c.ids[row]] = true
				}
			}
		}
	}
}

// page cuts out the page, where the rows lie in order.
func (m *matches) page(q *wpstore.EventQuery) answer {
	a := answer{Total: int64(ones(m.words))}
	limit, offset := window(q, a.Total)
	if limit == 0 {
		return a
	}
	a.IDs = make([]int64, 0, limit)
	switch {
	case !q.Order.Descending:
		for at := m.nth(offset); at >= 0 && len(a.IDs) < limit; at = m.next(at + 1) {
			a.IDs = append(a.IDs, m.id(at))
		}
	case q.Order.ByPublication:
		for at := m.nth(int(a.Total) - 1 - offset); at >= 0 && len(a.IDs) < limit; at = m.previous(at) {
			a.IDs = append(a.IDs, m.id(at))
		}
	default:
		m.descend(&a, limit, offset)
	}
	return a
}

// window returns how many events of the total are on the page, and how many precede it.
func window(q *wpstore.EventQuery, total int64) (limit, offset int) {
	before := min(max(q.Offset, 0), total)
	return int(min(max(q.Limit, 0), total-before)), int(before)
}

// descend lists the latest start first: equal starts nevertheless ascend.
func (m *matches) descend(a *answer, limit, offset int) {
	at := m.nth(int(a.Total) - 1 - offset)
	from, to := m.sameStart(at)
	skip := offset - ones(m.words[to/64:])
	if to%64 != 0 {
		skip += bits.OnesCount64(m.words[to/64] & (1<<(to%64) - 1))
	}
	for {
		for at = m.next(from); at >= 0 && at < to; at = m.next(at + 1) {
			skip--
			if skip >= 0 {
				continue
			}
			a.IDs = append(a.IDs, m.id(at))
			if len(a.IDs) == limit {
				return
			}
		}
		at = m.previous(from)
		if at < 0 {
			return
		}
		skip = 0
		from, to = m.sameStart(at)
	}
}

func (m *matches) id(at int) int64 { return m.t.chunks[at/chunkRows].ids[at%chunkRows] }

// sameStart returns the range of rows that start when the one at a place does.
func (m *matches) sameStart(at int) (from, to int) {
	column := m.t.order.column()
	start := m.t.chunks[at/chunkRows].dates[column][at%chunkRows]
	return m.search(column, start), m.search(column, start+1)
}

// search returns the place of the first row that does not start before a date.
func (m *matches) search(column int, start date) int {
	chunks := m.t.chunks
	i, _ := slices.BinarySearchFunc(chunks, start, func(c *chunk, start date) int {
		if c.dates[column][len(c.ids)-1] < start {
			return -1
		}
		return 1
	})
	if i == len(chunks) {
		return i * chunkRows
	}
	row, _ := slices.BinarySearch(chunks[i].dates[column], start)
	return i*chunkRows + row
}

// next returns the first match at a place or behind it, -1 for none.
func (m *matches) next(at int) int {
	w := at / 64
	if w >= len(m.words) {
		return -1
	}
	for word := m.words[w] >> (at % 64) << (at % 64); ; word = m.words[w] {
		if word != 0 {
			return 64*w + bits.TrailingZeros64(word)
		}
		w++
		if w == len(m.words) {
			return -1
		}
	}
}

// previous returns the last match before a place, -1 for none.
func (m *matches) previous(at int) int {
	w := at / 64
	var word uint64
	if at%64 != 0 {
		word = m.words[w] & (1<<(at%64) - 1)
	}
	for {
		if word != 0 {
			return 64*w + 63 - bits.LeadingZeros64(word)
		}
		w--
		if w < 0 {
			return -1
		}
		word = m.words[w]
	}
}

// nth returns the place of the n-th match, from 0 on; -1 for none.
func (m *matches) nth(n int) int {
	if n < 0 {
		return -1
	}
	for w, word := range m.words {
		if c := bits.OnesCount64(word); n >= c {
			n -= c
			continue
		}
		for ; n > 0; n-- {
			word &= word - 1
		}
		return 64*w + bits.TrailingZeros64(word)
	}
	return -1
}

// sortedPage sorts the matches of a list whose order no tree has.
func (m *matches) sortedPage(q *wpstore.EventQuery) answer {
	keys := make([]key, 0, ones(m.words))
	places := make(map[int64]int) // of events with several rows
	for at := m.next(0); at >= 0; at = m.next(at + 1) {
		c, row := m.t.chunks[at/chunkRows], at%chunkRows
		k := orderOf(q).keyAt(c, row)
		if c.flagged(flagRepeated) {
			place, known := places[k.id]
			if known {
				if was := &keys[place]; k.start >= 0 && (was.start < 0 || q.Order.Descending == (k.start > was.start)) {
					*was = k
				}
				continue
			}
			places[k.id] = len(keys)
		}
		keys = append(keys, k)
	}
	a := answer{Total: int64(len(keys)), sorted: len(keys)}
	slices.SortFunc(keys, func(a, b key) int {
		switch {
		case q.Order.Descending && q.Order.ByPublication:
			return b.compare(a)
		case q.Order.Descending && a.start != b.start:
			return cmp.Compare(b.start, a.start)
		}
		return a.compare(b)
	})
	limit, offset := window(q, a.Total)
	for _, k := range keys[offset : offset+limit] {
		a.IDs = append(a.IDs, k.id)
	}
	return a
}
