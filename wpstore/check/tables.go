package check

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"calbridge/wpstore"
	"calbridge/wpstore/ddl"
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

// columns is the set of columns of the site's tables in lower case: "wp_posts.post_title".
type columns map[string]bool

func (c columns) add(table, column string)      { c[strings.ToLower(table+"."+column)] = true }
func (c columns) has(table, column string) bool { return c[strings.ToLower(table+"."+column)] }

// readColumns finds out which tables of the site exist, and the columns of those that calbridge reads or writes.
func (c *checker) readColumns(ctx context.Context) error {
	described := schema.Tables()
	names := slices.Concat(networkTables, c.PluginTables)
	for _, t := range described {
		names = append(names, t.Name)
	}
	var err error
	if c.exist, err = c.Options.Existing(ctx, names...); err != nil {
		return err
	}
	for _, read := range tablesRead {
		if !c.exist[read] {
			c.missing = append(c.missing, c.Tables.Plain(read))
		}
	}
	described = slices.DeleteFunc(described, func(t ddl.Table) bool { return !c.exist[t.Name] })
	return c.readColumnsOf(ctx, described)
}

// readColumnsOf finds out which columns of tables exist. Only if one is missing, or can't be read, it queries the
// columns of each table, which takes the server ten times as long.
func (c *checker) readColumnsOf(ctx context.Context, tables []ddl.Table) error {
	c.columns = columns{}
	if !c.run.Dialect().Embedded() {
		_, err := c.Options.ColumnCharsets(ctx, tables)
		if errors.Is(err, wpstore.ErrUnavailable) {
			return err
		}
		if err == nil {
			for _, t := range tables {
				for _, column := range t.Columns {
					c.columns.add(c.Tables.Plain(t.Name), column.Name)
				}
			}
			return nil
		}
	}
	var names []string
	for _, t := range tables {
		names = append(names, c.Tables.Plain(t.Name))
	}
	return c.run.Query(ctx, "check.columns", c.run.Dialect().ColumnsOf(names), func(rows *sql.Rows) error {
		var table, column string
		err := rows.Scan(&table, &column)
		c.columns.add(table, column)
		return err
	})
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
		if !c.exist[t.Name] || !slices.Contains(tablesRead, t.Name) && !slices.Contains(slices.Concat(optionalTables, networkTables), t.Name) {
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
