package eventindex

import "slices"

// scannedIDs is the number of ids from which on it is faster to test all rows of a chunk than to look
// each id up.
const scannedIDs = 32

// idSet is a set of ids that chunks are searched for.
type idSet struct {
	ids []int64 // ascending
	// low has the low bits of the ids. It is nil if they are fewer than scannedIDs.
	low *[1 << 10]uint64
}

func newIDSet(ids []int64) *idSet {
	s := &idSet{ids: sortedSet(slices.Clone(ids))}
	if len(s.ids) < scannedIDs {
		return s
	}
	s.low = new([1 << 10]uint64)
	for _, id := range s.ids {
		s.low[id>>6&(1<<10-1)] |= 1 << (id & 63)
	}
	return s
}

// find adds the rows of a chunk that have one of the ids to a mask. h is the head of the chunk.
func (s *idSet) find(h *head, c *chunk, m *mask) {
	ids := h.within(s.ids)
	if len(ids) < scannedIDs {
		c.find(m, ids)
		return
	}
	for i, id := range c.ids {
		if s.low[id>>6&(1<<10-1)]>>(id&63)&1 == 0 {
			continue
		}
		if _, found := slices.BinarySearch(ids, id); found {
			m.set(uint16(i))
		}
	}
}
