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

// maxTaxonomies bounds what is remembered of terms.
const maxTaxonomies = 1 << 14

// resolver finds out what the log names only by ids of taxonomies, and whether terms
// are languages.
type resolver struct {
	run     *sqlconn.Runner
	table   string // term_taxonomy
	filings map[string]Filing
	known   map[int64]termOf // by taxonomy id
}

// termOf is a term in a taxonomy.
type termOf struct {
	term     int64
	taxonomy string
}

func newResolver(cfg *Config, run *sqlconn.Runner) *resolver {
	return &resolver{run: run, table: cfg.Tables.Quoted("term_taxonomy"), filings: cfg.filings(), known: map[int64]termOf{}}
}

// resolve completes changes. No query where the taxonomies are remembered.
func (r *resolver) resolve(ctx context.Context, c *Changes) error {
	if c.everything {
		clear(r.known)
		return nil
	}
	for id := range c.taxonomies {
		delete(r.known, id)
	}
	if err := r.lookUp(ctx, c); err != nil {
		return err
	}
	for rel := range c.relations {
		t := r.known[rel.taxonomy]
		switch filing := r.filings[t.taxonomy]; {
		case t.taxonomy == "": // gone meanwhile
			c.Post(rel.object)
			c.Term(rel.object)
			c.Set(invalidation.Translations)
		case filing == TermLanguage, filing == TermGroup:
			c.Term(rel.object)
		case filing == PostLanguage, filing == PostGroup:
			c.Post(rel.object)
			c.Set(invalidation.Translations)
		default:
			c.Post(rel.object)
		}
	}
	for id := range c.termsOf {
		if t := r.known[id]; t.term != 0 {
			c.Term(t.term)
		}
	}
	return r.languages(ctx, c)
}

// lookUp looks taxonomy ids up. One query, none where all are remembered.
func (r *resolver) lookUp(ctx context.Context, c *Changes) error {
	if len(r.known) > maxTaxonomies {
		clear(r.known)
	}
	var ids []int64
	want := func(id int64) {
		if _, ok := r.known[id]; !ok {
			ids = append(ids, id)
		}
	}
	for rel := range c.relations {
		want(rel.taxonomy)
	}
	for id := range c.termsOf {
		want(id)
	}
	if len(ids) == 0 {
		return nil
	}
	query := sq.Select("term_taxonomy_id", "term_id", "taxonomy").From(r.table).
		Where(sqlconn.IDList("term_taxonomy_id", sqlconn.DistinctIDs(ids)))
	return ask(ctx, r.run, "feed.taxonomies", query, func(rows *sql.Rows) error {
		var id int64
		var t termOf
		if err := rows.Scan(&id, &t.term, &t.taxonomy); err != nil {
			return err
		}
		r.known[id] = t
		return nil
	})
}

// languages looks whether changed terms are languages. One query, none where no
// term's row changed.
func (r *resolver) languages(ctx context.Context, c *Changes) error {
	var taxonomies []string
	for taxonomy, filing := range r.filings {
		if filing == PostLanguage || filing == TermLanguage {
			taxonomies = append(taxonomies, taxonomy)
		}
	}
	if len(c.terms) == 0 || len(taxonomies) == 0 {
		return nil
	}
	slices.Sort(taxonomies)
	query := sq.Select("COUNT(*)").From(r.table).
		Where(sqlconn.IDList("term_id", slices.Collect(maps.Keys(c.terms)))).
		Where(sq.Eq{"taxonomy": taxonomies})
	return ask(ctx, r.run, "feed.languages", query, func(rows *sql.Rows) error {
		var n int
		if err := rows.Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			c.Set(invalidation.Site)
		}
		return nil
	})
}
