package sitedb

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/binlog"
)

// followed is a table whose changes matter.
type followed struct {
	columns []string // in the order in which hear gets them
	hear    func(*heard, rowChange) bool
	// layout is what the server says about the table; nil: not asked yet.
	layout *layout
	// fits says that the log's description of the table agrees with the layout.
	fits bool
}

// layout is where the columns of a table are.
type layout struct {
	columns  int
	ordinals []int // of those followed, ascending
	order    []int // for each of followed.columns, which of the ordinals it is
}

// rowChange is what happened to a row: one image, or those before and after. What
// hear returns is false when a value is missing or of an unexpected type.
type rowChange []rowImage

// rowImage are the followed columns of a row.
type rowImage []binlog.Value

// id is a number; NULL is 0.
func (r rowImage) id(column int) (int64, bool) {
	v := r[column]
	return v.Int, v.Kind == binlog.Integer || v.Kind == binlog.Null
}

// text is a text; NULL is "".
func (r rowImage) text(column int) (string, bool) {
	v := r[column]
	return string(v.Bytes), v.Kind == binlog.Bytes || v.Kind == binlog.Null
}

// followedTables are the tables by physical name, in lower case, as some servers
// keep them.
func (f *feed) followedTables() map[string]*followed {
	tables := map[string]*followed{
		"posts":              {columns: []string{"ID", "post_type"}, hear: hearPost},
		"postmeta":           {columns: []string{"post_id", "meta_key"}, hear: hearPostMeta},
		"tec_events":         {columns: []string{"post_id"}, hear: hearPostOf},
		"tec_occurrences":    {columns: []string{"post_id"}, hear: hearPostOf},
		"term_relationships": {columns: []string{"object_id", "term_taxonomy_id"}, hear: hearRelation},
		"term_taxonomy":      {columns: []string{"term_taxonomy_id", "term_id", "taxonomy", "description"}, hear: hearTaxonomy},
		"terms":              {columns: []string{"term_id"}, hear: hearTerm},
		"termmeta":           {columns: []string{"term_id"}, hear: hearTerm},
		"users":              {columns: []string{"ID"}, hear: hearUser},
		"usermeta":           {columns: []string{"user_id"}, hear: hearUser},
		"options":            {columns: []string{"option_name"}, hear: hearNames(append([]string{f.db.blogPrefix() + "user_roles"}, siteOptions...))},
		"sitemeta":           {columns: []string{"meta_key"}, hear: hearNames(networkOptions)},
		"icl_translations":   {columns: []string{"element_type", "element_id"}, hear: hearElement},
		"icl_languages":      {hear: hearSite},
	}
	out := make(map[string]*followed, len(tables))
	for name, table := range tables {
		out[strings.ToLower(f.db.Table(name))] = table
	}
	return out
}

// columns answers the stream: which columns of a table to decode.
func (f *feed) columns(ctx context.Context, t *binlog.Table) []int {
	if !strings.EqualFold(t.Schema, f.schema) {
		return nil
	}
	table := f.tables[strings.ToLower(t.Name)]
	if table == nil {
		return nil
	}
	if table.layout == nil || table.layout.columns != t.Columns {
		if err := f.readLayouts(ctx); err != nil {
			f.db.cfg.Logger.WarnContext(ctx, "the columns of the site's tables cannot be read; every change of them counts as a change of everything", "error", err)
		}
	}
	table.fits = table.layout != nil && table.layout.columns == t.Columns
	if !table.fits {
		return []int{}
	}
	return table.layout.ordinals
}

// readLayouts asks the server where the columns are. One query.
func (f *feed) readLayouts(ctx context.Context) error {
	names := make([]string, 0, len(f.tables))
	for name, table := range f.tables {
		names, table.layout = append(names, name), nil
	}
	slices.Sort(names)
	columns := map[string][]string{}
	query := sq.Select("table_name", "column_name").From("information_schema.columns").
		Where(sq.Eq{"table_schema": f.schema, "LOWER(table_name)": names}).OrderBy("table_name", "ordinal_position")
	err := f.query(ctx, "feed.columns", query, func(rows *sql.Rows) error {
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
		f.tables[name].layout = newLayout(f.tables[name].columns, there)
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

// forgetLayouts is for when tables have been altered.
func (f *feed) forgetLayouts(stream *binlog.Stream) {
	for _, table := range f.tables {
		table.layout = nil
	}
	stream.Forget()
}

// rows takes the changes of one table.
func (f *feed) rows(h *heard, rows *binlog.Rows) {
	table := f.tables[strings.ToLower(rows.Table.Name)]
	if !table.fits {
		h.everything = true
		return
	}
	step := 1
	if rows.Action == binlog.Update {
		step = 2
	}
	for images := range slices.Chunk(rows.Images, step) {
		change := make(rowChange, len(images))
		for i, image := range images {
			change[i] = make(rowImage, len(table.columns))
			for column, at := range table.layout.order {
				change[i][column] = image[at]
			}
		}
		if !table.hear(h, change) {
			h.everything = true
		}
		if h.bound(); h.everything {
			return
		}
	}
}
