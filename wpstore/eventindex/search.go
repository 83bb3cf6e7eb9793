package eventindex

import (
	"math/bits"
	"slices"

	"calbridge/wpstore"
)

// answer is a page of events and how many there are in all.
type answer struct {
	IDs   []int64
	Total int64
	// sorted is how many rows had to be sorted, 0 where they lay in order.
	sorted int
}

// search answers a query for the kind of dates and languages that the rows have, or says
// why it can't.
func (x *sortedRows) search(q *wpstore.EventQuery) (answer, Outcome) {
	t := x.trees[orderOf(q)]
	sorted := t != nil
	if !sorted {
		t = x.trees[x.main]
	}
	s, outcome := compile(q, &x.texts)
	if outcome != FromIndex {
		return answer{}, outcome
	}
	m := matches{t: t, words: make([]uint64, chunkWords*len(t.chunks))}
	for i := range t.heads {
		h := &t.heads[i]
		for _, r := range s.refuse {
			if h.flagged(r.flag) {
				return answer{}, r.outcome
			}
		}
		if !s.impossible && s.touches(h) {
			s.run(h, t.chunks[i], (*mask)(m.words[i*chunkWords:]))
		}
	}
	if sorted {
		m.once(q.Order.Descending)
		return m.page(q), FromIndex
	}
	return m.sortedPage(q), FromIndex
}

// touches reports whether rows of a chunk can be within the bounds.
func (s *compiled) touches(h *head) bool {
	for i := range s.bounds {
		b := &s.bounds[i]
		if (h.high[b.column] < b.low || h.low[b.column] > b.high) && !b.garbled(h) {
			return false
		}
	}
	return true
}

// run finds the rows of a chunk that match.
func (s *compiled) run(h *head, c *chunk, m *mask) {
	m.first(h.rows)
	for i := range s.bounds {
		s.bounds[i].apply(h, c, m)
	}
	if s.include != nil {
		var some mask
		s.include.find(h, c, &some)
		if m.and(&some); m.empty() {
			return
		}
	}
	for _, wanted := range s.all {
		var some mask
		c.any(&some, wanted)
		if m.and(&some); m.empty() {
			return
		}
	}
	for _, a := range s.none {
		if a.tag() != tagFlag || h.flagged(int64(a-attributeOf(tagFlag, 0))) {
			var some mask
			c.any(&some, []attribute{a})
			m.without(&some)
		}
	}
	for _, attributes := range s.unlocked {
		if !h.flagged(flagProtected) {
			break
		}
		var some, unlocked mask
		c.any(&some, []attribute{attributeOf(tagFlag, flagProtected)})
		c.any(&unlocked, attributes)
		some.without(&unlocked)
		m.without(&some)
	}
	s.status.apply(h, c, m)
}

// apply removes the rows whose status does not match.
func (s *statusRule) apply(h *head, c *chunk, m *mask) {
	if h.status != 0 && s.author == nil {
		if _, named := slices.BinarySearch(s.named, h.status); named == s.otherwise {
			*m = mask{}
		}
		return
	}
	var allowed mask
	c.any(&allowed, s.named)
	if s.otherwise {
		for w := range allowed {
			allowed[w] = ^allowed[w]
		}
	}
	if s.author != nil {
		var mine, own mask
		c.any(&mine, s.author)
		c.any(&own, s.own)
		for w := range allowed {
			allowed[w] = allowed[w]&^mine[w] | own[w]&mine[w]
		}
	}
	m.and(&allowed)
}

// garbled reports whether the chunk has garbled dates that are within the range.
func (b *columnBound) garbled(h *head) bool {
	return h.gaps[b.column] && b.low <= 0 && b.high >= 0 && h.flagged(flagGarbled+int64(b.column))
}

// apply removes the rows outside of the range.
func (b *columnBound) apply(h *head, c *chunk, m *mask) {
	if h.low[b.column] >= b.low && h.high[b.column] <= b.high && !h.gaps[b.column] {
		return
	}
	var zero mask
	if b.garbled(h) {
		c.any(&zero, []attribute{attributeOf(tagFlag, flagGarbled+int64(b.column))})
	}
	dates := c.dates[b.column]
	for w := range m {
		var inside uint64
		for i, d := range dates[min(64*w, len(dates)):min(64*w+64, len(dates))] {
			if d >= b.low && d <= b.high {
				inside |= 1 << i
			}
		}
		m[w] &= inside | zero[w]
	}
}

func (m *mask) or(o *mask) {
	for w := range m {
		m[w] |= o[w]
	}
}

func (m *mask) and(o *mask) {
	for w := range m {
		m[w] &= o[w]
	}
}

func (m *mask) without(o *mask) {
	for w := range m {
		m[w] &^= o[w]
	}
}

// ones counts bits.
func ones(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}
