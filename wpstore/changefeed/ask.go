package changefeed

import (
	"context"
	"database/sql"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlconn"
)

// questionTimeout bounds each question to the server.
const questionTimeout = time.Second

// ask bounds a question to the server.
func ask(ctx context.Context, run *sqlconn.Runner, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error {
	ctx, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	return run.Query(ctx, name, b, scan)
}
