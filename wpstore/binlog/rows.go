package binlog

import (
	"errors"
	"fmt"

	"calbridge/wpstore/mysqlwire"
)

// Action is what happened to rows.
type Action uint8

// The actions.
const (
	Insert Action = iota + 1
	Update
	Delete
)

// Row is one image of a row: the wanted columns, in the order of their ordinals.
type Row []Value

// Rows are rows of one table that a transaction changed.
type Rows struct {
	Table  *Table
	Action Action
	// Images are the rows: those added, those removed, or alternately before and after.
	Images []Row
}

// maxImages limits the rows of one event; servers put some kilobytes of rows into each.
const maxImages = 1 << 18

// errLayout is returned for a row event that does not fit its table map.
var errLayout = errors.New("rows that do not fit their table")

// rowsEvent is the form of a row event.
type rowsEvent struct {
	action     Action
	extra      bool // version 2, which has extra data
	compressed bool
}

// rowsEvents are the row events by type, without those of MySQL 5.1's prereleases.
var rowsEvents = map[byte]rowsEvent{
	23: {action: Insert}, 24: {action: Update}, 25: {action: Delete},
	30: {action: Insert, extra: true}, 31: {action: Update, extra: true}, 32: {action: Delete, extra: true},
	166: {action: Insert, compressed: true}, 167: {action: Update, compressed: true}, 168: {action: Delete, compressed: true},
	169: {action: Insert, extra: true, compressed: true}, 170: {action: Update, extra: true, compressed: true},
	171: {action: Delete, extra: true, compressed: true},
}

// parseRows parses a row event after its table id and flags. The values are slices of the
// data, or of the buffer into which it was decompressed.
func parseRows(data []byte, form rowsEvent, t *Table, limit int) (*Rows, error) {
	r := mysqlwire.Fields{Rest: data}
	if form.extra {
		size := r.Uint(2)
		if size < 2 {
			return nil, errShort
		}
		r.Skip(size - 2)
	}
	columns := r.LengthEncoded()
	if r.Err == nil && columns != uint64(t.Columns) {
		return nil, fmt.Errorf("%w: %d columns of %d", errLayout, columns, t.Columns)
	}
	bitmap := (columns + 7) / 8
	before := r.Bytes(bitmap)
	after := before
	if form.action == Update {
		after = r.Bytes(bitmap)
	}
	if r.Err != nil {
		return nil, r.Err
	}
	if form.compressed {
		plain, err := inflate(r.Rest, limit)
		if err != nil {
			return nil, err
		}
		r.Rest = plain
	}
	out := &Rows{Table: t, Action: form.action}
	for present := before; len(r.Rest) > 0; {
		row, err := t.row(&r, present)
		if err != nil {
			return nil, err
		}
		if len(out.Images) >= maxImages {
			return nil, errTooLong
		}
		out.Images = append(out.Images, row)
		if form.action == Update {
			if len(out.Images)%2 == 1 {
				present = after
			} else {
				present = before
			}
		}
	}
	if form.action == Update && len(out.Images)%2 == 1 {
		return nil, errShort
	}
	return out, nil
}

// row reads one image, which has the columns of the bitmap.
func (t *Table) row(r *mysqlwire.Fields, present []byte) (Row, error) {
	count := countBits(present, t.Columns)
	if count == 0 {
		return nil, errShort // otherwise rows without columns would never end
	}
	nulls := r.Bytes(uint64(count+7) / 8)
	if r.Err != nil {
		return nil, r.Err
	}
	row := make(Row, len(t.wanted))
	wanted, seen := 0, 0
	for i := range t.Columns {
		here := bit(present, i)
		v := Value{}
		if here {
			v.Kind = Null
			if !bit(nulls, seen) {
				var err error
				if v, err = columnTypes[t.types[i]].value(r, t.meta[i]); err != nil {
					return nil, err
				}
			}
			seen++
		}
		if wanted < len(t.wanted) && t.wanted[wanted] == i {
			row[wanted] = v
			wanted++
		}
	}
	return row, nil
}

// bit reports whether the nth bit of a bitmap is set, counted from the lowest bit of each
// byte.
func bit(bitmap []byte, n int) bool { return bitmap[n/8]>>(n%8)&1 != 0 }

func countBits(bitmap []byte, n int) int {
	set := 0
	for i := range n {
		if bit(bitmap, i) {
			set++
		}
	}
	return set
}
