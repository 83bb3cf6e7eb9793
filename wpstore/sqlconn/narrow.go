package sqlconn

import (
	"errors"
	"slices"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/sqlconn/charset"
	"calbridge/wpstore/sqlconn/mysqlconn"
)

// mixesCollations says of an error of a server that it can't compare a text with a column,
// because the column's character set lacks a character.
func mixesCollations(number uint16) bool {
	switch number {
	case 1267, 1270, 1271:
		return true
	case 3854, 3988: // MySQL's, since 8.0
		return true
	}
	return false
}

// nothingMatches says that a query failed because a text in it has characters that the
// column's character set lacks. No row has them, and WordPress finds none either.
func nothingMatches(err error, args []any) bool {
	if err == nil {
		return false
	}
	var refused *mysql.MySQLError
	return !mysqlconn.IsEarlier(err) && errors.As(err, &refused) && mixesCollations(refused.Number) &&
		slices.ContainsFunc(args, func(arg any) bool { text, ok := arg.(string); return ok && !charset.IsASCII(text) })
}
