package sqlconn

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"calbridge/wpstore/sqlconn/mysqlconn"
	"calbridge/wpstore/sqlconn/server"
)

// maxBadConns is how many dead connections are replaced for one statement, as in
// database/sql.
const maxBadConns = 3

// readPool reads on any connection.
func readPool(ctx context.Context, pool *sql.DB, s Statement, b *mysqlconn.Buffer) error {
	var err error
	for range maxBadConns {
		var conn *sql.Conn
		if conn, err = pool.Conn(ctx); err != nil {
			return err
		}
		err = readConn(ctx, conn, s, nil, b)
		_ = conn.Close() // fails if the connection has died, and is closed already
		if !errors.Is(err, driver.ErrBadConn) || ctx.Err() != nil || b.Passed {
			break
		}
	}
	return err
}

// readConn reads past the driver where possible, and thus without database/sql's
// conversions by reflection and its goroutine that waits for the end of the context; see
// package mysqlconn. of, unless it is nil, is what the connection is shared by.
func readConn(ctx context.Context, conn *sql.Conn, s Statement, of *requestConn, b *mysqlconn.Buffer) error {
	past := false
	err := conn.Raw(func(raw any) error {
		c := raw.(*mysqlconn.Conn)
		if past = c.PastDriver() && len(s.Args) == 0; !past {
			return nil
		}
		b.Reset()
		of.watch(c)
		return c.ReadText(ctx, s.Text, of.following(s.Text), b)
	})
	if err != nil || past {
		return err
	}
	return readSQL(ctx, conn, s, b)
}

// readSQL reads through database/sql.
func readSQL(ctx context.Context, on server.Querier, s Statement, b *mysqlconn.Buffer) error {
	b.Reset()
	rows, err := on.QueryContext(ctx, s.Text, s.Args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	b.Columns = len(columns)
	row := make([]sql.RawBytes, b.Columns)
	values := make([][]byte, b.Columns)
	into := make([]any, b.Columns)
	for i := range row {
		into[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if b.Each != nil {
			for i, value := range row {
				values[i] = value
			}
			b.Pass(values)
			continue
		}
		for _, value := range row {
			if err := b.Add(value); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}
