package changefeed

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestColumnsWarnOnce: columns that can't be read are logged once for each connection to the
// log, and not at its end.
func TestColumnsWarnOnce(t *testing.T) {
	var log bytes.Buffer
	// The embedded engine has no information_schema.
	servers, err := sqlconn.Open(t.Context(), sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:"), Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(string) []invalidation.Kind { return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer servers.Close()
	tables, err := table.New(table.Config{Prefix: "wp_"})
	if err != nil {
		t.Fatal(err)
	}
	followed := rowtags.WordPress{}.Tables()
	l := newTables(tablesConfig{Schema: "site", Names: tables, Followed: followed, Query: sqlconn.NewRunner(servers, nil).Query, Logger: servers.Logger()})
	ended, end := context.WithCancel(t.Context())
	end()
	described := &binlog.Table{Schema: "site", Name: "wp_posts", Columns: 3}
	for _, test := range []struct {
		ctx  context.Context
		want int
	}{{ended, 0}, {t.Context(), 1}, {t.Context(), 1}} {
		if got := l.Columns(test.ctx, described); got == nil || len(got) > 0 {
			t.Errorf("columns %v", got)
		}
		if got := strings.Count(log.String(), "cannot be read"); got != test.want {
			t.Errorf("%d warnings, want %d: %s", got, test.want, &log)
		}
	}
}
