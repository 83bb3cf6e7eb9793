package sitedb

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/coherence"
)

// Changes names what a transaction wrote, for caches that hold it: those of
// WordPress beside us, and our own.
type Changes struct {
	Posts, Terms        []int64
	Taxonomies, Options []string
}

// Empty says that nothing was written that a cache could hold.
func (c Changes) Empty() bool {
	return len(c.Posts)+len(c.Terms)+len(c.Taxonomies)+len(c.Options) == 0
}

// touched collects the changes of a running transaction.
type touched struct {
	posts, terms, termTaxonomies, users map[int64]bool
	taxonomies, options                 map[string]bool
	// tables are physical names of all that was written to.
	tables map[string]bool
	// more says that rows of others changed along with those named, as the posts
	// that had a term do when it goes.
	more bool
}

func newTouched() *touched {
	return &touched{posts: map[int64]bool{}, terms: map[int64]bool{}, termTaxonomies: map[int64]bool{}, users: map[int64]bool{},
		taxonomies: map[string]bool{}, options: map[string]bool{}, tables: map[string]bool{}}
}

func (t *touched) row(table string, id int64) {
	switch table {
	case "posts":
		t.posts[id] = true
	case "terms":
		t.terms[id] = true
	}
}

// changes lists what was touched. Terms whose counts changed are known by their
// taxonomy ids only, so they are looked up, in the transaction.
func (tx *Tx) changes(ctx context.Context) (Changes, error) {
	t := tx.touched
	if len(t.termTaxonomies) > 0 {
		ids, err := tx.ids(ctx, "terms.of_taxonomy_ids", sq.Select("term_id").From(tx.table("term_taxonomy")).
			Where(idList("term_taxonomy_id", slices.Collect(maps.Keys(t.termTaxonomies)))))
		if err != nil {
			return Changes{}, err
		}
		for _, id := range ids {
			t.terms[id] = true
		}
	}
	return Changes{
		Posts: slices.Sorted(maps.Keys(t.posts)), Terms: slices.Sorted(maps.Keys(t.terms)),
		Taxonomies: slices.Sorted(maps.Keys(t.taxonomies)), Options: slices.Sorted(maps.Keys(t.options)),
	}, nil
}

// writes is the session of a transaction: it notes which tables are written to.
type writes struct {
	*sql.Tx
	*touched
}

// ExecContext implements session.
func (w writes) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	// The table is the first name in all statements that write.
	if _, after, ok := strings.Cut(query, "`"); ok {
		table, _, _ := strings.Cut(after, "`")
		w.touched.tables[table] = true
	}
	return w.Tx.ExecContext(ctx, query, args...)
}

// tags are what a transaction changed; false when that can't be told.
func (tx *Tx) tags(c Changes) ([]coherence.Tag, bool) {
	var tags []coherence.Tag
	all := func(kind coherence.Kind, ids []int64) {
		for _, id := range ids {
			tags = append(tags, coherence.Tag{Kind: kind, ID: id})
		}
	}
	sets := map[coherence.Kind]bool{}
	all(coherence.Post, c.Posts)
	all(coherence.Term, c.Terms)
	all(coherence.User, slices.Collect(maps.Keys(tx.touched.users)))
	names := map[string]string{}
	for _, table := range append(append(slices.Clone(tablesWritten), wpmlTablesWritten...), "usermeta") {
		names[tx.Table(table)] = table
	}
	for table := range tx.touched.tables {
		switch names[table] {
		case "posts", "postmeta", "tec_events", "tec_occurrences":
			sets[coherence.Posts] = true
		case "term_relationships":
			sets[coherence.Posts], sets[coherence.Translations] = true, true
		case "terms", "termmeta":
			sets[coherence.Terms] = true
		case "term_taxonomy":
			sets[coherence.Terms], sets[coherence.Translations] = true, true
		case "icl_translations":
			sets[coherence.Posts], sets[coherence.Terms], sets[coherence.Translations] = true, true, true
		case "options":
			if slices.ContainsFunc(c.Options, func(name string) bool { return slices.Contains(siteOptions, name) }) {
				sets[coherence.Site] = true
			}
		case "usermeta", "comments", "commentmeta":
		default:
			if !slices.Contains(jobTables, names[table]) {
				return nil, false
			}
		}
	}
	if tx.touched.more || sets[coherence.Posts] && len(c.Posts)+len(c.Terms) == 0 {
		return nil, false
	}
	for kind := range sets {
		tags = append(tags, coherence.Tag{Kind: kind})
	}
	return tx.withEvents(tags), true
}

// tell tells the ledger what was committed.
func (tx *Tx) tell(c Changes) {
	if tags, known := tx.tags(c); known {
		tx.cfg.Ledger.Changed(tags...)
		return
	}
	tx.cfg.Ledger.Everything()
}
