package sitedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"calbridge/wpstore/sqlite"
)

// openSQLite opens a file, or a database in memory that lives until Close.
func (db *DB) openSQLite(ctx context.Context, file string) error {
	db.d = sqliteDialect{}
	if file == "" {
		return errors.New("dsn: the file is missing; expected sqlite::memory: or sqlite:FILE")
	}
	if _, err := os.Stat(file); file != sqlite.Memory && !db.cfg.CreateFile && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("dsn: there is no file %s", file)
	}
	now := db.cfg.Now
	if !db.cfg.FixedClock {
		now = systemClock
	}
	connector, err := sqlite.NewConnector(file, now)
	if err != nil {
		return err
	}
	if file == sqlite.Memory {
		db.anchor = sql.OpenDB(connector)
		db.anchor.SetMaxOpenConns(1)
		if err := db.anchor.PingContext(ctx); err != nil {
			return fmt.Errorf("open a database in memory: %w", err)
		}
	}
	db.primary = newServer(Primary, sql.OpenDB(connector), &db.cfg)
	// Reading the catalogue finds out whether the file is a database at all.
	db.version, err = db.askVersion(ctx, db.primary.pool, "SELECT sqlite_version() FROM (SELECT COUNT(*) FROM sqlite_master)")
	if err != nil {
		return fmt.Errorf("open %s: is it a SQLite file, and may this process write it and its folder: %w", file, err)
	}
	return nil
}
