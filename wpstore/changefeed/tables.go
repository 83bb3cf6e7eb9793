package changefeed

import (
	"cmp"
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/table"
)

// tablesConfig names the tables that are followed.
type tablesConfig struct {
	Schema string // the name of the database
	// Names are the physical names of tables.
	Names table.Names
	// Followed are the tables whose rows matter. Of Optional tables only their existence
	// matters.
	Followed []rowtags.Table
	Optional []string
	// Others is set if changes of tables that aren't followed are noted by name.
	Others bool
	Query  rowtags.Query
	Logger *slog.Logger
}

// Tables holds the tables that are followed and the positions of their columns. Only
// [Tables.Logged] and [Tables.Physical] may be called concurrently with other methods.
type Tables struct {
	schema string
	query  rowtags.Query
	logger *slog.Logger
	warned bool // that the columns can't be read
	// followed are by physical name in lower case, since some servers lower it. optional
	// are the names of tables of which only the existence matters.
	followed map[string]*followed
	optional []string
	// others is set if changes of tables that aren't followed are noted. names has their short names.
	others bool
	names  table.Names
}

// followed is a table whose changes matter.
type followed struct {
	rowtags.Table
	physical string // name
	// rows and altered are a Count.
	rows, altered atomic.Uint64
	layout        *layout // nil until the server was queried
	// fits is set if the log's description of the table matches the layout.
	fits bool
}

// Count counts what the log has contained about a table: its rows and the statements that
// change rows, and other statements that name it.
type Count struct{ Rows, Altered uint64 }

// newTables returns tables whose columns are not known yet.
func newTables(cfg tablesConfig) *Tables {
	t := &Tables{schema: cfg.Schema, query: cfg.Query, logger: cfg.Logger, followed: map[string]*followed{}, others: cfg.Others, names: cfg.Names}
	for _, name := range cfg.Optional {
		t.optional = append(t.optional, strings.ToLower(cfg.Names.Plain(name)))
	}
	for _, table := range cfg.Followed {
		t.followed[strings.ToLower(cfg.Names.Plain(table.Name))] = &followed{Table: table, physical: cfg.Names.Plain(table.Name)}
	}
	return t
}

// Columns returns the columns of a table to decode; nil for a table that isn't followed.
func (t *Tables) Columns(ctx context.Context, described *binlog.Table) []int {
	if !strings.EqualFold(described.Schema, t.schema) {
		return nil
	}
	table := t.followed[strings.ToLower(described.Name)]
	switch {
	case table == nil && t.wantsOther(described.Schema, described.Name):
		return []int{}
	case table == nil:
		return nil
	}
	if !table.layout.fits(described) {
		if err := t.read(ctx); err != nil && ctx.Err() == nil && !t.warned {
			t.warned = true
			t.logger.WarnContext(ctx, "the columns of the site's tables cannot be read; a change of any of them counts as a change of everything", "error", err)
		}
	}
	table.fits = table.layout.fits(described)
	if !table.fits {
		return []int{}
	}
	return table.layout.ordinals
}

// read queries the server for the positions of the columns. One query.
func (t *Tables) read(ctx context.Context) error {
	t.Forget()
	columns := map[string]map[int]string{}
	all := dialect.OfSchema(t.schema, "columns", []string{"LOWER(table_name)", "ordinal_position", "LOWER(column_name)", "COALESCE(character_set_name, '')"}, t.Physical())
	err := t.query(ctx, "feed.columns", all, func(rows *sql.Rows) error {
		var table, column, charset string
		var position int
		err := rows.Scan(&table, &position, &column, &charset)
		if isWide(charset) {
			column = "" // treated like a missing column
		}
		if columns[table] == nil {
			columns[table] = map[int]string{}
		}
		columns[table][position] = column
		return err
	})
	if err != nil {
		return err
	}
	for name, at := range columns {
		var present []string
		for _, position := range slices.Sorted(maps.Keys(at)) {
			present = append(present, at[position])
		}
		table := t.followed[name]
		wanted := slices.Clone(table.Columns)
		if key := strings.ToLower(table.Key); key != "" && slices.Contains(present, key) {
			wanted = append(wanted, key)
		}
		table.layout = newLayout(wanted, present)
	}
	return nil
}

// isWide reports whether a character set encodes ASCII in more than one byte. Texts in the
// log are in the character set of their column. Names compared with them are ASCII, which
// has the same bytes in all other sets.
func isWide(charset string) bool {
	switch charset {
	case "ucs2", "utf16", "utf16le", "utf32":
		return true
	}
	return false
}

// Forget drops all layouts. It is called when tables have been altered.
func (t *Tables) Forget() {
	for _, table := range t.followed {
		table.layout = nil
	}
}

// NoteRows adds the changes of one table's rows.
func (t *Tables) NoteRows(c *rowtags.Changes, rows *binlog.Rows) {
	table := t.followed[strings.ToLower(rows.Table.Name)]
	if table == nil {
		t.noteOther(c, rows.Table.Name)
		return
	}
	table.rows.Add(1)
	if !table.fits {
		c.Everything()
		return
	}
	images := 1
	if rows.Action == binlog.Update {
		images = 2
	}
	for change := range slices.Chunk(rows.Images, images) {
		wanted := make([]rowtags.Row, len(change))
		for i, image := range change {
			wanted[i] = make(rowtags.Row, len(table.layout.order))
			for column, at := range table.layout.order {
				wanted[i][column] = image[at]
			}
		}
		table.NoteRow(c, rows.Action, wanted)
		if c.IsEverything() {
			return
		}
	}
}

// wantsOther reports whether changes of a table that isn't followed are noted: it is in this database, and
// belongs to no other site of the network.
func (t *Tables) wantsOther(schema, table string) bool {
	if !t.others || !strings.EqualFold(schema, t.schema) {
		return false
	}
	_, foreign := t.names.Short(table)
	return !foreign
}

// noteOther notes a change of a table that isn't followed.
func (t *Tables) noteOther(c *rowtags.Changes, table string) {
	if name, foreign := t.names.Short(table); t.others && !foreign {
		c.Other(name)
	}
}

// NoteStatement adds what a statement in the log may change. altered is set if tables may
// have other columns now.
//
// With binlog_format=MIXED most changes of rows are statements too. A statement that
// changes rows of a table that isn't followed changes nothing. One that changes options
// changes those that it names, or all. Every other one changes everything. Rows that a
// trigger changes along with it aren't seen, nor those that change through a view;
// WordPress has neither.
func (t *Tables) NoteStatement(c *rowtags.Changes, schema, statement string) (altered bool) {
	if target, ok := parseDML(statement); ok {
		if target.schema == "" {
			target.schema = schema
		}
		if !strings.EqualFold(target.schema, t.schema) {
			return false
		}
		table := t.followed[strings.ToLower(target.table)]
		if table == nil {
			t.noteOther(c, target.table)
			return false
		}
		table.rows.Add(1)
		if table.Name != "options" {
			c.Everything()
		} else if name, ok := optionOf(statement); !ok || !table.Note(c, []rowtags.Row{{{Kind: binlog.Bytes, Bytes: []byte(name)}}}) {
			table.NoteGone(c, 0)
		}
		return false
	}
	for name, table := range t.followed {
		if strings.Contains(strings.ToLower(statement), name) {
			table.altered.Add(1)
		}
	}
	if t.affectedBy(schema, statement) {
		c.Everything()
		return true
	}
	if target, ok := named(alteredTable, statement); ok && strings.EqualFold(cmp.Or(target.schema, schema), t.schema) {
		t.noteOther(c, target.table)
	}
	return false
}

// affectedBy reports whether a statement that isn't plain may change the site's tables.
func (t *Tables) affectedBy(schema, statement string) bool {
	lower := strings.ToLower(statement)
	names := func(table string) bool { return strings.Contains(lower, table) }
	switch reachOf(statement) {
	case nothing:
		return false
	case tablesNamed:
		return slices.ContainsFunc(slices.Collect(maps.Keys(t.followed)), names) || slices.ContainsFunc(t.optional, names)
	case schemaNamed:
		return strings.EqualFold(schema, t.schema) || names(strings.ToLower(t.schema))
	}
	return true
}

// Logged returns the counts of what the log has contained about each table.
func (t *Tables) Logged() map[string]Count {
	counts := map[string]Count{}
	for name, table := range t.followed {
		counts[name] = Count{table.rows.Load(), table.altered.Load()}
	}
	return counts
}

// Physical returns the names of the tables.
func (t *Tables) Physical() []string {
	var names []string
	for _, table := range t.followed {
		names = append(names, table.physical)
	}
	return names
}
