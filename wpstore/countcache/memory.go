package countcache

import (
	"maps"
	"slices"
	"sync"
	"time"

	"calbridge/wpstore"
)

// Memory is what a process remembers of one site. It is safe for concurrent use; the zero
// value remembers nothing until the log is followed. A nil Memory is valid, and never
// remembers anything.
type Memory struct {
	mu        sync.Mutex
	following bool
	// epoch grows when all is forgotten.
	epoch uint64
	// counts are the values that may be stored, by term_taxonomy_id; ranges are the texts.
	counts map[int64][]int64
	ranges []string
	// touched are posts whose occurrences others have changed since the range was written,
	// each with the number of the change.
	touched map[int64]uint64
	changes uint64
	// used is the greatest id of a post with terms, occurrences or metadata when that was read;
	// 0: unknown. seen is the greatest id of a post to which others have added some since.
	used, seen int64
	terms      knownTerms
	// own are transactions of ours that the log has not shown; shown are those that it has,
	// and that are not known to be ours.
	own   map[string]bool
	shown map[string]transaction
	// begun numbers commits; open are those that have not ended.
	begun uint64
	open  map[uint64]bool
	// answered is closed when one of those has ended; nil where nobody waits.
	answered chan struct{}
}

// transaction is one that the log has shown, with the number of the last commit begun by
// then.
type transaction struct {
	begun     uint64
	dated     []int64
	described int64
	any       bool
}

const (
	// settleWait is longer than it takes to learn who has written what the log shows.
	settleWait = 20 * time.Millisecond
	// maxTouched bounds the posts that others have changed.
	maxTouched = 1 << 7
	// answerWait is longer than an answer takes to a COMMIT that the log shows already.
	answerWait = 2 * time.Millisecond
	// maxUnseen bounds how many of our transactions the log may be behind.
	maxUnseen = 1 << 12
	// maxValues bounds the values that may be stored of one count, and the texts.
	maxValues = 1 << 6
)

// Begin implements changefeed.Watcher: the log is followed from here on.
func (m *Memory) Begin() { m.follow(true) }

// End implements changefeed.Watcher.
func (m *Memory) End() { m.follow(false) }

func (m *Memory) follow(follow bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.following = follow
	m.own, m.shown = map[string]bool{}, map[string]transaction{}
	m.forget()
}

// Seen implements changefeed.Watcher: the log shows a transaction, which everybody can read by
// now. It has changed the occurrences of posts, the metadata of others up to an id, and maybe
// anything else that matters.
func (m *Memory) Seen(gtid string, dated []int64, described int64, others bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case !m.following:
	case m.own[gtid]:
		delete(m.own, gtid)
	case others || len(dated) > 0 || described > max(m.used, m.seen):
		m.shown[gtid] = transaction{m.begun, dated, described, others}
		m.settle()
	}
}

// settle forgets what the transactions have changed that were shown and can't be ours.
func (m *Memory) settle() {
	for gtid, t := range m.shown {
		ours := false
		for n := range m.open {
			ours = ours || n <= t.begun
		}
		if ours {
			continue
		}
		delete(m.shown, gtid)
		m.changes++
		for _, post := range t.dated {
			m.touched[post] = m.changes
			m.seen = max(m.seen, post)
		}
		m.seen = max(m.seen, t.described)
		if t.any || len(m.touched) > maxTouched {
			m.forget()
		}
	}
}

// forget forgets all.
func (m *Memory) forget() {
	m.epoch++
	m.counts = map[int64][]int64{}
	m.ranges, m.touched = nil, map[int64]uint64{}
	m.used, m.seen = 0, 0
	m.terms.forget()
}

// Known returns the values that may be stored as counts, by term_taxonomy_id, and the epoch to
// which they belong. Nothing is known while it is not known who has written what the log
// shows.
func (m *Memory) Known(terms []int64) (values map[int64][]int64, epoch uint64) {
	if m == nil {
		return nil, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.settled() {
		return nil, m.epoch
	}
	values = map[int64][]int64{}
	for _, id := range terms {
		if known := m.counts[id]; len(known) > 0 {
			values[id] = slices.Clone(known)
		}
	}
	return values, m.epoch
}

// Holds reports whether what was known at an epoch is still known.
func (m *Memory) Holds(epoch uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.settled() && m.epoch == epoch
}

// Epoch returns the present one. Read it before the rows from which a value is made.
func (m *Memory) Epoch() uint64 {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.epoch
}

// Left is what a transaction leaves behind in rows that it has locked.
type Left struct {
	// Counts are by term_taxonomy_id.
	Counts map[int64]int64
	// Range is the text of the option with the range of all events, "" for none. Touched is
	// the number of the last change of others that is part of it.
	Range   string
	Touched uint64
	// Used is the greatest id of an object with terms, or of a post with occurrences or
	// metadata; 0 if it was not read.
	Used int64
	// Terms are those that were read, by what was asked, since an edition of all terms.
	Terms   map[string][]wpstore.Term
	Edition uint64
}

// Commit notes that a transaction is about to be committed, and what it leaves behind. That
// was known, or read from all rows, since the epoch. The result is called with the outcome:
// the GTID, "" where it is unknown.
func (m *Memory) Commit(left Left, epoch uint64) (ended func(gtid string, err error)) {
	if m == nil {
		return func(string, error) {}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begun++
	n := m.begun
	if m.open == nil {
		m.open = map[uint64]bool{}
	}
	m.open[n] = true
	if m.following && m.epoch == epoch {
		for id, count := range left.Counts {
			m.counts[id] = adding(m.counts[id], count)
		}
		if left.Range != "" {
			m.ranges = adding(m.ranges, left.Range)
		}
		m.used = max(m.used, left.Used)
		m.terms.add(left.Terms, left.Edition)
	}
	return func(gtid string, err error) { m.ended(n, left, epoch, gtid, err) }
}

// adding adds a value to those that may be stored.
func adding[T comparable](values []T, value T) []T {
	if slices.Contains(values, value) {
		return values
	}
	return append(values, value)
}

func (m *Memory) ended(n uint64, left Left, epoch uint64, gtid string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.open, n)
	if m.answered != nil {
		close(m.answered)
		m.answered = nil
	}
	defer m.settle()
	if !m.following {
		return
	}
	if _, shown := m.shown[gtid]; shown && gtid != "" {
		delete(m.shown, gtid)
	} else if gtid != "" {
		m.own[gtid] = true
	}
	if err != nil || len(m.own) > maxUnseen {
		m.own = map[string]bool{}
		m.forget()
	}
	if m.epoch != epoch {
		return
	}
	for id, count := range left.Counts {
		if len(m.open) == 0 || len(m.counts[id]) > maxValues {
			m.counts[id] = []int64{count}
		}
	}
	if left.Range != "" {
		maps.DeleteFunc(m.touched, func(_ int64, change uint64) bool { return change <= left.Touched })
	}
	if left.Range != "" && (len(m.open) == 0 || len(m.ranges) > maxValues) {
		m.ranges = []string{left.Range}
	}
}

// Following reports whether the log is followed, with the present epoch and the number of commits
// so far.
func (m *Memory) Following() (following bool, epoch, commits uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.following, m.epoch, m.begun
}

// Verified adds counts, by term_taxonomy_id, that were stored and right at one moment since the
// epoch. It reports whether that is still the present one. Transactions of this process may have
// changed such a count since that moment. Each has left a right one, so that the earlier value
// is of no use, and does no harm.
func (m *Memory) Verified(counts map[int64]int64, epoch uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.following || m.epoch != epoch {
		return false
	}
	for id, count := range counts {
		if len(m.counts[id]) == 0 {
			m.counts[id] = []int64{count}
		}
	}
	return true
}

// Forget forgets all, before a transaction is committed that changes it in ways it has not
// accounted for.
func (m *Memory) Forget() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget()
}
