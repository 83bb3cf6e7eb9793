package eventindex

import (
	"slices"
)

// tree holds all rows in one order.
type tree struct {
	order  order
	chunks []*chunk
	heads  []head // of the chunks
}

func treeOf(o order, chunks []*chunk) *tree {
	t := &tree{o, chunks, make([]head, len(chunks))}
	for i, c := range chunks {
		t.heads[i] = c.head
	}
	return t
}

// packAll packs sorted rows into chunks.
func packAll(rows []row) []*chunk {
	var chunks []*chunk
	for len(rows) > 0 {
		n := min(chunkFill, len(rows))
		if left := len(rows) - n; left > 0 && left < chunkFill/2 {
			n = (len(rows) + 1) / 2
		}
		chunks = append(chunks, pack(rows[:n]))
		rows = rows[n:]
	}
	return chunks
}

// in returns the tree in another order.
func (t *tree) in(o order) *tree {
	var sorted runs
	var rows []row
	for i, c := range t.chunks {
		rows = append(rows, c.unpack()...)
		if len(rows) >= runRows || i == len(t.chunks)-1 {
			sorted.add(o, rows)
			rows = rows[:0]
		}
	}
	return sorted.merge(o)
}

// rowsOf returns the rows of the events with some ids, sorted.
func (t *tree) rowsOf(ids []int64) []row {
	var out []row
	for _, c := range t.chunks {
		var m mask
		if !c.find(&m, ids) {
			continue
		}
		for i, r := range c.unpack() {
			if m.has(uint16(i)) {
				out = append(out, r)
			}
		}
	}
	return out
}

// replace returns a tree without the rows of the events with some ids, which are sorted,
// and with other rows instead, which it sorts. Chunks without either are shared.
func (t *tree) replace(ids []int64, rows []row) *tree {
	t.order.sort(rows)
	if len(t.chunks) == 0 {
		return treeOf(t.order, packAll(rows))
	}
	out := make([]*chunk, 0, len(t.chunks)+1)
	var loose []row // not packed yet
	flush := func() {
		out = append(out, packAll(loose)...)
		loose = nil
	}
	for i, c := range t.chunks {
		// A row belongs into the first chunk that ends behind it.
		mine := rows
		if i < len(t.chunks)-1 {
			end := t.order.keyAt(c, len(c.ids)-1)
			n, _ := slices.BinarySearchFunc(rows, end, func(r row, end key) int {
				if t.order.key(&r).compare(end) <= 0 {
					return -1
				}
				return 1
			})
			mine = rows[:n]
		}
		rows = rows[len(mine):]
		var gone mask
		found := c.find(&gone, ids)
		if !found && len(mine) == 0 && (len(loose) == 0 || len(loose) >= chunkFill/4) {
			flush()
			out = append(out, c)
			continue
		}
		all := c.unpack()
		rest := all[:0]
		for i, r := range all {
			if !gone.has(uint16(i)) {
				rest = append(rest, r)
			}
		}
		if len(mine) > 0 {
			rest = append(rest, mine...)
			t.order.sort(rest)
		}
		if len(loose)+len(rest) > chunkRows {
			flush()
		}
		loose = append(loose, rest...)
		if len(loose) >= chunkFill/4 && len(loose) <= chunkRows {
			out = append(out, pack(loose))
			loose = nil
		}
	}
	flush()
	return treeOf(t.order, out)
}
