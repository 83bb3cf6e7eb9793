package sqlconn

import "database/sql"

// EachRow returns a scan function of [Runner.Query] that reads the columns of every row into
// the same variables and then calls row.
func EachRow(row func(), into ...any) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		row()
		return nil
	}
}
