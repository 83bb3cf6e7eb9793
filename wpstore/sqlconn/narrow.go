package sqlconn

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// narrowCharset says whether a character set is MySQL's old one for UTF-8, without
// characters of four bytes.
func narrowCharset(charset string) bool { return charset == "utf8" || charset == "utf8mb3" }

// FourBytes says whether a text has characters of four bytes, such as emoji, which columns
// of MySQL's old character set utf8mb3 can't hold.
func FourBytes(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r > 0xffff })
}

// mixedCollations are the errors of servers that can't compare a text with a column,
// because the column's character set lacks a character.
var mixedCollations = []uint16{1267, 1270, 1271, 3988}

// nothingMatches says that a query failed because a text in it has characters that the
// column's character set lacks. No row has them, and WordPress finds none either.
func nothingMatches(err error, args []any) bool {
	if err == nil {
		return false
	}
	var refused *mysql.MySQLError
	var of *laterError
	return !errors.As(err, &of) && errors.As(err, &refused) && slices.Contains(mixedCollations, refused.Number) &&
		slices.ContainsFunc(args, func(arg any) bool { text, ok := arg.(string); return ok && !IsASCII(text) })
}
