package sqlconn

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"
)

// Querier is where statements run: a pool, a connection or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// reading reads the result of a statement.
type reading func(ctx context.Context, on Querier) error

// selecting runs a SELECT and calls scan for each row.
func selecting(ctx context.Context, on Querier, s Statement, scan func(*sql.Rows) error) error {
	rows, err := on.QueryContext(ctx, s.Text, s.Args...)
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

// ask runs a statement that is neither counted nor queued.
func ask(ctx context.Context, on Querier, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	s, err := Build(name, b)
	if err != nil {
		return err
	}
	return selecting(ctx, on, s, scan)
}
