package wptest

import (
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/collation"
	"calbridge/wpstore/ddl"
)

// readDump returns the text of a gzipped dump. It expects the format of mysqldump and
// mariadb-dump: a line for each column and key, no line breaks within texts, no binary
// columns, no triggers.
func readDump(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	text, err := io.ReadAll(z)
	return string(text), err
}

// loadServer runs a dump in a database of a server.
func loadServer(dsn, path string) error {
	dump, err := readDump(path)
	if err != nil {
		return err
	}
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return err
	}
	cfg.MultiStatements = true
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	if _, err := db.Exec(dump); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// leadingComments matches comments before a statement. Those that servers execute are
// settings that don't apply to the embedded engine.
var leadingComments = regexp.MustCompile(`^(?:\s+|--[^\n]*\n|(?s:/\*.*?\*/;?))+`)

// loadSQLite creates the tables and rows of a dump in a database of the embedded engine.
func loadSQLite(ctx context.Context, db *sql.DB, dump string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var last []string // indexes and triggers
	for statement := range strings.SplitSeq(dump, ";\n") {
		statement = leadingComments.ReplaceAllString(statement, "")
		verb, _, _ := strings.Cut(statement, " ")
		switch verb {
		case "CREATE":
			table, err := parseTable(statement)
			if err != nil {
				return err
			}
			if next := nextID.FindStringSubmatch(statement); next != nil {
				last = append(last, "DELETE FROM sqlite_sequence WHERE name = '"+table.Name+"'",
					"INSERT INTO sqlite_sequence (name, seq) VALUES ('"+table.Name+"', "+next[1]+" - 1)")
			}
			made := table.SQLite(collation.Name)
			statement, last = made[0], append(last, made[1:]...)
		case "INSERT":
			statement = quotedText.ReplaceAllStringFunc(statement, sqliteText)
		case "DROP":
		case "", "LOCK", "UNLOCK", "SET":
			continue
		default:
			return fmt.Errorf("a dump has no statement like %.60s", statement)
		}
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	for _, statement := range last {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	return tx.Commit()
}

var (
	quotedText = regexp.MustCompile(`'(?:[^'\\]|\\.|'')*'`)
	unescape   = strings.NewReplacer(`''`, `'`, `\0`, "\x00", `\n`, "\n", `\r`, "\r", `\t`, "\t", `\Z`, "\x1a", `\'`, `'`, `\"`, `"`, `\\`, `\`)
)

// sqliteText converts a text literal of MySQL for SQLite, whose texts have no escapes and
// no NUL.
func sqliteText(literal string) string {
	text := unescape.Replace(literal[1 : len(literal)-1])
	if strings.Contains(text, "\x00") {
		return "CAST(x'" + hex.EncodeToString([]byte(text)) + "' AS TEXT)"
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

var (
	tableLine   = regexp.MustCompile("^CREATE TABLE `([^`]+)` \\($")
	columnLine  = regexp.MustCompile("^  `([^`]+)` ([a-z]+(?:\\([^)]*\\))?(?: unsigned)?)((?: .+?)?),?$")
	defaultText = regexp.MustCompile(` DEFAULT ('(?:[^']|'')*'|\S+)`)
	keyLine     = regexp.MustCompile("^  (PRIMARY |UNIQUE |)KEY (?:`([^`]+)` )?\\((.+)\\),?$")
	keyColumn   = regexp.MustCompile("`([^`]+)`(?:\\((\\d+)\\))?")
	nextID      = regexp.MustCompile(` AUTO_INCREMENT=(\d+) `)
)

// parseTable parses a CREATE TABLE statement.
func parseTable(statement string) (t ddl.Table, err error) {
	for line := range strings.SplitSeq(statement, "\n") {
		if m := tableLine.FindStringSubmatch(line); m != nil {
			t.Name = m[1]
		} else if m := columnLine.FindStringSubmatch(line); m != nil {
			c := ddl.Column{Name: m[1], Type: m[2]}
			attributes := defaultText.ReplaceAllStringFunc(m[3], func(text string) string {
				c.Default = strings.TrimPrefix(text, " DEFAULT ")
				return ""
			})
			c.NotNull = strings.Contains(attributes, " NOT NULL")
			c.AutoIncrement = strings.Contains(attributes, " AUTO_INCREMENT")
			c.TouchOnUpdate = strings.Contains(attributes, " ON UPDATE ")
			t.Columns = append(t.Columns, c)
		} else if m := keyLine.FindStringSubmatch(line); m != nil {
			k := ddl.Key{Kind: map[string]ddl.KeyKind{"PRIMARY ": ddl.Primary, "UNIQUE ": ddl.Unique}[m[1]], Name: m[2]}
			for _, column := range keyColumn.FindAllStringSubmatch(m[3], -1) {
				prefix, _ := strconv.Atoi(column[2])
				k.Columns = append(k.Columns, ddl.KeyColumn{Name: column[1], Prefix: prefix})
			}
			t.Keys = append(t.Keys, k)
		} else if !strings.HasPrefix(line, ") ENGINE=") {
			return t, fmt.Errorf("table %s: a dump has no line like %q", t.Name, line)
		}
	}
	return t, nil
}
