// Package verified remembers the counts of terms that transactions of this process have left
// behind, so that the next one adds to a count instead of counting again: that would take
// the longer, the more posts a term has.
//
// A stored count may be wrong: raw SQL, imports that defer counting. WordPress counts anew
// with every change, and heals it. So does a transaction here, unless the [Memory] proves
// that nobody else can have changed anything since the last time:
//
//   - the count in the locked row is one that a transaction of ours has left, and
//   - the binary log is followed, and has shown nothing in the watched tables that another
//     client has written, or whose writer is not known yet.
//
// Transactions are told apart by their GTIDs, which a connection learns with its COMMIT. As
// the log may show a transaction before its writer has the answer to COMMIT, the writer of
// what it shows is unknown until all transactions that were being committed then have ended.
// Where the server does not tell a connection its GTID, everything is another client's.
//
// Without a binary log, in a cluster, under WPML, and where a strict request has no proof
// that all earlier changes were shown, a transaction always counts: package rowedit decides
// that.
//
// Invalidated are all counts, by any transaction of others, by one of ours whose outcome is
// unknown or that changes posts in ways it has not accounted for, and when the log is no
// longer followed.
//
// Changes that the log has not shown yet are missed, as they are by cached responses: the
// count is then what it would be had they come later, and the next transaction after they
// are shown counts anew.
package verified

import (
	"slices"
	"sync"
)

// Memory is what a process remembers of one site. It is safe for concurrent use; the zero
// value remembers nothing until the log is followed. A nil Memory is valid, and never
// remembers anything.
type Memory struct {
	mu        sync.Mutex
	following bool
	// epoch grows when the counts are forgotten.
	epoch uint64
	// counts are the values that may be stored, by term_taxonomy_id.
	counts map[int64][]int64
	// own are transactions of ours that the log has not shown; shown are those that it has,
	// and that are not known to be ours, with the number of the last commit begun by then.
	own   map[string]bool
	shown map[string]uint64
	// begun numbers commits; open are those that have not ended.
	begun uint64
	open  map[uint64]bool
}

const (
	// maxUnseen bounds how many of our transactions the log may be behind.
	maxUnseen = 1 << 12
	// maxValues bounds the values that may be stored of one count.
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
	m.own, m.shown = map[string]bool{}, map[string]uint64{}
	m.forget()
}

// Seen implements changefeed.Watcher: the log shows these transactions, which everybody can
// read by now.
func (m *Memory) Seen(gtids []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.following {
		return
	}
	for _, gtid := range gtids {
		if m.own[gtid] {
			delete(m.own, gtid)
		} else {
			m.shown[gtid] = m.begun
		}
	}
	m.settle()
}

// settle forgets the counts if a transaction that was shown can't be ours.
func (m *Memory) settle() {
	for gtid, begun := range m.shown {
		ours := false
		for n := range m.open {
			ours = ours || n <= begun
		}
		if !ours {
			delete(m.shown, gtid)
			m.forget()
		}
	}
}

// forget forgets the counts.
func (m *Memory) forget() {
	m.epoch++
	m.counts = map[int64][]int64{}
}

// Known are the values that may be stored as counts, by term_taxonomy_id, and the epoch to
// which they belong. Nothing is known while it is not known who has written what the log
// shows.
func (m *Memory) Known(terms []int64) (values map[int64][]int64, epoch uint64) {
	if m == nil {
		return nil, 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.following || len(m.shown) > 0 {
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

// Holds says whether what was known at an epoch is still known.
func (m *Memory) Holds(epoch uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.following && len(m.shown) == 0 && m.epoch == epoch
}

// Epoch is the present one. Read it before the rows that a count is made of.
func (m *Memory) Epoch() uint64 {
	if m == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.epoch
}

// Commit notes that a transaction is about to be committed, which leaves these counts behind
// in rows that it has locked. They were known, or were counted, since the epoch. The result
// is called with the outcome: the GTID, "" where it is unknown.
func (m *Memory) Commit(left map[int64]int64, epoch uint64) (ended func(gtid string, err error)) {
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
		for id, count := range left {
			if values := m.counts[id]; !slices.Contains(values, count) {
				m.counts[id] = append(values, count)
			}
		}
	}
	return func(gtid string, err error) { m.ended(n, left, epoch, gtid, err) }
}

func (m *Memory) ended(n uint64, left map[int64]int64, epoch uint64, gtid string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.open, n)
	defer m.settle()
	if !m.following {
		return
	}
	if _, shown := m.shown[gtid]; shown {
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
	for id, count := range left {
		if len(m.open) == 0 || len(m.counts[id]) > maxValues {
			m.counts[id] = []int64{count}
		}
	}
}

// Forget forgets all counts, before a transaction is committed that changes them in ways it
// has not accounted for.
func (m *Memory) Forget() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget()
}
