package wpstore

import (
	"iter"
	"slices"
)

// Meta is the metadata of one object: its rows in the order of their ids. Keys are case
// sensitive, as in WordPress, though the database's collation ignores case. The zero value
// has no rows.
type Meta struct {
	rows   []MetaRow
	digest Digest
}

// MetaRow is one row of metadata, as stored.
type MetaRow struct {
	Key, Value string
	Null       bool // the value is SQL's NULL; Value is then ""
}

// NewMeta returns metadata of the rows with their digest. It takes ownership of the rows.
func NewMeta(rows []MetaRow, digest Digest) Meta { return Meta{rows, digest} }

// Rows returns all rows in the order of their ids. They must not be changed.
func (m Meta) Rows() []MetaRow { return m.rows }

// First returns the value of the first row of key, as stored, and whether there is one. A first
// row with NULL counts as none, as for PHP's isset.
func (m Meta) First(key string) (string, bool) {
	for i := range m.rows {
		if m.rows[i].Key == key {
			return m.rows[i].Value, !m.rows[i].Null
		}
	}
	return "", false
}

// All returns the values of all rows of key in the order of their ids.
func (m Meta) All(key string) []string {
	return slices.Collect(m.Each(key))
}

// Each yields the values of all rows of key in the order of their ids.
func (m Meta) Each(key string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range m.rows {
			if m.rows[i].Key == key && !yield(m.rows[i].Value) {
				return
			}
		}
	}
}

// Digest returns the digest of the rows as they were loaded.
func (m Meta) Digest() Digest { return m.digest }

// Has reports whether there is a row of key.
func (m Meta) Has(key string) bool {
	_, ok := m.First(key)
	return ok
}

// With returns the metadata with values as the only rows of key, placed after all other
// rows.
func (m Meta) With(key string, values []string) Meta {
	var out Meta
	for _, r := range m.rows {
		if r.Key != key {
			out.rows = append(out.rows, r)
		}
	}
	for _, value := range values {
		out.rows = append(out.rows, MetaRow{Key: key, Value: value})
	}
	return out
}
