package ddl

import (
	"strconv"
	"strings"
)

// MySQL returns CREATE TABLE for MySQL and MariaDB, with InnoDB, utf8mb4 and the given
// collation.
func (t Table) MySQL(collation string) string {
	var lines []string
	for _, c := range t.Columns {
		line := quote(c.Name) + " " + c.Type
		if c.NotNull {
			line += " NOT NULL"
		} else if c.family() == date {
			line += " NULL" // some servers make TIMESTAMP NOT NULL by default
		}
		if c.AutoIncrement {
			line += " AUTO_INCREMENT"
		}
		if c.Default != "" {
			line += " DEFAULT " + c.Default
		}
		if c.TouchOnUpdate {
			line += " ON UPDATE CURRENT_TIMESTAMP"
		}
		lines = append(lines, line)
	}
	for _, k := range t.Keys {
		kind := map[KeyKind]string{Primary: "PRIMARY KEY", Unique: "UNIQUE KEY " + quote(k.Name), Index: "KEY " + quote(k.Name)}[k.Kind]
		lines = append(lines, kind+" "+k.list(func(c KeyColumn) string {
			if c.Prefix > 0 {
				return quote(c.Name) + "(" + strconv.Itoa(c.Prefix) + ")"
			}
			return quote(c.Name)
		}))
	}
	return "CREATE TABLE " + quote(t.Name) + " (\n  " + strings.Join(lines, ",\n  ") +
		"\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=" + collation
}
