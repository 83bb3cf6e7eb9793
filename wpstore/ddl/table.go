// Package ddl describes database tables once and writes them for MySQL and for
// SQLite.
package ddl

// Table is one table.
type Table struct {
	Name    string
	Columns []Column
	Keys    []Key
	// NextID is the first number that AUTO_INCREMENT will give; 0 when unknown.
	NextID uint64
	// Binary says that texts compare by bytes unless a column says otherwise.
	Binary bool
}

// Column is one column.
type Column struct {
	Name string
	// Type is MySQL's: "bigint(20) unsigned", "varchar(191)", "longtext".
	Type          string
	NotNull       bool
	AutoIncrement bool
	// Default is an SQL literal or current_timestamp(); "" means no DEFAULT
	// clause.
	Default string
	// TouchOnUpdate is ON UPDATE CURRENT_TIMESTAMP.
	TouchOnUpdate bool
	// Binary says that texts compare by bytes.
	Binary bool
}

// Key is the primary key or an index.
type Key struct {
	Kind    KeyKind
	Name    string // of no meaning for the primary key
	Columns []KeyColumn
}

// KeyColumn is a column of a key; Prefix is how many characters of it are
// indexed, 0 for all.
type KeyColumn struct {
	Name   string
	Prefix int
}

// KeyKind tells keys apart.
type KeyKind int

// The kinds of keys. FULLTEXT and SPATIAL are left out: nothing here searches by them.
const (
	Index KeyKind = iota
	Unique
	Primary
)

// Column finds a column by name.
func (t Table) Column(name string) (Column, bool) {
	for _, c := range t.Columns {
		if c.Name == name {
			return c, true
		}
	}
	return Column{}, false
}
