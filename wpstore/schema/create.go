package schema

import (
	"context"
	"database/sql"
	"fmt"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/ddl"
)

// Runner runs a named statement.
type Runner interface {
	Exec(ctx context.Context, name, table string, b sq.Sqlizer) (sql.Result, error)
}

// Dialect returns the statements that create a table.
type Dialect interface {
	CreateTable(t ddl.Table) []string
}

// Tables returns the tables of WordPress and of The Events Calendar, by their names without
// prefix.
func Tables() []ddl.Table {
	return append(wordpressTables(), calendarTables()...)
}

// Create creates tables. physical returns the name that a table has on the site.
func Create(ctx context.Context, run Runner, dialect Dialect, physical func(string) string, tables []ddl.Table) error {
	for _, table := range tables {
		table.Name = physical(table.Name)
		for _, statement := range dialect.CreateTable(table) {
			if _, err := run.Exec(ctx, "schema.create", table.Name, sq.Expr(statement)); err != nil {
				return fmt.Errorf("create table %s: %w", table.Name, err)
			}
		}
	}
	return nil
}
