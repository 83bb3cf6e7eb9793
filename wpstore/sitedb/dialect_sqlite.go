package sitedb

import (
	"errors"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

type sqliteDialect struct{}

func (sqliteDialect) engine() string { return "sqlite" }

func (sqliteDialect) castSigned(expr string) string { return "CAST(" + expr + " AS INTEGER)" }

func (sqliteDialect) castDatetime(expr string) string { return "cast_datetime(" + expr + ")" }

func (sqliteDialect) binary(expr string) string { return expr + " COLLATE BINARY" }

func (sqliteDialect) forUpdate() string { return "" }

func (sqliteDialect) classify(err error) failure {
	var reported *sqlite.Error
	if !errors.As(err, &reported) {
		return failureOther
	}
	switch reported.Code() & 0xff { // the rest is the extended code
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return failureConflict
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL:
		return failureUnavailable
	case sqlite3.SQLITE_ERROR:
		if message := reported.Error(); strings.Contains(message, "no such table") || strings.Contains(message, "no such column") {
			return failureSchema
		}
	}
	return failureOther
}
