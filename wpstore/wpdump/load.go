// Package wpdump loads dumps of WordPress databases, as mysqldump and
// mariadb-dump write them, into MySQL, MariaDB or the embedded SQLite.
package wpdump

import (
	"bufio"
	"compress/gzip"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"os"
)

// Load runs a dump, gzipped or plain, against a database. Tables of the dump that
// exist already are replaced if the dump says so (mysqldump's default). The
// engine is "mysql", "mariadb" or "sqlite"; the connections of a SQLite database
// must be those of calbridge/wpstore/sqlite, whose collation the tables name.
//
// On SQLite everything happens in one transaction, which an error undoes; on the
// servers an error leaves what was loaded before it.
func Load(ctx context.Context, db *sql.DB, engine string, r io.Reader) error {
	plain, err := open(r)
	if err != nil {
		return err
	}
	switch engine {
	case "sqlite":
		return loadSQLite(ctx, db, newSplitter(plain))
	case "mysql", "mariadb":
		return loadMySQL(ctx, db, newSplitter(plain))
	}
	return fmt.Errorf("load dump: engine %q is not known", engine)
}

// LoadFile is Load for a file.
func LoadFile(ctx context.Context, db *sql.DB, engine, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("load dump: %w", err)
	}
	defer f.Close()
	if err := Load(ctx, db, engine, f); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// open undoes gzip if the first bytes say so.
func open(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, nil
	}
	z, err := gzip.NewReader(buffered)
	if err != nil {
		return nil, fmt.Errorf("load dump: %w", err)
	}
	return z, nil
}

// loadMySQL passes the statements on, over one connection, which is then thrown
// away: dumps change the settings of their session.
func loadMySQL(ctx context.Context, db *sql.DB, statements *splitter) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("load dump: %w", err)
	}
	defer func() {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		conn.Close()
	}()
	for {
		statement, err := statements.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, string(statement)); err != nil {
			return fmt.Errorf("dump line %d: %w", statements.line, err)
		}
	}
}
