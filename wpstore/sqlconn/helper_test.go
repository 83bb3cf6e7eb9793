package sqlconn

import (
	"context"
	"database/sql"
	"testing"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/ddl"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// testEngines runs a test on an empty database of each engine, with what change
// does to the configuration.
func testEngines(t *testing.T, change func(*Config), test func(*testing.T, *Servers)) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			cfg := Config{Database: wptest.Address(t, "sqlite::memory:")}
			if engine == "mariadb" {
				cfg.Database = wptest.Address(t, wptest.MariaDB(t))
			}
			if change != nil {
				change(&cfg)
			}
			test(t, mustOpen(t, cfg))
		})
	}
}

func mustOpen(t testing.TB, cfg Config) *Servers {
	t.Helper()
	db, err := Open(context.Background(), cfg, independent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// askText runs a query of one value.
func askText(t testing.TB, db *Servers, ask sq.Sqlizer) (text string) {
	t.Helper()
	err := NewRunner(db, nil).Query(context.Background(), "test", ask, func(rows *sql.Rows) error { return rows.Scan(&text) })
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// independent returns for queries that depend on nothing.
func independent(string) []invalidation.Kind { return nil }

// createOptions makes the table of options.
func createOptions(s *Servers) error {
	table := ddl.Table{Name: "wp_options", Columns: []ddl.Column{
		{Name: "option_id", Type: "bigint(20) unsigned", NotNull: true, AutoIncrement: true},
		{Name: "option_name", Type: "varchar(191)", NotNull: true, Default: "''"},
		{Name: "option_value", Type: "longtext", NotNull: true},
		{Name: "autoload", Type: "varchar(20)", NotNull: true, Default: "'yes'"},
	}, Keys: []ddl.Key{{Kind: ddl.Primary, Columns: []ddl.KeyColumn{{Name: "option_id"}}}, {Kind: ddl.Unique, Name: "option_name", Columns: []ddl.KeyColumn{{Name: "option_name"}}}}}
	for _, statement := range s.dialect.CreateTable(table) {
		if _, err := s.SQL().Exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// setOption stores an option in a transaction.
func setOption(ctx context.Context, s *Servers, name, value string) error {
	return NewRunner(s, nil).Transact(ctx, func(tx *Runner) (Ended, error) {
		insert := sq.Insert("`wp_options`").Columns("option_name", "option_value").Values(name, value).
			Suffix(s.dialect.Upsert("option_name", []string{"option_value"}))
		return nil, tx.Change(ctx, "options.set", "options", insert)
	})
}
