package sqlconn

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
func (s *Servers) openSQLite(ctx context.Context, file string) error {
	s.dialect = sqliteDialect{}
	if file == "" {
		return errors.New("dsn: the file is missing; expected sqlite::memory: or sqlite:FILE")
	}
	if _, err := os.Stat(file); file != sqlite.Memory && !s.cfg.CreateFile && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("dsn: there is no file %s", file)
	}
	now := s.cfg.Now
	if !s.cfg.FixedClock {
		now = systemClock
	}
	connector, err := sqlite.NewConnector(file, now)
	if err != nil {
		return err
	}
	if file == sqlite.Memory {
		s.anchor = sql.OpenDB(connector)
		s.anchor.SetMaxOpenConns(1)
		if err := s.anchor.PingContext(ctx); err != nil {
			return fmt.Errorf("open a database in memory: %w", err)
		}
	}
	s.configured = newServer(PrimaryName, sql.OpenDB(connector), &s.cfg)
	// Reading the catalogue finds out whether the file is a database at all.
	s.version, err = askVersion(ctx, s.configured.pool, "SELECT sqlite_version() FROM (SELECT COUNT(*) FROM sqlite_master)", s.cfg.QueryTimeout)
	if err != nil {
		return fmt.Errorf("open %s: is it a SQLite file, and may this process write it and its folder: %w", file, err)
	}
	return nil
}
