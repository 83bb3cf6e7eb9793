package changefeed

import (
	"context"
	"database/sql"
	"strings"

	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/sqlconn/dialect"
)

// State is what the server reports on a table.
type State struct {
	created, updated string // times in whole seconds; "" for never, or if the server has lost them
	// recent is set if the table was updated in this second or the last.
	recent bool
}

// States queries the server for the states of tables. It returns them by table name in
// lower case. One query.
func States(ctx context.Context, query rowtags.Query, schema string, names []string) (map[string]State, error) {
	found := map[string]State{}
	states := dialect.OfSchema(schema, "tables", []string{"table_name", "COALESCE(create_time, '')", "COALESCE(update_time, '')", "COALESCE(update_time >= NOW() - INTERVAL 1 SECOND, 0)"}, names)
	return found, query(ctx, "feed.tables", states, func(rows *sql.Rows) error {
		var name string
		var t State
		err := rows.Scan(&name, &t.created, &t.updated, &t.recent)
		found[strings.ToLower(name)] = t
		return err
	})
}
