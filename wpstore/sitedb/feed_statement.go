package sitedb

import (
	"slices"
	"strings"

	"calbridge/wpstore/binlog"
)

// harmlessStatements change nothing that answers are made of.
var harmlessStatements = []string{
	"CREATE TEMPORARY ", "DROP TEMPORARY ", "DROP /*!40005 TEMPORARY */ ",
	"FLUSH ", "ANALYZE ", "OPTIMIZE ", "CREATE USER ", "ALTER USER ", "DROP USER ", "GRANT ", "REVOKE ", "SET PASSWORD ",
}

// tableStatements are those that name the table that they change.
var tableStatements = []string{
	"CREATE TABLE ", "CREATE OR REPLACE TABLE ", "ALTER TABLE ", "DROP TABLE ", "TRUNCATE ", "RENAME TABLE ",
	"CREATE INDEX ", "CREATE UNIQUE INDEX ", "DROP INDEX ",
}

// statement takes what the log holds as SQL.
func (f *feed) statement(h *heard, stream *binlog.Stream, schema, text string) {
	if !f.concerns(schema, text) {
		return
	}
	h.everything = true
	f.forgetLayouts(stream)
}

// concerns says whether a statement may change the site's tables; in doubt it does.
func (f *feed) concerns(schema, text string) bool {
	start := strings.ToUpper(strings.TrimSpace(text))
	begins := func(prefixes []string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(start, p) })
	}
	lower := strings.ToLower(text)
	switch {
	case begins(harmlessStatements):
		return false
	case begins(tableStatements):
		for name := range f.tables {
			if strings.Contains(lower, name) {
				return true
			}
		}
		// Of these only whether they exist is read.
		return slices.ContainsFunc(jobTables, func(name string) bool { return strings.Contains(lower, strings.ToLower(f.db.Table(name))) })
	}
	return strings.EqualFold(schema, f.schema) || strings.Contains(lower, strings.ToLower(f.schema))
}
