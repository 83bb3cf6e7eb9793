package ddl

import (
	"regexp"
	"strconv"
	"strings"
)

// Family is what a column type means to values.
type Family int

// The families of MySQL's types.
const (
	Text Family = iota // character strings, ENUM, SET, JSON
	Integer
	Real // DECIMAL too, since SQLite has no exact numbers
	Date // DATE, DATETIME, TIMESTAMP, TIME: kept as text
	Blob
)

// families sorts types by their first word.
var families = map[string]Family{
	"bit": Integer, "tinyint": Integer, "smallint": Integer, "mediumint": Integer, "int": Integer, "integer": Integer, "bigint": Integer, "year": Integer, "bool": Integer, "boolean": Integer,
	"decimal": Real, "numeric": Real, "float": Real, "double": Real, "real": Real,
	"date": Date, "datetime": Date, "timestamp": Date, "time": Date,
	"binary": Blob, "varbinary": Blob, "tinyblob": Blob, "blob": Blob, "mediumblob": Blob, "longblob": Blob,
}

// Family sorts the column's type; unknown types are texts.
func (c Column) Family() Family { return families[c.typeName()] }

func (c Column) typeName() string {
	name, _, _ := strings.Cut(strings.ToLower(c.Type), " ")
	name, _, _ = strings.Cut(name, "(")
	return name
}

// implicitDefault is what a MySQL session without strict modes stores in a NOT
// NULL column that an INSERT leaves out.
func (c Column) implicitDefault() string {
	switch c.Family() {
	case Integer, Real:
		return "0"
	case Date:
		switch c.typeName() {
		case "date":
			return "'0000-00-00'"
		case "time":
			return "'00:00:00'"
		}
		return "'0000-00-00 00:00:00'"
	}
	if c.typeName() == "enum" {
		if first := enumValue.FindString(c.Type); first != "" {
			return first
		}
	}
	return "''"
}

var enumValue = regexp.MustCompile(`'(?:[^']|'')*'`)

// isNow recognises the spellings of CURRENT_TIMESTAMP.
func isNow(expr string) bool {
	name, rest, _ := strings.Cut(strings.ToLower(expr), "(")
	switch name {
	case "current_timestamp", "now", "localtime", "localtimestamp":
		_, err := strconv.Atoi(strings.TrimSuffix(rest, ")"))
		return rest == "" || rest == ")" || err == nil
	}
	return false
}
