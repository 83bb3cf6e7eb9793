package server

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"calbridge/wpstore/sqlite"
)

// OpenSQLite opens a file, or a database in memory that lives as long as the
// connection that is returned with it.
func OpenSQLite(ctx context.Context, c *Settings, file string) (s *Server, version string, anchor *sql.DB, err error) {
	if file == "" {
		return nil, "", nil, errors.New("the file is missing; expected sqlite::memory: or sqlite:FILE")
	}
	if _, err := os.Stat(file); file != sqlite.Memory && !c.CreateFile && errors.Is(err, fs.ErrNotExist) {
		return nil, "", nil, fmt.Errorf("the file %s does not exist", file)
	}
	if folder := filepath.Dir(file); file != sqlite.Memory && c.CreateFile {
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			return nil, "", nil, fmt.Errorf("cannot create %s: the folder %s does not exist", file, folder)
		}
	}
	now := c.Now
	if !c.FixedClock {
		now = time.Now
	}
	connector, err := sqlite.NewConnector(file, now)
	if err != nil {
		return nil, "", nil, err
	}
	if file == sqlite.Memory {
		anchor = sql.OpenDB(connector)
		anchor.SetMaxOpenConns(1)
		if err := anchor.PingContext(ctx); err != nil {
			return nil, "", anchor, fmt.Errorf("open a database in memory: %w", err)
		}
	}
	s = newServer(PrimaryName, c)
	var opener driver.Connector = connector
	if c.Wrap != nil {
		opener = c.Wrap(connector)
	}
	s.use(sql.OpenDB(opener))
	// Reading the catalogue finds out whether the file is a database at all.
	version, err = s.askVersion(ctx, "SELECT sqlite_version() FROM (SELECT COUNT(*) FROM sqlite_master)")
	if err != nil {
		err = fmt.Errorf("cannot open %s: check that it is a SQLite file, and that this process may write it and its folder: %w", file, err)
	}
	return s, version, anchor, err
}
