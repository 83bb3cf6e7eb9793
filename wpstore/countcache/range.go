package countcache

import (
	"maps"
	"slices"
)

// Range reports whether some text may be stored as the option with the range of all events, and
// the epoch to which that belongs. With "" it reports whether any text is known.
func (m *Memory) Range(text string) (known bool, epoch uint64) {
	if m == nil {
		return false, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	known = m.settled() && (slices.Contains(m.ranges, text) || text == "" && len(m.ranges) > 0)
	return known, m.epoch
}

// Touched returns the posts that others have changed since the range was written, and the
// number of the last change. Read it before the rows from which the range is made.
func (m *Memory) Touched() (posts []int64, change uint64) {
	if m == nil {
		return nil, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.touched)), m.changes
}

// VerifiedRange adds a text of the option that was the range of all events at one moment since the
// epoch, unless a transaction has left one. Posts that others have changed since that moment are
// touched.
func (m *Memory) VerifiedRange(text string, epoch uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.following && m.epoch == epoch && len(m.ranges) == 0 {
		m.ranges = []string{text}
	}
}
