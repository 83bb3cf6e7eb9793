package ddl

import "strings"

// Table is one table.
type Table struct {
	Name    string
	Columns []Column
	Keys    []Key
}

// Column is one column.
type Column struct {
	Name string
	// Type is the type in MySQL: "bigint(20) unsigned", "varchar(191)", "longtext".
	Type          string
	NotNull       bool
	AutoIncrement bool
	// Default is an SQL literal or current_timestamp(); "" means no DEFAULT clause.
	Default string
	// TouchOnUpdate is set for ON UPDATE CURRENT_TIMESTAMP.
	TouchOnUpdate bool
}

// Key is the primary key or an index. The primary key needs no name.
type Key struct {
	Kind    KeyKind
	Name    string
	Columns []KeyColumn
}

// KeyColumn is a column of a key. Prefix is the number of its characters that are indexed,
// 0 for all.
type KeyColumn struct {
	Name   string
	Prefix int
}

// KeyKind is the kind of a key.
type KeyKind int

// The kinds of keys.
const (
	Index KeyKind = iota
	Unique
	Primary
)

// family groups column types by the values that they hold.
type family int

const (
	text    family = iota // character strings and ENUM
	integer               // of any size
	date                  // DATETIME and TIMESTAMP
)

func (c Column) family() family {
	name, _, _ := strings.Cut(c.Type, "(")
	switch {
	case strings.HasSuffix(name, "int"):
		return integer
	case name == "datetime" || name == "timestamp":
		return date
	}
	return text
}

func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// list writes the columns of a key.
func (k Key) list(column func(KeyColumn) string) string {
	columns := make([]string, len(k.Columns))
	for i, c := range k.Columns {
		columns[i] = column(c)
	}
	return "(" + strings.Join(columns, ",") + ")"
}
