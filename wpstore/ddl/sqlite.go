package ddl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SQLite is a table in SQLite's words. The indexes come apart, since a bulk load
// is faster when they are made after it.
type SQLite struct {
	Create  string
	Indexes []string
	// After holds what must follow the rows: the trigger that stands for ON UPDATE
	// CURRENT_TIMESTAMP, and the next AUTO_INCREMENT number.
	After []string
}

// SQLite translates the table. Texts get the given collation, which the
// connection must know. Columns that are NOT NULL without a default get the one
// that MySQL assumes without strict modes. Indexes over the first characters of
// a text become indexes over all of it, except unique ones, which have no
// counterpart and stay plain.
func (t Table) SQLite(collation string) SQLite {
	var out SQLite
	var lines []string
	primary, auto := t.primary()
	for _, c := range t.Columns {
		lines = append(lines, t.sqliteColumn(c, collation, auto))
	}
	if primary != nil && auto == "" {
		lines = append(lines, "PRIMARY KEY "+primary.sqliteColumns())
	}
	out.Create = "CREATE TABLE " + quote(t.Name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n)"
	for _, k := range t.Keys {
		if k.Kind == Primary {
			continue
		}
		unique := ""
		if k.Kind == Unique && !k.hasPrefix() {
			unique = "UNIQUE "
		}
		// Names of indexes are unique in the whole database here.
		out.Indexes = append(out.Indexes, fmt.Sprintf("CREATE %sINDEX %s ON %s %s", unique, quote(t.Name+"__"+k.Name), quote(t.Name), k.sqliteColumns()))
	}
	for _, c := range t.Columns {
		if c.TouchOnUpdate {
			out.After = append(out.After, t.touchTrigger(c))
		}
	}
	if auto != "" && t.NextID > 1 {
		name := strings.ReplaceAll(t.Name, "'", "''")
		out.After = append(out.After,
			fmt.Sprintf("DELETE FROM sqlite_sequence WHERE name = '%s' AND seq < %d", name, t.NextID-1),
			fmt.Sprintf("INSERT INTO sqlite_sequence (name, seq) SELECT '%s', %d WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '%s')", name, t.NextID-1, name))
	}
	return out
}

// primary finds the primary key, and its column's name if that counts by itself.
func (t Table) primary() (key *Key, auto string) {
	for i := range t.Keys {
		if t.Keys[i].Kind != Primary {
			continue
		}
		key = &t.Keys[i]
		if len(key.Columns) == 1 {
			if c, ok := t.Column(key.Columns[0].Name); ok && c.AutoIncrement {
				return key, c.Name
			}
		}
	}
	return key, ""
}

func (t Table) sqliteColumn(c Column, collation, auto string) string {
	if c.Name == auto {
		return quote(c.Name) + " INTEGER PRIMARY KEY AUTOINCREMENT"
	}
	line := quote(c.Name) + " "
	switch c.Family() {
	case Integer:
		line += "INTEGER"
	case Real:
		line += "REAL"
	case Blob:
		line += "BLOB"
	case Date:
		line += "TEXT" // the driver would turn a column declared DATETIME into another form
	default:
		line += "TEXT"
		if !c.Binary && !t.Binary {
			line += " COLLATE " + collation
		}
	}
	if c.NotNull {
		line += " NOT NULL"
	}
	if value := sqliteDefault(c.Default); value != "" {
		line += " DEFAULT " + value
	} else if c.NotNull {
		line += " DEFAULT " + c.implicitDefault()
	}
	return line
}

// sqliteDefault translates texts, numbers, NULL and the current time; other
// expressions have no counterpart and give "".
func sqliteDefault(expr string) string {
	if isNow(expr) {
		return "CURRENT_TIMESTAMP"
	}
	if strings.EqualFold(expr, "NULL") {
		return "NULL"
	}
	if _, err := strconv.ParseFloat(expr, 64); err == nil {
		return expr
	}
	if len(expr) >= 2 && expr[0] == '\'' {
		text := unescapeBackslashes.Replace(expr[1 : len(expr)-1])
		return "'" + strings.ReplaceAll(strings.ReplaceAll(text, "''", "'"), "'", "''") + "'"
	}
	return ""
}

// unescapeBackslashes undoes what SHOW CREATE TABLE does to a default.
var unescapeBackslashes = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\n`, "\n", `\r`, "\r", `\0`, "")

// touchTrigger stands for ON UPDATE CURRENT_TIMESTAMP: the column follows the
// clock when another column of its row really changed and the statement did not
// set it.
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

func (k Key) hasPrefix() bool {
	return slices.ContainsFunc(k.Columns, func(c KeyColumn) bool { return c.Prefix > 0 })
}

func (k Key) sqliteColumns() string {
	var columns []string
	for _, c := range k.Columns {
		columns = append(columns, quote(c.Name))
	}
	return "(" + strings.Join(columns, ", ") + ")"
}
