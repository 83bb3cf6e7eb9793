package countcache

// Used returns the greatest id of an object that had terms, or of a post that had occurrences
// or metadata, since an epoch; 0 if it is unknown. Rows of greater ids are those of posts that
// this process has made since. A post that it makes now has none, as no id is given twice
// while the log is followed: a table that is set back to earlier ids is seen in the log.
func (m *Memory) Used() (id int64, epoch uint64) {
	if m == nil {
		return 0, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.settled() || m.used == 0 {
		return 0, m.epoch
	}
	return max(m.used, m.seen), m.epoch
}
