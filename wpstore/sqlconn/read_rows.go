package sqlconn

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
)

// maxBadConns is how many dead connections are replaced for one statement, as in
// database/sql.
const maxBadConns = 3

// readPool reads on any connection.
func readPool(ctx context.Context, pool *sql.DB, s Statement, b *rowBuffer) error {
	var err error
	for range maxBadConns {
		var conn *sql.Conn
		if conn, err = pool.Conn(ctx); err != nil {
			return err
		}
		err = readConn(ctx, conn, s, nil, b)
		_ = conn.Close() // fails if the connection has died, and is closed already
		if !errors.Is(err, driver.ErrBadConn) || ctx.Err() != nil {
			break
		}
	}
	return err
}

// readConn reads without database/sql's conversions by reflection and its goroutine
// that waits for the end of the context, and where possible past the driver; see
// [textReader]. next are the statements to pipeline.
func readConn(ctx context.Context, conn *sql.Conn, s Statement, next []string, b *rowBuffer) error {
	b.reset()
	return conn.Raw(func(raw any) error {
		c := raw.(*mysqlConn)
		return c.until(ctx, func(ctx context.Context) error {
			if c.text != nil && len(s.Args) == 0 {
				return c.readText(s.Text, next, b)
			}
			if err := c.drain(); err != nil {
				return err
			}
			return readQuery(ctx, c, s, b)
		})
	})
}

func readQuery(ctx context.Context, on driver.QueryerContext, s Statement, b *rowBuffer) error {
	values, err := s.driverArgs()
	if err != nil {
		return err
	}
	rows, err := on.QueryContext(ctx, s.Text, values)
	if err != nil {
		return err
	}
	defer rows.Close()
	b.columns = len(rows.Columns())
	if cap(b.row) < b.columns {
		b.row = make([]driver.Value, b.columns)
	}
	row := b.row[:b.columns]
	defer clear(row) // they point into the driver's buffer
	for {
		if err := rows.Next(row); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		for _, value := range row {
			if err := b.add(value); err != nil {
				return err
			}
		}
	}
}

// readSQL reads through database/sql: in transactions, and from SQLite.
func readSQL(ctx context.Context, on Querier, s Statement, b *rowBuffer) error {
	b.reset()
	rows, err := on.QueryContext(ctx, s.Text, s.Args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	b.columns = len(columns)
	row := make([]sql.RawBytes, b.columns)
	into := make([]any, b.columns)
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for _, value := range row {
			if value == nil {
				err = b.add(nil)
			} else {
				err = b.add([]byte(value))
			}
			if err != nil {
				return err
			}
		}
	}
	return rows.Err()
}
