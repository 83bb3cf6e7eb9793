package sitedb

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/schema"
)

// tablesRead are the tables without which nothing can be served.
var tablesRead = []string{"posts", "postmeta", "options", "terms", "term_taxonomy", "term_relationships", "users", "usermeta"}

// tablesReadIfThere are read on the sites that have them.
var tablesReadIfThere = []string{"tec_events", "tec_occurrences", "sitemeta"}

// found holds the columns of tables by physical table name, all in lower case.
type found map[string]map[string]bool

func (f found) has(table string) bool { return len(f[strings.ToLower(table)]) > 0 }

// columns asks the server for the columns of all tables that we know.
func (db *DB) columns(ctx context.Context) (found, error) {
	var names []string
	for _, table := range schema.Tables() {
		names = append(names, db.names.plain(table.Name))
	}
	for _, table := range []string{"blogs", "site", "sitemeta"} {
		names = append(names, db.names.plain(table))
	}
	ask := sq.Select("table_name", "column_name").From("information_schema.columns").
		Where("table_schema = DATABASE()").Where(sq.Eq{"table_name": names})
	if db.Engine() == "sqlite" {
		ask = sq.Select("m.name", "c.name").From("sqlite_master AS m, pragma_table_info(m.name) AS c").Where(sq.Eq{"m.name": names})
	}
	there := found{}
	err := db.query(ctx, "check.columns", ask, func(rows *sql.Rows) error {
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

// missingTables are the physical names of tables that nothing works without.
func (db *DB) missingTables(there found) []string {
	var missing []string
	for _, table := range tablesRead {
		if name := db.names.plain(table); !there.has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

func (db *DB) checkTables(ctx context.Context, r *Report, there found, missing []string) error {
	const name = "database.tables"
	if len(missing) > 0 {
		advice, err := db.adviseTables(ctx)
		if err != nil {
			return err
		}
		r.fail(name, advice, "missing or not visible to this user: %s", strings.Join(missing, ", "))
		return nil
	}
	r.ok(name, "all %d tables of WordPress with the prefix %s", len(tablesRead), db.names.blog)
	db.checkColumns(r, there)
	return nil
}

// checkColumns compares the tables that are there with their description.
func (db *DB) checkColumns(r *Report, there found) {
	var missing []string
	checked := 0
	for _, table := range schema.Tables() {
		name := db.names.plain(table.Name)
		if !there.has(name) || !slices.Contains(tablesRead, table.Name) && !slices.Contains(tablesReadIfThere, table.Name) {
			continue
		}
		for _, column := range table.Columns {
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
func (db *DB) adviseTables(ctx context.Context) (string, error) {
	const tail = "term_relationships"
	ask := sq.Select("table_name").From("information_schema.tables").
		Where("table_schema = DATABASE()").Where("table_name LIKE ?", "%"+escapeLike(tail)).OrderBy("table_name").Limit(20)
	if db.Engine() == "sqlite" {
		ask = sq.Select("name").From("sqlite_master").
			Where(sq.Eq{"type": "table"}).Where("name LIKE ?", "%"+escapeLike(tail)).OrderBy("name").Limit(20)
	}
	var prefixes []string
	err := db.query(ctx, "check.prefixes", ask, func(rows *sql.Rows) error {
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
