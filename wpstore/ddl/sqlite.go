package ddl

import (
	"fmt"
	"strings"
)

// SQLite returns CREATE TABLE for SQLite, followed by the statements that create the
// indexes and the triggers that replace ON UPDATE CURRENT_TIMESTAMP. A bulk load is faster
// if those run after the rows are inserted.
//
// Texts get the given collation, which the connection must have. Columns that are NOT NULL
// without a default get the default that MySQL assumes without strict modes. Indexes over
// the first characters of a text become indexes over all of it.
func (t Table) SQLite(collation string) []string {
	name := func(c KeyColumn) string { return quote(c.Name) }
	statements, lines, counted := []string{""}, []string{}, false
	for _, c := range t.Columns {
		lines = append(lines, c.sqlite(collation))
		counted = counted || c.AutoIncrement
		if c.TouchOnUpdate {
			statements = append(statements, t.touchTrigger(c))
		}
	}
	for _, k := range t.Keys {
		unique := ""
		switch {
		case k.Kind == Primary && counted: // the column definition has it
			continue
		case k.Kind == Primary:
			lines = append(lines, "PRIMARY KEY "+k.list(name))
			continue
		case k.Kind == Unique:
			unique = "UNIQUE "
		}
		// SQLite's index names are unique in the whole database.
		statements = append(statements, fmt.Sprintf("CREATE %sINDEX %s ON %s %s", unique, quote(t.Name+"__"+k.Name), quote(t.Name), k.list(name)))
	}
	statements[0] = "CREATE TABLE " + quote(t.Name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n)"
	return statements
}

func (c Column) sqlite(collation string) string {
	if c.AutoIncrement {
		return quote(c.Name) + " INTEGER PRIMARY KEY AUTOINCREMENT"
	}
	kind, missing := "TEXT COLLATE "+collation, "''"
	switch c.family() {
	case integer:
		kind, missing = "INTEGER", "0"
	case date:
		kind, missing = "TEXT", "'0000-00-00 00:00:00'" // the driver would parse a column declared DATETIME
	}
	line := quote(c.Name) + " " + kind
	if c.NotNull {
		line += " NOT NULL"
	}
	switch value := strings.TrimSuffix(c.Default, "()"); {
	case value != "":
		line += " DEFAULT " + value
	case c.NotNull:
		line += " DEFAULT " + missing
	}
	return line
}

// touchTrigger returns the trigger that replaces ON UPDATE CURRENT_TIMESTAMP. An update
// that changes another column of the row and doesn't set this one sets it to the current
// time.
func (t Table) touchTrigger(touched Column) string {
	var changed []string
	for _, c := range t.Columns {
		if c.Name != touched.Name {
			name := quote(c.Name)
			changed = append(changed, fmt.Sprintf("NEW.%s COLLATE BINARY IS NOT OLD.%s", name, name))
		}
	}
	name, column := quote(t.Name), quote(touched.Name)
	return fmt.Sprintf("CREATE TRIGGER %s AFTER UPDATE ON %s WHEN NEW.%s IS OLD.%s AND (%s)\nBEGIN UPDATE %s SET %s = CURRENT_TIMESTAMP WHERE rowid = NEW.rowid; END",
		quote(t.Name+"__"+touched.Name), name, column, column, strings.Join(changed, " OR "), name, column)
}
