package sqlconn

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/dbaddr"
	"calbridge/wpstore/wptest"
)

// TestUnknownCollation checks that all connections, including those for the binary log, do
// without a collation that the server doesn't know.
func TestUnknownCollation(t *testing.T) {
	cfg := wptest.Server(t, wptest.Replicated(t))
	cfg.Collation = "utf8mb4_nowhere_ci"
	var log bytes.Buffer
	db := mustOpen(t, Config{Database: dbaddr.Address{MySQL: cfg}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	standard := askText(t, db, sq.Select("default_collate_name").From("information_schema.character_sets").Where(sq.Eq{"character_set_name": "utf8mb4"}))
	for range 3 {
		if got := askText(t, db, sq.Select("CONCAT(@@character_set_connection, ' ', @@collation_connection, ' ', @@time_zone)")); got != "utf8mb4 "+standard+" +00:00" {
			t.Errorf("%s, want the default %s", got, standard)
		}
	}
	if got := db.Collation(); got != "utf8mb4_nowhere_ci" {
		t.Error(got)
	}
	if text := log.String(); strings.Count(text, "utf8mb4_nowhere_ci") != 1 {
		t.Error(text)
	}
	stream, err := binlog.Open(t.Context(), binlog.Config{MySQL: db.Feed().Config(), Columns: func(*binlog.Table) []int { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	stream.Close()
}

// TestCollation checks that connections use collations of the server, whether the driver knows
// them or not.
func TestCollation(t *testing.T) {
	cfg := wptest.Server(t, wptest.MariaDB(t))
	db := mustOpen(t, Config{Database: dbaddr.Address{MySQL: cfg}})
	const newest = "utf8mb4_uca1400_ai_ci" // which the driver doesn't know
	collations := []string{"utf8mb4_bin", "utf8mb4_czech_ci"}
	if askText(t, db, sq.Select("COUNT(*)").From("information_schema.collations").Where(sq.Eq{"collation_name": "uca1400_ai_ci"})) == "1" {
		collations = append(collations, newest)
	}
	for _, collation := range collations {
		t.Run(collation, func(t *testing.T) {
			cfg := cfg.Clone()
			cfg.Collation = collation
			for _, driverOnly := range []bool{false, true} {
				db := mustOpen(t, Config{Database: dbaddr.Address{MySQL: cfg}, DriverOnly: driverOnly})
				if got := askText(t, db, sq.Select("@@collation_connection")); got != collation {
					t.Error(got)
				}
			}
		})
	}
}
