package rowtags

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn"
)

// maxTaxonomies limits the cache of a resolver.
const maxTaxonomies = 1 << 14

// Query runs a query within a short time, and calls scan for each row.
type Query func(ctx context.Context, name string, b sq.Sqlizer, scan func(*sql.Rows) error) error

// Resolver completes changes. It reads rows for which the log has only some columns, looks
// up the terms that the log identifies only by term_taxonomy_id, and determines whether
// changed terms are languages.
//
// It reads rows as they are now. A row that has changed again, or has been deleted, has
// another change later in the log.
type Resolver struct {
	query  Query
	quoted func(table string) string
	table  string // term_taxonomy
	roles  map[string]TaxonomyRole
	terms  map[int64]termOf // cached, by term_taxonomy_id
}

// termOf is a term in a taxonomy.
type termOf struct {
	term     int64
	taxonomy string
}

// NewResolver returns a resolver. quoted returns the name of a table in SQL. roles are the
// roles of the taxonomies of language plugins, by name.
func NewResolver(query Query, quoted func(table string) string, roles map[string]TaxonomyRole) *Resolver {
	return &Resolver{query: query, quoted: quoted, table: quoted("term_taxonomy"), roles: roles, terms: map[int64]termOf{}}
}

// Resolve completes changes. It runs no query if all terms are cached.
func (r *Resolver) Resolve(ctx context.Context, c *Changes) error {
	if err := r.readPartial(ctx, c); err != nil {
		return err
	}
	if c.bound(); c.everything {
		clear(r.terms)
		return nil
	}
	for id, now := range c.taxonomies {
		delete(r.terms, id)
		if now.term != 0 {
			r.terms[id] = now
		}
	}
	if err := r.lookUp(ctx, c); err != nil {
		return err
	}
	for rel := range c.relations {
		r.relation(c, rel)
	}
	for id := range c.termsOf {
		if t := r.terms[id]; t.term != 0 {
			c.Term(t.term)
		}
	}
	return r.languages(ctx, c)
}

// readPartial reads the rows for which the log has only some columns, and adds what they
// mean. One query for each table, usually none.
func (r *Resolver) readPartial(ctx context.Context, c *Changes) error {
	rows := map[*Table]map[int64]bool{} // whether it was added, by key
	for row := range c.partial {
		if rows[row.table] == nil {
			rows[row.table] = map[int64]bool{}
		}
		rows[row.table][row.key] = rows[row.table][row.key] || row.added
	}
	for table, wanted := range rows {
		if c.everything {
			return nil
		}
		if err := r.readTable(ctx, c, table, wanted); err != nil {
			return err
		}
	}
	return nil
}

// readTable reads rows of one table by their keys. For rows that no longer exist, only the
// keys are known.
func (r *Resolver) readTable(ctx context.Context, c *Changes, table *Table, wanted map[int64]bool) error {
	current := sq.Select(table.Key).Columns(table.Columns...).From(r.quoted(table.Name)).
		Where(sqlconn.IDList(table.Key, slices.Collect(maps.Keys(wanted))))
	err := r.query(ctx, "feed.rows", current, func(rows *sql.Rows) error {
		var key int64
		values := make([]sql.NullString, len(table.Columns))
		into := []any{&key}
		for i := range values {
			into = append(into, &values[i])
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		row := make(Row, len(values))
		for i, v := range values {
			row[i] = binlog.Value{Kind: binlog.Null}
			if v.Valid {
				row[i] = binlog.Value{Kind: binlog.Bytes, Bytes: []byte(v.String)}
			}
		}
		change := []Row{row}
		if !wanted[key] {
			change = append(change, row) // as it was, in these columns
		}
		if !table.Note(c, change) {
			c.everything = true
		}
		delete(wanted, key)
		return nil
	})
	for key := range wanted {
		table.NoteGone(c, key)
	}
	return err
}

// relation adds what a changed relation means. That depends on the taxonomy.
func (r *Resolver) relation(c *Changes, rel relation) {
	taxonomy := r.terms[rel.taxonomy].taxonomy
	role := r.roles[taxonomy]
	deleted := taxonomy == "" // deleted meanwhile: the object may be a post or a term
	if deleted || role == TermLanguage || role == TermGroup {
		c.Term(rel.object)
	}
	if deleted || role == PostLanguage || role == PostGroup {
		c.Set(invalidation.Translations)
	}
	if deleted || role != TermLanguage && role != TermGroup {
		c.Post(rel.object)
	}
}

// lookUp caches the terms of all term_taxonomy_ids. One query, or none if all are cached.
func (r *Resolver) lookUp(ctx context.Context, c *Changes) error {
	if len(r.terms) > maxTaxonomies {
		clear(r.terms)
	}
	wanted := maps.Clone(c.termsOf)
	for rel := range c.relations {
		wanted.add(rel.taxonomy)
	}
	maps.DeleteFunc(wanted, func(id int64, _ struct{}) bool { _, cached := r.terms[id]; return cached })
	if len(wanted) == 0 {
		return nil
	}
	terms := sq.Select("term_taxonomy_id", "term_id", "taxonomy").From(r.table).
		Where(sqlconn.IDList("term_taxonomy_id", slices.Collect(maps.Keys(wanted))))
	return r.query(ctx, "feed.taxonomies", terms, func(rows *sql.Rows) error {
		var id int64
		var t termOf
		err := rows.Scan(&id, &t.term, &t.taxonomy)
		r.terms[id] = t
		return err
	})
}

// languages adds a change of the site if a changed term is a language. One query, or none
// if no term's row changed.
func (r *Resolver) languages(ctx context.Context, c *Changes) error {
	var taxonomies []string
	for taxonomy, role := range r.roles {
		if role == PostLanguage || role == TermLanguage {
			taxonomies = append(taxonomies, taxonomy)
		}
	}
	if len(c.terms) == 0 || len(taxonomies) == 0 {
		return nil
	}
	slices.Sort(taxonomies)
	languages := sq.Select("COUNT(*)").From(r.table).
		Where(sqlconn.IDList("term_id", slices.Collect(maps.Keys(c.terms)))).
		Where(sq.Eq{"taxonomy": taxonomies})
	return r.query(ctx, "feed.languages", languages, func(rows *sql.Rows) error {
		var n int
		err := rows.Scan(&n)
		if n > 0 {
			c.Set(invalidation.Site)
		}
		return err
	})
}
