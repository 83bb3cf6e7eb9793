package check

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"calbridge/wpstore/schema"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// tablesRead are the tables without which nothing can be served.
var tablesRead = []string{"posts", "postmeta", "options", "terms", "term_taxonomy", "term_relationships", "users", "usermeta"}

// tablesReadIfThere are read on the sites that have them.
var tablesReadIfThere = []string{"tec_events", "tec_occurrences", "sitemeta"}

// found holds the columns of tables by physical table name, all in lower case.
type found map[string]map[string]bool

func (f found) has(table string) bool { return len(f[strings.ToLower(table)]) > 0 }

// columns asks the server for the columns of all tables that we know.
func columns(ctx context.Context, run *sqlconn.Runner, tables table.Names) (found, error) {
	var names []string
	for _, t := range schema.Tables() {
		names = append(names, tables.Plain(t.Name))
	}
	for _, network := range []string{"blogs", "site", "sitemeta"} {
		names = append(names, tables.Plain(network))
	}
	there := found{}
	err := run.Query(ctx, "check.columns", run.Dialect().ColumnsOf(names), func(rows *sql.Rows) error {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return err
		}
		table, column = strings.ToLower(table), strings.ToLower(column)
		if there[table] == nil {
			there[table] = map[string]bool{}
		}
		there[table][column] = true
		return nil
	})
	return there, err
}

// missing are the physical names of tables that nothing works without.
func (f found) missing(tables table.Names) []string {
	var missing []string
	for _, read := range tablesRead {
		if name := tables.Plain(read); !f.has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// tables looks whether the tables are there that are read, with their columns.
func tables(ctx context.Context, r *Report, run *sqlconn.Runner, names table.Names, there found, missing []string) error {
	const name = "database.tables"
	if len(missing) > 0 {
		advice, err := adviseTables(ctx, run)
		if err != nil {
			return err
		}
		r.fail(name, advice, "missing or not visible to this user: %s", strings.Join(missing, ", "))
		return nil
	}
	r.ok(name, "all %d tables of WordPress with the prefix %s", len(tablesRead), names.Prefix())
	compareColumns(r, names, there)
	return nil
}

// compareColumns compares the tables that are there with their description.
func compareColumns(r *Report, names table.Names, there found) {
	var missing []string
	checked := 0
	for _, t := range schema.Tables() {
		name := names.Plain(t.Name)
		if !there.has(name) || !slices.Contains(tablesRead, t.Name) && !slices.Contains(tablesReadIfThere, t.Name) {
			continue
		}
		for _, column := range t.Columns {
			checked++
			if !there[strings.ToLower(name)][strings.ToLower(column.Name)] {
				missing = append(missing, name+"."+column.Name)
			}
		}
	}
	if len(missing) > 0 {
		r.fail("database.columns", "Open the site's administration, which offers to update the database, or compare the tables with those of a fresh WordPress.",
			"missing: %s", strings.Join(missing, ", "))
		return
	}
	r.ok("database.columns", "all %d columns", checked)
}

// adviseTables looks for the tables of WordPress under other prefixes.
func adviseTables(ctx context.Context, run *sqlconn.Runner) (string, error) {
	const tail = "term_relationships"
	var prefixes []string
	like := run.Dialect().TablesLike("%" + sqlconn.EscapeLike(tail)).Limit(20)
	err := run.Query(ctx, "check.prefixes", like, func(rows *sql.Rows) error {
		var table string
		if err := rows.Scan(&table); err != nil {
			return err
		}
		prefixes = append(prefixes, strings.TrimSuffix(table, tail))
		return nil
	})
	if err != nil {
		return "", err
	}
	if len(prefixes) == 0 {
		return "No tables of WordPress are visible in this database: check its name, and grant this user SELECT on the tables.", nil
	}
	return fmt.Sprintf("Tables of WordPress are here with the prefix %s: set the table prefix, and on a network the blog id (the number after it), to the site to serve.",
		strings.Join(prefixes, ", ")), nil
}
