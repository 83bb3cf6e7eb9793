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

// layouts are the tables that are followed, and where their columns are.
type layouts struct {
	schema string
	run    *sqlconn.Runner
	logger *slog.Logger
	// followed are by physical name in lower case, since some servers lower it;
	// optional are the names of tables of which only whether they exist matters.
	followed map[string]*followed
	optional []string
}

// followed is a table whose changes matter.
type followed struct {
	Table
	watched bool
	layout  *layout // nil until the server was asked
	// fits: the log's description of the table agrees with the layout.
	fits bool
}

// layout is where the columns of a table are.
type layout struct {
	columns  int   // of the table
	ordinals []int // of those followed, ascending
	order    []int // for each of Table.Columns, the index of its ordinal
}

// newLayouts are those of a site's tables in a database.
func newLayouts(cfg *Config, database string, run *sqlconn.Runner) *layouts {
	l := &layouts{schema: database, run: run, logger: cfg.Servers.Logger(), followed: map[string]*followed{}}
	all := wordPressTables(cfg)
	for _, plugin := range cfg.Plugins {
		all = append(all, plugin.Tables...)
		for _, name := range plugin.Optional {
			l.optional = append(l.optional, strings.ToLower(cfg.Tables.Plain(name)))
		}
	}
	for _, table := range all {
		l.followed[strings.ToLower(cfg.Tables.Plain(table.Name))] = &followed{Table: table, watched: slices.Contains(cfg.Watched, table.Name)}
	}
	return l
}

// columns returns which columns of a table to decode: nil for a table that isn't
// followed.
func (l *layouts) columns(ctx context.Context, described *binlog.Table) []int {
	table := l.followed[strings.ToLower(described.Name)]
	if table == nil || !strings.EqualFold(described.Schema, l.schema) {
		return nil
	}
	if table.layout == nil || table.layout.columns != described.Columns {
		if err := l.read(ctx); err != nil {
			l.logger.WarnContext(ctx, "the columns of the site's tables cannot be read; a change of any of them counts as a change of everything", "error", err)
		}
	}
	table.fits = table.layout != nil && table.layout.columns == described.Columns
	if !table.fits {
		return []int{}
	}
	return table.layout.ordinals
}

// read asks the server where the columns are. One query.
func (l *layouts) read(ctx context.Context) error {
	l.forget()
	columns := map[string][]string{}
	all := sq.Select("LOWER(table_name)", "LOWER(column_name)", "COALESCE(character_set_name, '')").From("information_schema.columns").
		Where(sq.Eq{"table_schema": l.schema, "LOWER(table_name)": slices.Sorted(maps.Keys(l.followed))}).OrderBy("table_name", "ordinal_position")
	err := query(ctx, l.run, "feed.columns", all, func(rows *sql.Rows) error {
		var table, column, charset string
		err := rows.Scan(&table, &column, &charset)
		if slices.Contains(wideCharsets, charset) {
			column = "" // as good as missing
		}
		columns[table] = append(columns[table], column)
		return err
	})
	if err != nil {
		return err
	}
	for name, present := range columns {
		l.followed[name].layout = newLayout(l.followed[name].Columns, present)
	}
	return nil
}

// wideCharsets have ASCII in more than one byte. The log has texts in the character set of
// their column; names compared with them are ASCII, and the same bytes in all others.
var wideCharsets = []string{"ucs2", "utf16", "utf16le", "utf32"}

// newLayout finds the wanted columns among those present; it returns nil if one is
// missing.
func newLayout(wanted, present []string) *layout {
	l := &layout{columns: len(present), ordinals: []int{}}
	for _, column := range wanted {
		i := slices.Index(present, strings.ToLower(column))
		if i < 0 {
			return nil
		}
		l.ordinals = append(l.ordinals, i)
	}
	l.order = slices.Clone(l.ordinals)
	slices.Sort(l.ordinals)
	for i, ordinal := range l.order {
		l.order[i] = slices.Index(l.ordinals, ordinal)
	}
	return l
}

// forget drops all layouts: tables have been altered.
func (l *layouts) forget() {
	for _, table := range l.followed {
		table.layout = nil
	}
}

// note adds the changes of one table's rows.
func (l *layouts) note(c *Changes, rows *binlog.Rows) {
	table := l.followed[strings.ToLower(rows.Table.Name)]
	if !table.fits {
		c.everything = true
		return
	}
	images := 1
	if rows.Action == binlog.Update {
		images = 2
	}
	for change := range slices.Chunk(rows.Images, images) {
		wanted := make([]Row, len(change))
		for i, image := range change {
			wanted[i] = make(Row, len(table.Columns))
			for column, at := range table.layout.order {
				wanted[i][column] = image[at]
			}
		}
		if !table.Note(c, wanted) {
			c.everything = true
		}
		if c.bound(); c.everything {
			return
		}
	}
}

// watches says whether a table is watched.
func (l *layouts) watches(table *binlog.Table) bool {
	return l.followed[strings.ToLower(table.Name)].watched
}
