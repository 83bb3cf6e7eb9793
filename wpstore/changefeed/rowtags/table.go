package rowtags

import (
	"strconv"

	"calbridge/wpstore/binlog"
)

// Table describes how to interpret changes of a table.
type Table struct {
	Name    string   // without prefix
	Columns []string // of the rows passed to Note
	// Key is the column of the primary key. It is used to read a row for which the log has
	// only some columns; "" if the key consists of Columns.
	Key string
	// Note adds to c what a changed row invalidates. change has one image of the row, or
	// the images before and after. Note returns false when a value that it needs is missing
	// or of an unexpected type. Then the row is read, or everything counts as changed.
	Note func(c *Changes, change []Row) bool
	// Gone adds what the deletion of a row invalidates if only its key is known; nil means
	// everything.
	Gone func(c *Changes, key int64)
	// Hides reports whether a change may hide something from somebody. It may be nil. A row of which
	// the log has too little may.
	Hides func(action binlog.Action, change []Row) bool
}

// NoteRow adds to c what a row of the log invalidates. change has one image of the row, or
// the images before and after an update. Each has the values of Columns, and that of Key if
// the table has it.
//
// If binlog_row_image is not FULL, the log omits columns that didn't change, and of a
// deleted row everything except its key.
func (t *Table) NoteRow(c *Changes, action binlog.Action, change []Row) {
	t.noteRow(c, action, change)
	c.hides = c.hides || t.Hides != nil && t.Hides(action, change)
	c.bound()
}

func (t *Table) noteRow(c *Changes, action binlog.Action, change []Row) {
	unchanged := true // in the columns that matter
	if action == binlog.Update {
		for column := range t.Columns {
			before, after := &change[0][column], &change[1][column]
			if before.Kind == binlog.Absent && after.Kind != binlog.Absent {
				unchanged = false
			}
			if after.Kind == binlog.Absent {
				*after = *before
			}
		}
	}
	if t.Note(c, change) {
		return
	}
	c.counted = true // whatever the row was
	c.hides = c.hides || t.Hides != nil
	image, at := change[0], len(t.Columns)
	if len(image) == at || image[at].Kind != binlog.Integer { // no key
		c.Everything()
		return
	}
	key := image[at].Int
	if action == binlog.Delete || !unchanged {
		t.NoteGone(c, key)
		return
	}
	c.partial.add(partialRow{t, key, action == binlog.Insert})
}

// NoteGone adds what the deletion of a row invalidates if only its key is known; 0 is any
// key.
func (t *Table) NoteGone(c *Changes, key int64) {
	if t.Gone == nil {
		c.Everything()
		return
	}
	t.Gone(c, key)
}

// Row holds the values of some columns of a row.
type Row []binlog.Value

// ID returns a number; NULL is 0.
func (r Row) ID(column int) (int64, bool) {
	v := r[column]
	if v.Kind == binlog.Bytes { // a value read by a query
		n, err := strconv.ParseInt(string(v.Bytes), 10, 64)
		return n, err == nil
	}
	return v.Int, v.Kind == binlog.Integer || v.Kind == binlog.Null
}

// Text returns a text; NULL is "".
func (r Row) Text(column int) (string, bool) {
	v := r[column]
	return string(v.Bytes), v.Kind == binlog.Bytes || v.Kind == binlog.Null
}
