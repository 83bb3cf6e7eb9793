package sitedb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/options"
	"calbridge/wpstore/sqlconn"
)

// JournalSite is what a journal reads of the site, as [journal.Site]: on the primary, past all
// caches.
type JournalSite struct{ db *DB }

// JournalSite returns it.
func (db *DB) JournalSite() JournalSite { return JournalSite{db} }

// States implements journal.Site.
func (s JournalSite) States() eventindex.Source { return s.db.Session(nil).source() }

// TermTexts implements journal.Site. One query.
func (s JournalSite) TermTexts(ctx context.Context, ids []int64) (map[int64]string, error) {
	out := map[int64]string{}
	query := sq.Select("t.term_id", "t.name", "t.slug", "t.term_group", "tt.taxonomy", "tt.description", "tt.parent").
		From(s.db.tables.Quoted("terms")+" t").
		Join(s.db.tables.Quoted("term_taxonomy")+" tt ON tt.term_id = t.term_id").
		Where(sq.Eq{"tt.taxonomy": []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy}}).
		OrderBy("t.term_id", "tt.term_taxonomy_id")
	if ids != nil {
		query = query.Where(sqlconn.IDList("t.term_id", ids))
	}
	err := s.db.Session(nil).run.Query(ctx, "journal.terms", query, func(rows *sql.Rows) error {
		var id int64
		var texts [6]string
		err := rows.Scan(&id, &texts[0], &texts[1], &texts[2], &texts[3], &texts[4], &texts[5])
		sum := sha256.Sum256(fmt.Appendf(nil, "%s%q", out[id], texts))
		out[id] = hex.EncodeToString(sum[:12])
		return err
	})
	return out, err
}

// Settings implements journal.Site. As many queries as the site's facts take.
func (s JournalSite) Settings(ctx context.Context) (string, error) {
	facts, err := s.db.Session(nil).Options.SiteFacts(ctx)
	if err != nil {
		return "", err
	}
	return options.Fingerprint(facts)
}

// Made implements journal.Site: when the site's tables were made. One query.
func (s JournalSite) Made(ctx context.Context) (string, error) {
	if s.db.Dialect().Embedded() {
		return "", nil
	}
	var names []string
	for _, name := range []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "options", "tec_events", "tec_occurrences"} {
		names = append(names, s.db.tables.Plain(name))
	}
	h := sha256.New()
	query := sq.Select("table_name", "COALESCE(create_time, '')").From("information_schema.tables").
		Where("table_schema = DATABASE()").Where(sq.Eq{"table_name": names}).OrderBy("table_name")
	err := s.db.Session(nil).run.Query(ctx, "journal.tables", query, func(rows *sql.Rows) error {
		var name, created string
		err := rows.Scan(&name, &created)
		fmt.Fprintf(h, "%q %q\n", name, created)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:12]), err
}
