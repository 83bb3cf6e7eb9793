package wptest

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Insert adds a row, with its values by column, to the table with that full name. It fills
// the columns of posts that have no default.
func Insert(t testing.TB, db *sql.DB, table string, row map[string]any) {
	t.Helper()
	filled := map[string]any{}
	if strings.HasSuffix(table, "posts") {
		for _, column := range []string{"post_content", "post_title", "post_excerpt", "to_ping", "pinged", "post_content_filtered"} {
			filled[column] = ""
		}
	}
	maps.Copy(filled, row)
	columns := slices.Sorted(maps.Keys(filled))
	values := make([]any, len(columns))
	for i, column := range columns {
		values[i] = filled[column]
	}
	text := fmt.Sprintf("INSERT INTO %s (%s) VALUES (?%s)", table, strings.Join(columns, ", "), strings.Repeat(", ?", len(columns)-1))
	if _, err := db.Exec(text, values...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
