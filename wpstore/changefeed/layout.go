package changefeed

import (
	"slices"
	"strings"

	"calbridge/wpstore/binlog"
)

// layout holds the positions of the columns of a table.
type layout struct {
	columns  int   // number of columns of the table
	ordinals []int // of the columns followed, ascending
	order    []int // for each of Table.Columns, and Table.Key if set, the index of its ordinal
	// names are the column names of the ordinals, in lower case.
	names []string
}

// newLayout finds the wanted columns among those present; it returns nil if one is
// missing.
func newLayout(wanted, present []string) *layout {
	l := &layout{columns: len(present), ordinals: []int{}, names: []string{}}
	for _, column := range wanted {
		i := slices.Index(present, strings.ToLower(column))
		if i < 0 {
			return nil
		}
		l.ordinals = append(l.ordinals, i)
	}
	l.order = slices.Clone(l.ordinals)
	slices.Sort(l.ordinals)
	l.ordinals = slices.Compact(l.ordinals)
	for i, ordinal := range l.order {
		l.order[i] = slices.Index(l.ordinals, ordinal)
	}
	for _, ordinal := range l.ordinals {
		l.names = append(l.names, present[ordinal])
	}
	return l
}

// fits reports whether the layout matches the table that the log describes: the number of
// columns is the same, and the names that the log has are in the same positions.
func (l *layout) fits(described *binlog.Table) bool {
	if l == nil || l.columns != described.Columns {
		return false
	}
	for i, ordinal := range l.ordinals {
		if len(described.Names) > 0 && !strings.EqualFold(described.Names[ordinal], l.names[i]) {
			return false
		}
	}
	return true
}
