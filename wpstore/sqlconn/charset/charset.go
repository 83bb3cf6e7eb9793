// Package charset has the character sets of MySQL: those of connections, and what columns
// of others hold.
package charset

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn/dialect"
)

// Default is the connection's character set where the site's is not known, and what
// WordPress makes of utf8.
const Default = "utf8mb4"

// unfit says of a character set that it can't be that of a connection: servers don't allow
// them, or the second byte of a character may be that of a quote or a backslash.
func unfit(charset string) bool {
	return slices.Contains([]string{
		"ucs2", "utf16", "utf16le", "utf32",
		"big5", "cp932", "eucjpms", "euckr", "gb18030", "gb2312", "gbk", "sjis", "swe7", "ujis",
	}, charset)
}

var (
	charsetName   = regexp.MustCompile(`^[a-z0-9]+$`)
	collationName = regexp.MustCompile(`^[A-Za-z0-9_]*$`)
)

// OfConnection returns the character set and the collation of a connection for
// wp-config.php's DB_CHARSET and DB_COLLATE, like WordPress: utf8mb4 for utf8, and
// otherwise what they say, so that texts pass unchanged in columns of that character set.
// An empty collation is the server's default for the character set.
func OfConnection(charset, collation string) (string, string, error) {
	charset = strings.ToLower(charset)
	if charset == "" || charset == "utf8" {
		charset = Default
	}
	if !charsetName.MatchString(charset) || unfit(charset) {
		return "", "", fmt.Errorf("db-charset: connections can't use the character set %q", charset)
	}
	if !collationName.MatchString(collation) {
		return "", "", fmt.Errorf("%q is not the name of a collation", collation)
	}
	family, rest, _ := strings.Cut(collation, "_")
	switch {
	case family == charset:
		return charset, collation, nil
	case charset == Default && (family == "utf8" || family == "utf8mb3"):
		return charset, charset + "_" + rest, nil
	case charset == Default && collation == "":
		return charset, dialect.TextCollation, nil
	case charset == Default:
		return "", "", fmt.Errorf("the collation %q is not one of %s", collation, charset)
	}
	return charset, "", nil
}

// Binary is the name of the character set of numbers, dates and bytes.
const Binary = "binary"

// Table is a table with some of its columns.
type Table struct {
	Name string
	// Quoted is the physical name, quoted for statements.
	Quoted  string
	Columns []string
}

// Of selects the name of each table with the character sets of its columns, separated by spaces. It reads no row.
// The server opens the tables as for any other query, which takes a tenth of the time in which it
// looks their columns up in information_schema.
func Of(tables []Table) sq.SelectBuilder {
	one := func(t Table) sq.SelectBuilder {
		var charsets []string
		for _, column := range t.Columns {
			charsets = append(charsets, "CHARSET(`"+column+"`)")
		}
		return sq.Select("'"+t.Name+"'", "CONCAT_WS(' ', "+strings.Join(charsets, ", ")+")").
			FromSelect(sq.Select("1"), "one").LeftJoin(t.Quoted + " ON FALSE")
	}
	query := one(tables[0])
	for _, t := range tables[1:] {
		query = query.SuffixExpr(sq.ConcatExpr("UNION ALL ", one(t)))
	}
	return query
}

// Foreign selects table, column and character set of those columns of tables whose
// character set is not utf8mb4.
func Foreign(tables []string) sq.SelectBuilder {
	return dialect.OfTables("columns", []string{"table_name", "column_name", "character_set_name"}, tables, sq.NotEq{"character_set_name": Default})
}

// Fit describes what becomes of a text that is written to a column.
type Fit int

const (
	// Fits: the same text will be read.
	Fits Fit = iota
	// Narrow: the column holds all characters but those of four bytes, of which the text
	// has some. WordPress knows such columns.
	Narrow
	// Lossy: the server would store question marks or cut the text, or what WordPress reads
	// as another text.
	Lossy
)

// Connection is the character set of connections.
type Connection struct {
	// Name is "" for the embedded engine.
	Name string
	// Known: it is known to be the site's.
	Known bool
}

// Fit reports whether a text fits a column of a character set; "" is that of numbers and bytes.
func (c Connection) Fit(column, text string) Fit {
	if IsASCII(text) || column == "" {
		return Fits
	}
	connection, known := c.Name, c.Known
	unicode := func(charset string) bool { return charset == Default || isNarrow(charset) }
	switch {
	case isNarrow(column) && FourBytes(text), isNarrow(connection) && column != connection && FourBytes(text):
		return Narrow
	case connection == "", connection == column, connection == "binary", column == "binary":
		return Fits
	case unicode(column) && (unicode(connection) || connection == latin1):
		return Fits // every byte of latin1 is a character
	case known && column == latin1 && unicode(connection) && inLatin1(text):
		return Fits
	}
	return Lossy
}

// latin1 is the character set that MySQL gave tables by default until version 8.
const latin1 = "latin1"

// inLatin1 reports whether MySQL's latin1, which is Windows-1252, has all characters of a text.
func inLatin1(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r > 0xff && !strings.ContainsRune("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ", r) || r >= 0x80 && r < 0xa0
	})
}

// IsASCII reports whether a text is the same in every character set that is used.
func IsASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}

// SingleBytes reports whether a column counts the bytes of a text when it limits its length,
// so that a text of several bytes a character takes more room.
func SingleBytes(column string) bool { return column == latin1 }

// isNarrow reports whether a character set is MySQL's old one for UTF-8, without
// characters of four bytes.
func isNarrow(charset string) bool { return charset == "utf8" || charset == "utf8mb3" }

// FourBytes reports whether a text has characters of four bytes, such as emoji, which columns
// of MySQL's old character set utf8mb3 can't hold.
func FourBytes(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff })
}
