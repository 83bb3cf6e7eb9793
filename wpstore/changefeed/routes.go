package changefeed

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"calbridge/wpstore/binlog"
)

// routes finds the members that a change concerns. Only the reader uses them.
type routes struct {
	all []*follower
	// at are those that follow a table, by the name that lowerName returns. Sites of a network share
	// the tables of users and those of the network.
	at map[string][]*follower
}

// lowerName returns the name of a table in lower case, since some servers lower it.
func lowerName(schema, table string) string {
	return strings.ToLower(schema) + "." + strings.ToLower(table)
}

func newRoutes(all []*follower) *routes {
	r := &routes{all: all, at: map[string][]*follower{}}
	for _, f := range all {
		for name := range f.tables.followed {
			key := lowerName(f.tables.schema, name)
			r.at[key] = append(r.at[key], f)
		}
	}
	return r
}

// Columns returns the columns of a table to decode; nil for a table that nobody follows.
func (r *routes) Columns(ctx context.Context, described *binlog.Table) []int {
	var columns []int
	for i, f := range r.at[lowerName(described.Schema, described.Name)] {
		wanted := f.tables.Columns(ctx, described)
		if i == 0 {
			columns = wanted
		} else if !slices.Equal(columns, wanted) {
			f.tables.followed[strings.ToLower(described.Name)].fits = false
		}
	}
	if columns == nil && slices.ContainsFunc(r.all, func(f *follower) bool { return f.tables.wantsOther(described.Schema, described.Name) }) {
		return []int{}
	}
	return columns
}

// noteRows adds the changes of one table's rows to a batch.
func (r *routes) noteRows(b *batch, rows *binlog.Rows) {
	follow := r.at[lowerName(rows.Table.Schema, rows.Table.Name)]
	for _, f := range follow {
		if p := b.part(f); !p.IsEverything() {
			f.tables.NoteRows(&p.Changes, rows)
		}
	}
	if len(follow) > 0 { // it belongs to one of the sites
		return
	}
	for _, f := range r.all {
		if f.tables.wantsOther(rows.Table.Schema, rows.Table.Name) {
			f.tables.NoteRows(&b.part(f).Changes, rows)
		}
	}
}

// noteStatement adds what a statement in the log may change. altered is set if tables may have other
// columns now.
func (r *routes) noteStatement(b *batch, schema, statement string) (altered bool) {
	concerns := func(*follower) bool { return true }
	if target, ok := parseDML(statement); ok {
		at := cmp.Or(target.schema, schema)
		follow := r.at[lowerName(at, target.table)]
		concerns = func(f *follower) bool {
			return slices.Contains(follow, f) || len(follow) == 0 && f.tables.wantsOther(at, target.table)
		}
	}
	for _, f := range r.all {
		if concerns(f) && f.tables.NoteStatement(&b.part(f).Changes, schema, statement) {
			altered = true
		}
	}
	return altered
}

// everything marks everything as changed.
func (r *routes) everything(b *batch) {
	for _, f := range r.all {
		b.part(f).Everything()
	}
}

// forget drops all layouts.
func (r *routes) forget() {
	for _, f := range r.all {
		f.tables.Forget()
	}
}
