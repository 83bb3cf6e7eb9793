package binlog

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"
)

// FuzzEvents feeds a decoder consecutive events, each preceded by its length. The decoder
// must neither panic nor exceed its memory limits.
func FuzzEvents(f *testing.F) {
	seed := func(events ...[]byte) {
		var all []byte
		for _, e := range events {
			all = append(binary.LittleEndian.AppendUint16(all, uint16(len(e))), e...)
		}
		f.Add(all, true)
		f.Add(all, false)
	}
	seed(formatEvent(0), gtidEvent(1, false), queryEvent("a", "BEGIN", false), tableEvent(false), insertEvent(1, false), event(eventXID, 0, false, make([]byte, 8)))
	seed(formatEvent(1), gtidEvent(1, true), tableEvent(true), insertEvent(1, true), event(eventRotate, flagArtificial, false, make([]byte, 8), []byte("a.1")))
	named := bytes.Clone(tableEvent(false))
	named = append(bytes.TrimSuffix(named, []byte("optional metadata")), "\x01\x01\x80\x04\x0b\x02id\x01n\x01j\x01d\x01x"...)
	seed(named, insertEvent(1, false))
	mariadb := append(binary.LittleEndian.AppendUint64(nil, 5), 0, 0, 0, 0, 1)
	seed(event(eventMariaDBGTID, 0, false, mariadb), event(eventMariaDBQuery, 0, false, make([]byte, 13), []byte("\x81\x05x\x9c")))
	seed(tableEvent(false), event(166, 0, false, []byte{7, 0, 0, 0, 0, 0, 1, 0, 5, 0x1f, 0x81, 10, 0x78, 0x9c}))
	seed(event(eventTransactionPayload, 0, false, []byte{2, 1, 255, 0}, tableEvent(false), insertEvent(1, false)))
	seed(append([][]byte{tableEvent(false)}, partialEvents(insertEvent(1, false), 3, false)...)...)
	f.Fuzz(func(t *testing.T, data []byte, truncated bool) {
		const limit = 1 << 16
		d := newDecoder(func(table *Table) []int {
			if table.Columns == 0 {
				return []int{}
			}
			return []int{0, table.Columns - 1}[:min(2, table.Columns)]
		}, limit, false)
		for len(data) >= 2 {
			n := min(int(binary.LittleEndian.Uint16(data)), len(data)-2)
			if d.event(data[2:2+n], truncated) != nil {
				return
			}
			data = data[2+n:]
			for _, e := range d.pending {
				rows, ok := e.(*Rows)
				if !ok {
					continue
				}
				if n := len(rows.Table.Names); n > 0 && n != rows.Table.Columns {
					t.Fatalf("%d names of %d columns", n, rows.Table.Columns)
				}
				for _, row := range rows.Images {
					if len(row) != len(rows.Table.wanted) {
						t.Fatalf("%d values of %d", len(row), len(rows.Table.wanted))
					}
				}
			}
			d.pending = d.pending[:0]
		}
	})
}

// FuzzRows reads rows of any table.
func FuzzRows(f *testing.F) {
	f.Add(tableEvent(false)[headerSize:], insertEvent(1, false)[headerSize+8:], byte(30))
	f.Add(tableEvent(false)[headerSize:], insertEvent(1, false)[headerSize+8+5:], byte(24))
	f.Add([]byte("\x07\x00\x00\x00\x00\x00\x01\x00\x01a\x00\x01b\x00\x03\x03\xfe\x10\x04\xee\x20\x01\x01\x00"), []byte("\x03\x07\x00\x01\x00\x00\x00\x01\x00a\x01\x01"), byte(23))
	f.Fuzz(func(t *testing.T, table, rows []byte, kind byte) {
		parsed, err := parseTable(table)
		form, ok := rowsEvents[kind]
		if err != nil || !ok {
			return
		}
		for i := range min(parsed.Columns, 3) {
			parsed.wanted = append(parsed.wanted, i)
		}
		got, err := parseRows(rows, form, parsed, 1<<16)
		if err == nil && form.action == Update && len(got.Images)%2 != 0 {
			t.Error("an image without its other")
		}
	})
}

// FuzzPosition checks that positions survive being written, and that a merged one
// contains its parts.
func FuzzPosition(f *testing.F) {
	f.Add("0-1-5,1-2-3", "0-1-7", false)
	f.Add("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5:7-9", "3e11fa47-71ca-11e1-9e33-c80aa9429562:6,\n4e11fa47-71ca-11e1-9e33-c80aa9429562:1", true)
	f.Fuzz(func(t *testing.T, one, other string, isMySQL bool) {
		flavor := MariaDB
		if isMySQL {
			flavor = MySQL
		}
		a, err := ParsePosition(flavor, one)
		if err != nil {
			return
		}
		again, err := ParsePosition(flavor, a.String())
		if err != nil || !again.Contains(a) || !a.Contains(again) {
			t.Fatalf("%q becomes %q, %v", one, a, err)
		}
		b, err := ParsePosition(flavor, other)
		if err != nil {
			return
		}
		both := a.Merge(b)
		if !both.Contains(a) || !both.Contains(b) || !b.Merge(a).Contains(both) {
			t.Fatalf("%s and %s make %s", a, b, both)
		}
		if a.Contains(b) && !a.Contains(both) {
			t.Fatalf("%s contains %s, but not %s", a, b, both)
		}
	})
}

// FuzzEventParts reads the parts of events that sessions and files begin with.
func FuzzEventParts(f *testing.F) {
	f.Add(formatEvent(0)[headerSize:])
	f.Add(queryEvent("a", "BEGIN", false)[headerSize:])
	if tagged, err := hex.DecodeString(taggedBody); err == nil {
		f.Add(tagged)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, _ = parseTaggedGTID(data)
		_, _ = parseFormat(data)
		_, _ = parseQuery(data, true, 1<<16)
	})
}
