package changefeed

import (
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/sqlconn"
)

// tables are the tables that are followed, and where their columns are.
type tables struct {
	schema string
	run    *sqlconn.Runner
	logger *slog.Logger
	// followed are by physical name, in lower case, as some servers have them; optional
	// are names of those of which only whether they exist is read.
	followed map[string]*followed
	optional []string
}

// followed is a table whose changes matter.
type followed struct {
	Table
	// layout is what the server says about the table; nil: not asked yet.
	layout *layout
	// fits says that the log's description of the table agrees with the layout.
	fits bool
}

// layout is where the columns of a table are.
type layout struct {
	columns  int
	ordinals []int // of those followed, ascending
	order    []int // for each of Table.Columns, which of the ordinals it is
}

// newTables are the tables of a site in a database.
func newTables(cfg *Config, database string, run *sqlconn.Runner) *tables {
	t := &tables{schema: database, run: run, logger: cfg.Servers.Logger(), followed: map[string]*followed{}}
	all := siteTables(cfg.Options, cfg.NetworkOptions, cfg.filings())
	for _, plugin := range cfg.Plugins {
		all = append(all, plugin.Tables...)
		for _, name := range plugin.Optional {
			t.optional = append(t.optional, strings.ToLower(cfg.Tables.Plain(name)))
		}
	}
	for _, table := range all {
		t.followed[strings.ToLower(cfg.Tables.Plain(table.Name))] = &followed{Table: table}
	}
	return t
}

// columns answers the stream: which columns of a table to decode.
func (t *tables) columns(ctx context.Context, described *binlog.Table) []int {
	if !strings.EqualFold(described.Schema, t.schema) {
		return nil
	}
	table := t.followed[strings.ToLower(described.Name)]
	if table == nil {
		return nil
	}
	if table.layout == nil || table.layout.columns != described.Columns {
		if err := t.readLayouts(ctx); err != nil {
			t.logger.WarnContext(ctx, "the columns of the site's tables cannot be read; every change of them counts as a change of everything", "error", err)
		}
	}
	table.fits = table.layout != nil && table.layout.columns == described.Columns
	if !table.fits {
		return []int{}
	}
	return table.layout.ordinals
}

// readLayouts asks the server where the columns are. One query.
func (t *tables) readLayouts(ctx context.Context) error {
	t.forget()
	columns := map[string][]string{}
	query := sq.Select("table_name", "column_name").From("information_schema.columns").
		Where(sq.Eq{"table_schema": t.schema, "LOWER(table_name)": slices.Sorted(maps.Keys(t.followed))}).OrderBy("table_name", "ordinal_position")
	err := ask(ctx, t.run, "feed.columns", query, func(rows *sql.Rows) error {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return err
		}
		table = strings.ToLower(table)
		columns[table] = append(columns[table], strings.ToLower(column))
		return nil
	})
	if err != nil {
		return err
	}
	for name, there := range columns {
		t.followed[name].layout = newLayout(t.followed[name].Columns, there)
	}
	return nil
}

// newLayout finds columns among those that are there; nil when one is not.
func newLayout(wanted, there []string) *layout {
	l := &layout{columns: len(there), ordinals: []int{}}
	for _, column := range wanted {
		i := slices.Index(there, strings.ToLower(column))
		if i < 0 {
			return nil
		}
		l.ordinals = append(l.ordinals, i)
	}
	order := slices.Clone(l.ordinals)
	slices.Sort(l.ordinals)
	for i, ordinal := range order {
		order[i] = slices.Index(l.ordinals, ordinal)
	}
	l.order = order
	return l
}

// forget is for when tables have been altered.
func (t *tables) forget() {
	for _, table := range t.followed {
		table.layout = nil
	}
}

// note notes the changes of one table.
func (t *tables) note(c *Changes, rows *binlog.Rows) {
	table := t.followed[strings.ToLower(rows.Table.Name)]
	if !table.fits {
		c.everything = true
		return
	}
	step := 1
	if rows.Action == binlog.Update {
		step = 2
	}
	for images := range slices.Chunk(rows.Images, step) {
		change := make([]Row, len(images))
		for i, image := range images {
			change[i] = make(Row, len(table.Columns))
			for column, at := range table.layout.order {
				change[i][column] = image[at]
			}
		}
		if !table.Note(c, change) {
			c.everything = true
		}
		if c.bound(); c.everything {
			return
		}
	}
}

// harmlessStatements change nothing that answers are made of.
var harmlessStatements = []string{
	"CREATE TEMPORARY ", "DROP TEMPORARY ", "DROP /*!40005 TEMPORARY */ ",
	"FLUSH ", "ANALYZE ", "OPTIMIZE ", "CREATE USER ", "ALTER USER ", "DROP USER ", "GRANT ", "REVOKE ", "SET PASSWORD ",
}

// tableStatements are those that name the table that they change.
var tableStatements = []string{
	"CREATE TABLE ", "CREATE OR REPLACE TABLE ", "ALTER TABLE ", "DROP TABLE ", "TRUNCATE ", "RENAME TABLE ",
	"CREATE INDEX ", "CREATE UNIQUE INDEX ", "DROP INDEX ",
}

// concerns says whether what the log holds as SQL may change the site's tables; in
// doubt it does.
func (t *tables) concerns(schema, text string) bool {
	start := strings.ToUpper(strings.TrimSpace(text))
	begins := func(prefixes []string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(start, p) })
	}
	lower := strings.ToLower(text)
	switch {
	case begins(harmlessStatements):
		return false
	case begins(tableStatements):
		for name := range t.followed {
			if strings.Contains(lower, name) {
				return true
			}
		}
		return slices.ContainsFunc(t.optional, func(name string) bool { return strings.Contains(lower, name) })
	}
	return strings.EqualFold(schema, t.schema) || strings.Contains(lower, strings.ToLower(t.schema))
}
