package ddl

import (
	"strconv"
	"strings"
)

// MySQL writes CREATE TABLE for MySQL and MariaDB, with InnoDB, utf8mb4 and the
// given collation.
func (t Table) MySQL(collation string) string {
	var lines []string
	for _, c := range t.Columns {
		line := quote(c.Name) + " " + c.Type
		if c.Binary && c.Family() == Text {
			line += " CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"
		}
		if c.NotNull {
			line += " NOT NULL"
		} else if c.Family() == Date {
			line += " NULL" // TIMESTAMP is NOT NULL by itself on some servers
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
		switch k.Kind {
		case Primary:
			lines = append(lines, "PRIMARY KEY "+k.mysqlColumns())
		case Unique:
			lines = append(lines, "UNIQUE KEY "+quote(k.Name)+" "+k.mysqlColumns())
		default:
			lines = append(lines, "KEY "+quote(k.Name)+" "+k.mysqlColumns())
		}
	}
	text := "CREATE TABLE " + quote(t.Name) + " (\n  " + strings.Join(lines, ",\n  ") + "\n) ENGINE=InnoDB"
	if t.NextID > 0 {
		text += " AUTO_INCREMENT=" + strconv.FormatUint(t.NextID, 10)
	}
	return text + " DEFAULT CHARSET=utf8mb4 COLLATE=" + collation
}

func (k Key) mysqlColumns() string {
	var columns []string
	for _, c := range k.Columns {
		column := quote(c.Name)
		if c.Prefix > 0 {
			column += "(" + strconv.Itoa(c.Prefix) + ")"
		}
		columns = append(columns, column)
	}
	return "(" + strings.Join(columns, ",") + ")"
}

func quote(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
