package mirror

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/Masterminds/squirrel"

	"calbridge/wpstore/sqlite"
)

// These values mark our files: SQLite's application id, which is "calb", and the version of
// the format.
const (
	applicationID = 0x63616c62
	formatVersion = 1
)

// store is the SQLite file with the copy.
type store struct{ db *sql.DB }

// openStore opens the copy of a source. It makes a missing file, which only the
// owner can access, and refuses all other files. now is the clock of the embedded engine. wrap,
// unless it is nil, wraps the engine.
func openStore(ctx context.Context, file string, source identity, now func() time.Time, wrap func(driver.Connector) driver.Connector) (*store, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	if err := prepareFile(path); err != nil {
		return nil, err
	}
	engine, err := sqlite.NewConnector(path, now)
	if err != nil {
		return nil, err
	}
	var connector driver.Connector = engine
	if wrap != nil {
		connector = wrap(engine)
	}
	s := &store{sql.OpenDB(connector)}
	if err := s.transaction(ctx, func(tx *sql.Tx) error { return prepareTables(ctx, tx, source) }); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

// close ends the use of the file.
func (s *store) close() error { return s.db.Close() }

var errForeign = errors.New("it was not created by calbridge mirror: use another file, or delete it")

// prepareFile creates the file, or reads its first bytes, because even opening another
// program's database would change it.
func prepareFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, errForeign)
	}
	// By https://sqlite.org/fileformat.html, offset 40 has the schema cookie and offset 68 the
	// application id.
	var header [100]byte
	switch n, err := io.ReadFull(f, header[:]); {
	case err == io.EOF:
		return nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return err
	case n < len(header) || !bytes.HasPrefix(header[:], []byte("SQLite format 3\x00")):
		return errForeign
	}
	// In a file of ours, both are 0 until the content of its log is first written to it.
	if binary.BigEndian.Uint32(header[40:]) != 0 && binary.BigEndian.Uint32(header[68:]) != applicationID {
		return errForeign
	}
	return nil
}

// prepareTables creates the tables of a new file, and compares those of an old one.
func prepareTables(ctx context.Context, tx *sql.Tx, source identity) error {
	var application, version, tables int
	for query, to := range map[string]*int{"PRAGMA application_id": &application, "PRAGMA user_version": &version, "SELECT COUNT(*) FROM sqlite_master": &tables} {
		if err := tx.QueryRowContext(ctx, query).Scan(to); err != nil {
			return err
		}
	}
	if application == 0 && tables == 0 {
		return createTables(ctx, tx, source)
	}
	if application != applicationID {
		return errForeign
	}
	if version != formatVersion {
		return fmt.Errorf("it has format %d of another version of calbridge: delete it to start the copy over", version)
	}
	var is identity
	if err := squirrel.Select("url", "arguments", "login").From("mirror").RunWith(tx).QueryRowContext(ctx).Scan(&is.address, &is.arguments, &is.user); err != nil {
		return err
	}
	if is != source {
		return fmt.Errorf("it is a copy of %s: use another file, or delete it", is)
	}
	return nil
}

// createTables makes the tables:
//
//   - events: the copy
//   - incoming: a list that is still being fetched
//   - mirror: one row, with what the copy is of and how far it is
func createTables(ctx context.Context, tx *sql.Tx, source identity) error {
	columns := "(id INTEGER PRIMARY KEY, json TEXT NOT NULL, " + strings.Join(copiedFields(), " TEXT, ") + " TEXT)"
	for _, statement := range []string{
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("PRAGMA user_version = %d", formatVersion),
		"CREATE TABLE events " + columns,
		"CREATE INDEX events_start ON events (start_date, id)",
		"CREATE TABLE incoming " + columns,
		"CREATE TABLE mirror (url TEXT NOT NULL, arguments TEXT NOT NULL, login TEXT NOT NULL, " +
			"sync_token TEXT NOT NULL, page_token TEXT NOT NULL, listing INTEGER NOT NULL, complete INTEGER NOT NULL)",
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	_, err := squirrel.Insert("mirror").Columns("url", "arguments", "login", "sync_token", "page_token", "listing", "complete").
		Values(source.address, source.arguments, source.user, "", "", true, false).RunWith(tx).ExecContext(ctx)
	return err
}

// transaction calls do in a transaction.
func (s *store) transaction(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // the first error says more
		return err
	}
	return tx.Commit()
}
