package sqlconn

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"
)

// defaultCharset is the connection's character set where the site's is not known, and what
// WordPress makes of utf8.
const defaultCharset = "utf8mb4"

// unfitCharsets can't be those of a connection: servers don't allow them, or the second
// byte of a character may be that of a quote or a backslash.
var unfitCharsets = []string{
	"ucs2", "utf16", "utf16le", "utf32",
	"big5", "cp932", "eucjpms", "euckr", "gb18030", "gb2312", "gbk", "sjis", "swe7", "ujis",
}

var charsetName = regexp.MustCompile(`^[a-z0-9]+$`)

// connectionCharset returns the character set and the collation of a connection for
// wp-config.php's DB_CHARSET and DB_COLLATE, like WordPress: utf8mb4 for utf8, and
// otherwise what they say, so that texts pass unchanged in columns of that character set.
// An empty collation is the server's default for the character set.
func connectionCharset(charset, collation string) (string, string, error) {
	charset = strings.ToLower(charset)
	if charset == "" || charset == "utf8" {
		charset = defaultCharset
	}
	if !charsetName.MatchString(charset) || slices.Contains(unfitCharsets, charset) {
		return "", "", fmt.Errorf("db-charset: connections can't use the character set %q", charset)
	}
	family, rest, _ := strings.Cut(collation, "_")
	switch {
	case family == charset:
		return charset, collation, nil
	case charset == defaultCharset && (family == "utf8" || family == "utf8mb3"):
		return charset, charset + "_" + rest, nil
	case charset == defaultCharset && collation == "":
		return charset, TextCollation, nil
	case charset == defaultCharset:
		return "", "", fmt.Errorf("dsn: the collation %q is not one of %s", collation, charset)
	}
	return charset, "", nil
}

// Charset is the character set of all connections; "" for the embedded engine.
func (s *Servers) Charset() string {
	if s.dialect.Embedded() {
		return ""
	}
	charset, _, _ := connectionCharset(s.cfg.Charset, "") // an error has prevented Open
	return charset
}

// ForeignCharsets selects table, column and character set of those columns of tables whose
// character set is not utf8mb4.
func ForeignCharsets(tables []string) sq.SelectBuilder {
	return catalogue("columns", "table_name, column_name, character_set_name").
		Where(sq.Eq{"table_name": tables}).Where(sq.NotEq{"character_set_name": defaultCharset})
}

// Fit says what becomes of a text that is written to a column.
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

// Fit says whether a text fits a column of a character set; "" is that of numbers and bytes.
func (s *Servers) Fit(column, text string) Fit {
	if IsASCII(text) || column == "" {
		return Fits
	}
	return fit(s.Charset(), column, s.cfg.Charset != "", text)
}

// fit is Fit on a connection of a character set, which is known to be the site's or not.
func fit(connection, column string, known bool, text string) Fit {
	unicode := func(charset string) bool { return charset == defaultCharset || narrowCharset(charset) }
	switch {
	case narrowCharset(column) && FourBytes(text), narrowCharset(connection) && column != connection && FourBytes(text):
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

// inLatin1 says whether MySQL's latin1, which is Windows-1252, has all characters of a text.
func inLatin1(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r > 0xff && !strings.ContainsRune("€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ", r) || r >= 0x80 && r < 0xa0
	})
}

// IsASCII says whether a text is the same in every character set that is used.
func IsASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}

// SingleBytes says whether a column counts the bytes of a text when it limits its length,
// so that a text of several bytes a character takes more room.
func SingleBytes(column string) bool { return column == latin1 }
