package check

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"calbridge/wpstore/schema"
	"calbridge/wpstore/sqlconn"
)

// tablesRead lists the tables without which nothing can be served.
var tablesRead = []string{"posts", "postmeta", "options", "terms", "term_taxonomy", "term_relationships", "users", "usermeta"}

// optionalTables lists the tables that are read only on sites that have them, and networkTables those of a
// network.
var (
	optionalTables = []string{"tec_events", "tec_occurrences"}
	networkTables  = []string{"sitemeta", "site", "blogs"}
)

// columns is the set of columns of the site's tables in lower case: "wp_posts.post_title", and
// "wp_posts." for the table itself.
type columns map[string]bool

func (c columns) has(table, column string) bool { return c[strings.ToLower(table+"."+column)] }

// readColumns queries the columns of all tables that calbridge reads or writes.
func (c *checker) readColumns(ctx context.Context) error {
	var names []string
	for _, name := range networkTables {
		names = append(names, c.Tables.Plain(name))
	}
	for _, t := range schema.Tables() {
		names = append(names, c.Tables.Plain(t.Name))
	}
	c.columns = columns{}
	err := c.run.Query(ctx, "check.columns", c.run.Dialect().ColumnsOf(names), func(rows *sql.Rows) error {
		var table, column string
		err := rows.Scan(&table, &column)
		table = strings.ToLower(table) + "."
		c.columns[table], c.columns[table+strings.ToLower(column)] = true, true
		return err
	})
	for _, read := range tablesRead {
		if name := c.Tables.Plain(read); !c.columns.has(name, "") {
			c.missing = append(c.missing, name)
		}
	}
	return err
}

// tables checks whether the tables that are read exist, with their columns.
func (c *checker) tables(ctx context.Context) error {
	const name = "database.tables"
	if len(c.missing) > 0 {
		advice, err := c.adviseTables(ctx)
		if err != nil {
			return err
		}
		c.fail(name, advice, "missing or not visible to this user: %s", strings.Join(c.missing, ", "))
		return nil
	}
	c.ok(name, "all %d WordPress tables with the prefix %s found", len(tablesRead), c.Tables.Prefix())
	var missing []string
	checked := 0
	for _, t := range schema.Tables() {
		name := c.Tables.Plain(t.Name)
		if !c.columns.has(name, "") || !slices.Contains(tablesRead, t.Name) && !slices.Contains(slices.Concat(optionalTables, networkTables), t.Name) {
			continue
		}
		for _, column := range t.Columns {
			checked++
			if !c.columns.has(name, column.Name) {
				missing = append(missing, name+"."+column.Name)
			}
		}
	}
	if len(missing) > 0 {
		c.fail("database.columns", "Open the site's administration, which offers to update the database, or compare the tables with those of a fresh WordPress.",
			"missing: %s", strings.Join(missing, ", "))
		return nil
	}
	c.ok("database.columns", "all %d columns found", checked)
	return nil
}

// adviseTables looks for WordPress tables with other prefixes.
func (c *checker) adviseTables(ctx context.Context) (string, error) {
	const tail = "term_relationships"
	var prefixes []string
	like := c.run.Dialect().TablesLike("%" + sqlconn.EscapeLike(tail)).Limit(20)
	err := c.run.Query(ctx, "check.prefixes", like, func(rows *sql.Rows) error {
		var table string
		err := rows.Scan(&table)
		prefixes = append(prefixes, strings.TrimSuffix(table, tail))
		return err
	})
	if err != nil {
		return "", err
	}
	if len(prefixes) == 0 {
		return "No tables of WordPress are visible in this database: check its name, and grant this user SELECT on the tables.", nil
	}
	return fmt.Sprintf("There are tables of WordPress with the prefix %s: set the table prefix, and on a network the blog id (the number after it), to the site to serve.",
		strings.Join(prefixes, ", ")), nil
}
