package eventindex

import (
	"container/heap"
)

// runRows is how many rows are sorted at a time. Merging needs memory for a chunk of each
// run.
const runRows = 16 << 10

// runs are sorted rows, in chunks, which are to become a tree: rows in chunks take half the
// memory.
type runs [][]*chunk

// add sorts rows and adds them. It leaves nothing of them behind but their order.
func (s *runs) add(o order, rows []row) {
	if len(rows) > 0 {
		o.sort(rows)
		*s = append(*s, packAll(rows))
	}
}

// merge makes a tree. All rows of an event are in the same run.
func (s runs) merge(o order) *tree {
	if len(s) == 1 {
		return treeOf(o, s[0])
	}
	m := &merger{order: o}
	for i, chunks := range s {
		m.runs = append(m.runs, run{chunks: chunks, next: o.keyAt(chunks[0], 0)})
		s[i] = nil // so that its chunks are freed one by one
	}
	heap.Init(m)
	for len(m.runs) > 0 {
		m.step()
	}
	m.out = append(m.out, packAll(m.loose)...)
	return treeOf(o, m.out)
}

// run are the chunks of a run that are not merged yet.
type run struct {
	chunks []*chunk
	rows   []row // of the first chunk, those that are left; nil while it is untouched
	next   key   // of the first row
}

// merger is a heap of runs by their first rows.
type merger struct {
	order order
	runs  []run
	loose []row // not packed yet
	out   []*chunk
}

func (m *merger) Len() int           { return len(m.runs) }
func (m *merger) Less(a, b int) bool { return m.runs[a].next.compare(m.runs[b].next) < 0 }
func (m *merger) Swap(a, b int)      { m.runs[a], m.runs[b] = m.runs[b], m.runs[a] }
func (m *merger) Push(x any)         { m.runs = append(m.runs, x.(run)) }

func (m *merger) Pop() any {
	last := len(m.runs) - 1
	m.runs[last] = run{}
	m.runs = m.runs[:last]
	return nil
}

// step takes the rows of the first run that precede those of all others.
func (m *merger) step() {
	r := &m.runs[0]
	first := r.chunks[0]
	if end := len(first.ids) - 1; r.rows == nil && end+1 >= chunkFill/4 && (len(m.loose) == 0 || len(m.loose) >= chunkFill/4) &&
		m.precedes(m.order.keyAt(first, end)) {
		m.out = append(append(m.out, packAll(m.loose)...), first)
		m.loose = m.loose[:0]
		m.advance(r)
		return
	}
	if r.rows == nil {
		r.rows = first.unpack()
	}
	n := 1
	for n < len(r.rows) && m.precedes(m.order.key(&r.rows[n])) {
		n++
	}
	m.loose = append(m.loose, r.rows[:n]...)
	for len(m.loose) >= 2*chunkFill {
		m.out = append(m.out, pack(m.loose[:chunkFill]))
		m.loose = append(m.loose[:0], m.loose[chunkFill:]...)
	}
	if r.rows = r.rows[n:]; len(r.rows) == 0 {
		r.rows = nil
		m.advance(r)
		return
	}
	r.next = m.order.key(&r.rows[0])
	heap.Fix(m, 0)
}

// precedes reports whether a row of the first run precedes all those of the others.
func (m *merger) precedes(k key) bool {
	for i := 1; i < min(3, len(m.runs)); i++ {
		if m.runs[i].next.compare(k) < 0 {
			return false
		}
	}
	return true
}

// advance drops the first chunk of the first run.
func (m *merger) advance(r *run) {
	r.chunks[0] = nil
	if r.chunks = r.chunks[1:]; len(r.chunks) == 0 {
		heap.Remove(m, 0)
		return
	}
	r.next = m.order.keyAt(r.chunks[0], 0)
	heap.Fix(m, 0)
}
