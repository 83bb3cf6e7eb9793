package rest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestOutageWarnsOnce: while the primary is away, requests use the old options, and one line
// in the log reports it, not one for each request.
func TestOutageWarnsOnce(t *testing.T) {
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var log bytes.Buffer
	now, away := time.Unix(1_800_000_000, 0), false
	sc := &siteCache{
		load: func(context.Context, *sitedb.Session) (*liveSite, error) {
			if away {
				return nil, fmt.Errorf("query: %w", wpstore.ErrUnavailable)
			}
			return &liveSite{Site: &wpsite.Site{}}, nil
		},
		aging:         invalidation.Aging{MaxAge: time.Second, Now: func() time.Time { return now }},
		logger:        slog.New(slog.NewTextHandler(&log, nil)),
		mayServeStale: func() bool { return true }, reading: make(chan struct{}, 1),
	}
	for i, c := range []struct {
		away     bool
		warnings int
	}{{false, 0}, {true, 1}, {true, 1}, {true, 1}, {false, 1}, {true, 2}} {
		away, now = c.away, now.Add(2*time.Second)
		if _, err := sc.get(t.Context(), store.Session(nil), true); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(log.String(), "unreachable"); got != c.warnings {
			t.Errorf("request %d: %d warnings, want %d", i, got, c.warnings)
		}
	}
}
