package changefeed

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"calbridge/wpstore/binlog"
)

// harmlessStatements change nothing that responses are made of.
var harmlessStatements = []string{
	"CREATE TEMPORARY ", "DROP TEMPORARY ", "DROP /*!40005 TEMPORARY */ ",
	"FLUSH ", "ANALYZE ", "OPTIMIZE ", "CREATE USER ", "ALTER USER ", "DROP USER ", "GRANT ", "REVOKE ", "SET PASSWORD ",
}

// tableStatements name the table that they change.
var tableStatements = []string{
	"CREATE TABLE ", "CREATE OR REPLACE TABLE ", "ALTER TABLE ", "DROP TABLE ", "TRUNCATE ", "RENAME TABLE ",
	"CREATE INDEX ", "CREATE UNIQUE INDEX ", "DROP INDEX ",
}

// noteStatement adds what a statement in the log may change. altered says that the columns
// of tables may be others now.
//
// With binlog_format=MIXED most changes of rows are statements too. One that changes rows
// of a table that isn't followed changes nothing; one that changes an option by its name
// changes that option; every other one changes everything. Rows that a trigger changes
// along with it aren't seen; WordPress has no triggers.
func (l *layouts) noteStatement(c *Changes, schema, statement string) (altered bool) {
	if target, ok := parseDML(statement); ok {
		if target.schema == "" {
			target.schema = schema
		}
		table := l.followed[strings.ToLower(target.table)]
		if table == nil || !strings.EqualFold(target.schema, l.schema) {
			return false
		}
		if name, ok := optionOf(statement); ok && table.Name == "options" && table.Note(c, []Row{{{Kind: binlog.Bytes, Bytes: []byte(name)}}}) {
			return false
		}
		c.everything = true
		return false
	}
	if l.affectedBy(schema, statement) {
		c.everything = true
		return true
	}
	return false
}

// dml is a statement that changes rows of one table.
type dml struct{ schema, table string }

const tableName = "(?:`((?:[^`]|``)+)`|([0-9A-Za-z_$]+))"

// plainDML matches those statements up to the name of their table and the word behind it.
// Others, among them those of several tables, don't match.
var plainDML = regexp.MustCompile(`(?is)^\s*(?:(?:INSERT|REPLACE)\s+(?:(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE)\s+)*(?:INTO\s+)?|` +
	`UPDATE\s+(?:(?:LOW_PRIORITY|IGNORE)\s+)*|DELETE\s+(?:(?:LOW_PRIORITY|QUICK|IGNORE)\s+)*FROM\s+)` +
	tableName + `(?:\s*\.\s*` + tableName + `)?\s*(?:\(|(?:SET|VALUES?|SELECT|WHERE|ORDER|LIMIT)\b|$)`)

// parseDML returns the table whose rows a statement changes, if it is of a plain form.
func parseDML(statement string) (dml, bool) {
	m := plainDML.FindStringSubmatch(statement)
	if m == nil {
		return dml{}, false
	}
	name := func(quoted, bare string) string { return strings.ReplaceAll(quoted, "``", "`") + bare }
	first, second := name(m[1], m[2]), name(m[3], m[4])
	if second == "" {
		return dml{table: first}, true
	}
	return dml{schema: first, table: second}, true
}

// byOption matches the end of WordPress's statements that change or delete one option. It
// can't be within a text: there a quote is escaped, and never behind a blank.
var byOption = regexp.MustCompile("WHERE `option_name` = '([0-9A-Za-z_-]+)'$")

// optionOf returns the name of the only option that a statement changes.
func optionOf(statement string) (string, bool) {
	m := byOption.FindStringSubmatch(statement)
	if m == nil || strings.Count(strings.ToLower(statement), "option_name") != 1 {
		return "", false // another option, or one that gets this name
	}
	return m[1], true
}

// affectedBy reports whether a statement that isn't plain may change the site's tables.
func (l *layouts) affectedBy(schema, statement string) bool {
	start, lower := strings.ToUpper(strings.TrimSpace(statement)), strings.ToLower(statement)
	begins := func(prefix string) bool { return strings.HasPrefix(start, prefix) }
	names := func(table string) bool { return strings.Contains(lower, table) }
	switch {
	case slices.ContainsFunc(harmlessStatements, begins):
		return false
	case slices.ContainsFunc(tableStatements, begins):
		return slices.ContainsFunc(slices.Collect(maps.Keys(l.followed)), names) || slices.ContainsFunc(l.optional, names)
	}
	return strings.EqualFold(schema, l.schema) || names(strings.ToLower(l.schema))
}
