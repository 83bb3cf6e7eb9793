package binlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

// partialEvents splits a row event into parts, as MariaDB 12.3 does.
func partialEvents(rows []byte, parts int, checksum bool) (events [][]byte) {
	for number, size := 1, (len(rows)+parts-1)/parts; number <= parts; number++ {
		body := binary.LittleEndian.AppendUint32(nil, uint32(parts))
		body = binary.LittleEndian.AppendUint32(body, uint32(number))
		if number == 1 {
			body = binary.LittleEndian.AppendUint64(append(body, 1), uint64(len(rows)))
		} else {
			body = append(body, 0)
		}
		n := min(size, len(rows))
		events = append(events, event(eventMariaDBPartialRows, 0, checksum, body, rows[:n]))
		rows = rows[n:]
	}
	return events
}

// TestPartialRows checks that split row events are joined, and that one that is incomplete or too
// long is reported.
func TestPartialRows(t *testing.T) {
	commit := func(checksum bool) []byte { return event(eventXID, 0, checksum, make([]byte, 8)) }
	for _, c := range []struct {
		name     string
		checksum bool // of the parts
		inner    bool // of the row event
		limit    int
		change   func(parts [][]byte) [][]byte
		why      error // nil for rows
		table    bool  // whether the table is known nevertheless
	}{
		{"whole", false, false, 1 << 16, nil, nil, true},
		{"with checksums", true, false, 1 << 16, nil, nil, true},
		{"with a checksum of its own", true, true, 1 << 16, nil, nil, true},
		{"too long", false, false, headerSize + 10, nil, errTooLong, true},
		{"a part is missing", false, false, 1 << 16, func(parts [][]byte) [][]byte { return append(parts[:1], parts[2]) }, errFragments, false},
		{"the last part is missing", false, false, 1 << 16, func(parts [][]byte) [][]byte { return parts[:2] }, errFragments, false},
		{"another event begins before the end", false, false, 1 << 16, func(parts [][]byte) [][]byte { return append([][]byte{parts[0], parts[1]}, parts...) }, errFragments, false},
		{"out of order", false, false, 1 << 16, func(parts [][]byte) [][]byte { return [][]byte{parts[1], parts[0], parts[2]} }, errFragments, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDecoder(func(*Table) []int { return []int{0} }, c.limit, c.checksum)
			parts := partialEvents(insertEvent(1, c.inner), 3, c.checksum)
			if c.change != nil {
				parts = c.change(parts)
			}
			for _, data := range append(append([][]byte{tableEvent(c.checksum)}, parts...), commit(c.checksum)) {
				if err := d.event(bytes.Clone(data), false); err != nil {
					t.Fatal(err)
				}
			}
			last := len(d.pending) - 1
			if _, ok := d.pending[last].(*Commit); !ok || last == 0 {
				t.Fatalf("%d events, want a change and a commit", len(d.pending))
			}
			switch e := d.pending[0].(type) {
			case *Rows:
				if c.why != nil || len(e.Images) != 1 || e.Action != Insert || e.Images[0][0].Int != 1 {
					t.Errorf("%+v, want %v", e, c.why)
				}
			case *Unknown:
				if c.why == nil || !errors.Is(e.Why, c.why) || (e.Table != nil) != c.table {
					t.Errorf("%v of %v, want %v", e.Why, e.Table, c.why)
				}
			}
		})
	}
}
