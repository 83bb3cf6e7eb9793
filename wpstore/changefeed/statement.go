package changefeed

import (
	"regexp"
	"slices"
	"strings"
)

// reach is the set of tables that a statement may change, if it doesn't change rows of one
// table.
type reach int

const (
	anything    reach = iota
	nothing           // nothing that responses are made from
	tablesNamed       // the tables that it names
	schemaNamed       // the tables of the databases that it names, or runs in
)

// reachOf returns the reach of a statement.
func reachOf(statement string) reach {
	start := strings.ToUpper(strings.TrimSpace(statement))
	begins := func(prefix string) bool { return strings.HasPrefix(start, prefix) }
	harmless := []string{
		"CREATE TEMPORARY ", "DROP TEMPORARY ", "DROP /*!40005 TEMPORARY */ ",
		"XA ROLLBACK ", "FLUSH ", "ANALYZE ", "OPTIMIZE ", "CREATE USER ", "ALTER USER ", "DROP USER ", "GRANT ", "REVOKE ", "SET PASSWORD ",
	}
	ofTables := []string{
		"CREATE TABLE ", "CREATE OR REPLACE TABLE ", "ALTER TABLE ", "DROP TABLE ", "TRUNCATE ", "RENAME TABLE ",
		"CREATE INDEX ", "CREATE UNIQUE INDEX ", "DROP INDEX ",
	}
	switch {
	case slices.ContainsFunc(harmless, begins):
		return nothing
	case begins("XA COMMIT "): // of rows that the log had when they were prepared
		return anything
	case slices.ContainsFunc(ofTables, begins):
		return tablesNamed
	}
	return schemaNamed
}

// dml is a statement that changes rows of one table.
type dml struct{ schema, table string }

const tableName = "(?:`((?:[^`]|``)+)`|([0-9A-Za-z_$]+))"

// plainDML matches those statements up to the name of their table and the word behind it.
// Others, among them those of several tables, don't match.
var plainDML = regexp.MustCompile(`(?is)^\s*(?:(?:INSERT|REPLACE)\s+(?:(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE)\s+)*(?:INTO\s+)?|` +
	`UPDATE\s+(?:(?:LOW_PRIORITY|IGNORE)\s+)*|DELETE\s+(?:(?:LOW_PRIORITY|QUICK|IGNORE)\s+)*FROM\s+)` +
	tableName + `(?:\s*\.\s*` + tableName + `)?\s*(?:\(|(?:SET|VALUES?|SELECT|WHERE|ORDER|LIMIT)\b|$)`)

// alteredTable matches statements that may take rows from a table.
var alteredTable = regexp.MustCompile(`(?is)^\s*(?:TRUNCATE(?:\s+TABLE)?|ALTER\s+TABLE|DROP\s+TABLE(?:\s+IF\s+EXISTS)?|RENAME\s+TABLE)\s+` + tableName + `(?:\s*\.\s*` + tableName + `)?`)

// parseDML returns the table whose rows a statement changes, if it is of a plain form.
func parseDML(statement string) (dml, bool) { return named(plainDML, statement) }

// named returns the table that a statement names, if it matches a form.
func named(form *regexp.Regexp, statement string) (dml, bool) {
	m := form.FindStringSubmatch(statement)
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
// can't occur within a text: there a quote is escaped, and never follows a blank.
var byOption = regexp.MustCompile("WHERE `option_name` = '([0-9A-Za-z_-]+)'$")

// addsOption matches WordPress's statement that adds one option, or replaces its value. It
// matches a single row whatever the value contains; statements of other programs with
// several rows don't have this form.
var addsOption = regexp.MustCompile("(?s)^INSERT INTO `[^`]+` \\(`option_name`, `option_value`, `autoload`\\) VALUES " +
	`\('([0-9A-Za-z_-]+)', '(?:[^'\\]|\\.|'')*', '[a-z-]*'\)` +
	"(?: ON DUPLICATE KEY UPDATE `option_name` = VALUES\\(`option_name`\\), `option_value` = VALUES\\(`option_value`\\), `autoload` = VALUES\\(`autoload`\\))?$")

// optionOf returns the name of the only option that a statement changes.
func optionOf(statement string) (string, bool) {
	if m := addsOption.FindStringSubmatch(statement); m != nil {
		return m[1], true
	}
	m := byOption.FindStringSubmatch(statement)
	if m == nil || strings.Count(strings.ToLower(statement), "option_name") != 1 {
		return "", false // another option, or one that gets this name
	}
	return m[1], true
}
