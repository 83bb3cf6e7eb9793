package sqlconn

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
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
		if !errors.Is(err, driver.ErrBadConn) || ctx.Err() != nil || b.passed {
			break
		}
	}
	return err
}

// readConn reads past the driver where possible, and thus without database/sql's
// conversions by reflection and its goroutine that waits for the end of the context; see
// [textReader]. next are the statements to pipeline.
func readConn(ctx context.Context, conn *sql.Conn, s Statement, next []string, b *rowBuffer) error {
	past := false
	err := conn.Raw(func(raw any) error {
		c := raw.(*mysqlConn)
		if past = c.text != nil && len(s.Args) == 0; !past {
			return nil
		}
		b.reset()
		return c.until(ctx, func() error { return c.readText(s.Text, next, b) })
	})
	if err != nil || past {
		return err
	}
	return readSQL(ctx, conn, s, b)
}

// readSQL reads through database/sql.
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
	b.values = make([][]byte, b.columns)
	into := make([]any, b.columns)
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if b.each != nil {
			for i, value := range row {
				b.values[i] = value
			}
			b.passed = true
			b.each(b.values)
			continue
		}
		for _, value := range row {
			if err := b.add(value); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}
