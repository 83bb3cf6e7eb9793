package server

import (
	"context"
	"database/sql"
	"fmt"

	sq "github.com/Masterminds/squirrel"
)

// Querier is where statements run: a pool, a connection or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// Named returns the text of a named statement and its arguments. The name stands before it as a
// comment.
func Named(name string, b sq.Sqlizer) (string, []any, error) {
	text, args, err := b.ToSql()
	if err != nil {
		return "", nil, fmt.Errorf("build query %s: %w", name, err)
	}
	return "/* calbridge:" + name + " */ " + text, args, nil
}

// Each runs a SELECT and calls scan for each row.
func Each(ctx context.Context, on Querier, text string, args []any, scan func(*sql.Rows) error) error {
	rows, err := on.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Ask asks a named question and calls scan for each row of the answer.
func Ask(ctx context.Context, on Querier, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	text, args, err := Named(name, b)
	if err != nil {
		return err
	}
	return Each(ctx, on, text, args, scan)
}
