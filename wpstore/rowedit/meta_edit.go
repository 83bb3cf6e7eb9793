package rowedit

import (
	"slices"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// MetaEdit is the metadata of one post while a request changes it. Each change has the
// effect of WordPress's function, in memory; [Metas.Write] writes them together. Ids of new
// rows are in the order of the changes.
//
// The Events Calendar records in one row of each of its posts when each key last changed.
// Every change here updates that record.
type MetaEdit struct {
	postID int64
	rows   []editedMeta
	gone   []int64 // ids of rows to delete
	// stamp is the time in the record: Unix time plus the site's offset from UTC.
	stamp    int64
	tracked  bool
	modified *php.Array
	// unrecorded says that modified has changes which its row lacks.
	unrecorded bool
	// touched are the keys that have changed.
	touched map[string]bool
}

type editedMeta struct {
	id         int64 // 0: not written yet
	key, value string
	null       bool // SQL's NULL is stored, and value is ""
	changed    bool // differs from what is stored
}

// modifiedKey is the meta key of the record of changes.
const modifiedKey = "_tribe_modified_fields"

// newMetaEdit starts from the stored rows, in order of their ids.
func newMetaEdit(postID int64, rows []editedMeta, stamp int64, tracked bool) *MetaEdit {
	return &MetaEdit{postID: postID, rows: rows, stamp: stamp, tracked: tracked}
}

// Touched reports whether a key, a taxonomy or a column of the post has changed.
func (m *MetaEdit) Touched(name string) bool { return m.touched[name] }

// written returns the rows as they are to be written.
func (m *MetaEdit) written() []editedMeta {
	m.finish(modifiedKey)
	return m.rows
}

// finish gives the row of the record its value before rows of a key are read. The record
// changes with nearly every other row.
func (m *MetaEdit) finish(key string) {
	if key != modifiedKey || !m.unrecorded {
		return
	}
	m.unrecorded = false
	if at := m.record(); at >= 0 {
		m.rows[at].value = phpserial.Serialize(m.modified)
	}
}

// record returns the place of the row with the record of changes, less than 0 if there is none.
func (m *MetaEdit) record() int {
	return slices.IndexFunc(m.rows, func(r editedMeta) bool { return r.key == modifiedKey })
}

// First returns the value of the first row of key.
func (m *MetaEdit) First(key string) (string, bool) {
	m.finish(key)
	for i := range m.rows {
		if m.rows[i].key == key {
			return m.rows[i].value, true
		}
	}
	return "", false
}

// All returns the values of all rows of key.
func (m *MetaEdit) All(key string) []string {
	m.finish(key)
	var out []string
	for i := range m.rows {
		if m.rows[i].key == key {
			out = append(out, m.rows[i].value)
		}
	}
	return out
}

// Add adds a row.
func (m *MetaEdit) Add(key, value string) {
	m.rows = append(m.rows, editedMeta{key: key, value: value, changed: true})
	m.Touch(key)
}

// AddOnce adds a row unless the key has one.
func (m *MetaEdit) AddOnce(key, value string) {
	if _, ok := m.First(key); !ok {
		m.Add(key, value)
	}
}

// Update sets the value of all rows of the key, or adds a row if there is none. A value that
// is equal under PHP's == is not recorded as a change.
func (m *MetaEdit) Update(key, value string) {
	old, ok := m.First(key)
	if !ok {
		m.Add(key, value)
		return
	}
	for i := range m.rows {
		if r := &m.rows[i]; r.key == key && r.value != value {
			r.value, r.changed = value, true
		}
	}
	if !php.EqualTexts(old, value) {
		m.Touch(key)
	}
}

// Delete removes all rows of the key.
func (m *MetaEdit) Delete(key string) { m.remove(key, func(string) bool { return true }) }

// DeleteValue removes the rows of the key that have the value.
func (m *MetaEdit) DeleteValue(key, value string) {
	m.remove(key, func(v string) bool { return v == value })
}

func (m *MetaEdit) remove(key string, which func(string) bool) {
	m.finish(key)
	n := len(m.rows)
	m.rows = slices.DeleteFunc(m.rows, func(r editedMeta) bool {
		if r.key != key || !which(r.value) {
			return false
		}
		if r.id != 0 {
			m.gone = append(m.gone, r.id)
		}
		return true
	})
	if len(m.rows) < n {
		m.Touch(key)
	}
}

// Touch records that a meta key or a column of the post has changed.
func (m *MetaEdit) Touch(name string) { m.touchAt(name, m.stamp) }

// TouchTaxonomy records that the terms of a taxonomy have changed, in plain Unix time.
func (m *MetaEdit) TouchTaxonomy(taxonomy string, unix int64) { m.touchAt(taxonomy, unix) }

func (m *MetaEdit) touchAt(name string, stamp int64) {
	if m.touched == nil {
		m.touched = map[string]bool{}
	}
	m.touched[name] = true
	if !m.tracked || name == "_edit_lock" || name == modifiedKey {
		return
	}
	at := m.record()
	if m.modified == nil {
		if at >= 0 {
			m.modified = phpserial.Array(m.rows[at].value)
		}
		if m.modified == nil {
			m.modified = &php.Array{}
		}
	}
	m.modified.SetString(name, stamp)
	if at < 0 {
		m.rows = append(m.rows, editedMeta{key: modifiedKey})
		at = len(m.rows) - 1
	}
	m.rows[at].changed, m.unrecorded = true, true
}
