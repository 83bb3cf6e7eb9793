package changefeed

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn"
)

// maxTaxonomies bounds the cache of a resolver.
const maxTaxonomies = 1 << 14

// resolver completes changes: it looks up the terms that the log names only by
// term_taxonomy_id, and finds out whether changed terms are languages.
type resolver struct {
	run   *sqlconn.Runner
	table string // term_taxonomy
	roles map[string]TaxonomyRole
	terms map[int64]termOf // cached, by term_taxonomy_id
}

// termOf is a term in a taxonomy.
type termOf struct {
	term     int64
	taxonomy string
}

func newResolver(cfg *Config, run *sqlconn.Runner) *resolver {
	return &resolver{run: run, table: cfg.Tables.Quoted("term_taxonomy"), roles: cfg.taxonomies(), terms: map[int64]termOf{}}
}

// resolve completes changes. No query where all terms are cached.
func (r *resolver) resolve(ctx context.Context, c *Changes) error {
	if c.everything {
		clear(r.terms)
		return nil
	}
	for id := range c.taxonomies {
		delete(r.terms, id)
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

// relation adds what a changed relation means, which depends on the taxonomy.
func (r *resolver) relation(c *Changes, rel relation) {
	taxonomy := r.terms[rel.taxonomy].taxonomy
	role := r.roles[taxonomy]
	deleted := taxonomy == "" // meanwhile: the object may be either
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

// lookUp caches the terms of all term_taxonomy_ids. One query, none where all are cached.
func (r *resolver) lookUp(ctx context.Context, c *Changes) error {
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
	return query(ctx, r.run, "feed.taxonomies", terms, func(rows *sql.Rows) error {
		var id int64
		var t termOf
		err := rows.Scan(&id, &t.term, &t.taxonomy)
		r.terms[id] = t
		return err
	})
}

// languages adds a change of the site if a changed term is a language. One query, none
// where no term's row changed.
func (r *resolver) languages(ctx context.Context, c *Changes) error {
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
	return query(ctx, r.run, "feed.languages", languages, func(rows *sql.Rows) error {
		var n int
		err := rows.Scan(&n)
		if n > 0 {
			c.Set(invalidation.Site)
		}
		return err
	})
}
