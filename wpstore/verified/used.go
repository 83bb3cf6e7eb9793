package verified

// Used returns the greatest id of an object that had terms, or of a post that had occurrences,
// since an epoch; 0: unknown. Of the rows of greater ids all are those of posts that this
// process has made since: a post that it makes now has none, as no id is given twice while
// the log is followed.
func (m *Memory) Used() (id int64, epoch uint64) {
	if m == nil {
		return 0, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.settled() {
		return 0, m.epoch
	}
	return m.used, m.epoch
}
