package wpdump

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"

	"calbridge/wpstore/collation"
	"calbridge/wpstore/ddl"
)

// loadSQLite translates tables and rows and leaves out the rest: settings, locks,
// views, triggers, routines.
func loadSQLite(ctx context.Context, db *sql.DB, statements *splitter) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("load dump: %w", err)
	}
	defer tx.Rollback()
	l := &sqliteLoader{tx: tx, tables: map[string]ddl.Table{}}
	for {
		statement, err := statements.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if err := l.statement(ctx, string(statement)); err != nil {
			return fmt.Errorf("dump line %d: %w", statements.line, err)
		}
	}
	for _, text := range l.later {
		if _, err := tx.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("load dump: %s: %w", text, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("load dump: %w", err)
	}
	return nil
}

type sqliteLoader struct {
	tx     *sql.Tx
	tables map[string]ddl.Table
	later  []string // indexes and triggers, made after the rows
}

func (l *sqliteLoader) statement(ctx context.Context, text string) error {
	text = withoutComments(text)
	c := cursor{s: text}
	switch {
	case text == "":
		return nil
	case c.word("CREATE"):
		c.word("TEMPORARY")
		if c.word("TABLE") {
			return l.createTable(ctx, text)
		}
		return nil
	case c.word("DROP"):
		if c.word("TABLE") {
			_, err := l.tx.ExecContext(ctx, text)
			return err
		}
		return nil
	case c.word("INSERT"), c.word("REPLACE"):
		return l.insert(ctx, text)
	case c.word("SET"), c.word("LOCK"), c.word("UNLOCK"), c.word("USE"), c.word("COMMIT"), c.word("START"), c.word("BEGIN"), c.word("ANALYZE"):
		return nil
	}
	return fmt.Errorf("the embedded engine loads what mysqldump writes, not: %.60s", text)
}

// withoutComments drops the comments before a statement, which hold settings of
// the server.
func withoutComments(text string) string {
	for strings.HasPrefix(text, "/*") {
		_, after, _ := strings.Cut(text, "*/")
		text = strings.TrimSpace(after)
	}
	return text
}

func (l *sqliteLoader) createTable(ctx context.Context, text string) error {
	table, err := parseCreate(text)
	if err != nil {
		return err
	}
	translated := table.SQLite(collation.Name)
	if _, err := l.tx.ExecContext(ctx, translated.Create); err != nil {
		return fmt.Errorf("%s: %w", table.Name, err)
	}
	l.later = append(append(l.later, translated.Indexes...), translated.After...)
	l.tables[table.Name] = table
	return nil
}

func (l *sqliteLoader) insert(ctx context.Context, text string) error {
	in, err := parseInsert(text)
	if err != nil {
		return err
	}
	binary := l.binary(in)
	var prepared *sql.Stmt
	defer func() {
		if prepared != nil {
			prepared.Close()
		}
	}()
	return in.eachRow(func(row []any) error {
		if prepared == nil {
			if prepared, err = l.tx.PrepareContext(ctx, in.sqlite(len(row))); err != nil {
				return fmt.Errorf("%s: %w", in.table, err)
			}
		}
		fit(row, binary)
		if _, err := prepared.ExecContext(ctx, row...); err != nil {
			return fmt.Errorf("%s: %w", in.table, err)
		}
		return nil
	})
}

// binary says which values of a row are bytes.
func (l *sqliteLoader) binary(in insert) []bool {
	table := l.tables[in.table]
	var out []bool
	if len(in.columns) == 0 {
		for _, c := range table.Columns {
			out = append(out, c.Family() == ddl.Blob)
		}
	}
	for _, name := range in.columns {
		c, _ := table.Column(name)
		out = append(out, c.Family() == ddl.Blob)
	}
	return out
}

// fit gives each value the kind of its column: mysqldump writes the bytes of BLOB
// columns as texts, and under --hex-blob as hexadecimal numbers.
func fit(row []any, binary []bool) {
	for i, v := range row[:min(len(row), len(binary))] {
		switch v := v.(type) {
		case string:
			if binary[i] {
				row[i] = []byte(v)
			}
		case []byte:
			if !binary[i] {
				row[i] = string(v)
			}
		}
	}
}

// sqlite is the statement for one row of n values.
func (in insert) sqlite(n int) string {
	quoted := func(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
	text := in.verb + " " + quoted(in.table)
	if len(in.columns) > 0 {
		names := make([]string, len(in.columns))
		for i, c := range in.columns {
			names[i] = quoted(c)
		}
		text += " (" + strings.Join(names, ", ") + ")"
	}
	return text + " VALUES (" + strings.TrimSuffix(strings.Repeat("?, ", n), ", ") + ")"
}
