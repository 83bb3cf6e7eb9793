package sitedb

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/options"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/dialect"
)

// JournalSite implements [journal.Site]. It reads on the primary and bypasses all caches.
type JournalSite struct{ db *DB }

// JournalSite returns what a journal reads of the site.
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

// Exposures implements journal.Site. Two or three queries for each block of ids.
func (s JournalSite) Exposures(ctx context.Context, ids []int64, each func(id int64, e wpstore.Exposure) error) error {
	if ids == nil {
		return s.exposures(ctx, sq.NotEq{"post_type": []string{"revision", "nav_menu_item", wpstore.EventType}}, each)
	}
	return sqlconn.EachBlock(ids, func(block []int64) error { return s.exposures(ctx, sqlconn.IDList("ID", block), each) })
}

func (s JournalSite) exposures(ctx context.Context, which sq.Sqlizer, each func(id int64, e wpstore.Exposure) error) error {
	found, run := map[int64]wpstore.Exposure{}, s.db.Session(nil).run
	var locked []int64
	query := sq.Select("ID", "post_type", "post_status", "post_author", "post_password <> ''").From(s.db.tables.Quoted("posts")).Where(which)
	err := run.Query(ctx, "journal.posts", query, func(rows *sql.Rows) error {
		var id int64
		var e wpstore.Exposure
		var protected bool
		err := rows.Scan(&id, &e.Type, &e.Status, &e.Author, &protected)
		found[id] = e
		if protected {
			locked = append(locked, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	store := s.db.Session(nil)
	rows, err := store.Posts.Posts(ctx, locked)
	if err != nil {
		return err
	}
	metas, err := store.Posts.PostMeta(ctx, locked)
	if err != nil {
		return err
	}
	for _, id := range locked {
		if p := rows[id]; p != nil {
			e := found[id]
			e.Behind = behindPassword(p, metas[id])
			found[id] = e
		}
	}
	for id, e := range found {
		if err := each(id, e); err != nil {
			return err
		}
	}
	return nil
}

// behindPassword returns a digest of what a protected post shows to everyone. It covers the
// row, but of the texts and of most metadata only whether they are empty.
func behindPassword(p *wpstore.Post, m wpstore.Meta) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %d %q %q %q %q %q %q", p.Author, p.Parent, p.MenuOrder, p.Date, p.DateGMT, p.Modified, p.ModifiedGMT, p.Name, p.Language)
	for _, text := range []string{p.Title, p.Content, p.Excerpt} {
		fmt.Fprint(h, " ", php.Empty(text))
	}
	for _, row := range m.Rows() {
		switch key := row.Key; {
		case key == "_VenueState", key == "_tribe_aggregator_global_id_lineage":
			fmt.Fprintf(h, " %q %q", key, row.Value)
		case key == "_VenueShowMap", key == "_VenueShowMapLink":
		case key == "_thumbnail_id", strings.HasPrefix(key, "_Venue"), strings.HasPrefix(key, "_Organizer"):
			fmt.Fprintf(h, " %q %t", key, php.Empty(row.Value))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Settings implements journal.Site. It takes as many queries as the site's facts.
func (s JournalSite) Settings(ctx context.Context) (string, error) {
	facts, err := s.db.Session(nil).Options.SiteFacts(ctx)
	if err != nil {
		return "", err
	}
	return options.Fingerprint(facts)
}

// Made implements journal.Site. It returns when the site's tables were created. One query.
func (s JournalSite) Made(ctx context.Context) (string, error) {
	if s.db.Dialect().Embedded() {
		return "", nil
	}
	var names []string
	for _, name := range []string{"posts", "postmeta", "terms", "term_taxonomy", "term_relationships", "options", "tec_events", "tec_occurrences"} {
		names = append(names, s.db.tables.Plain(name))
	}
	created := map[string]string{}
	query := dialect.OfTables("tables", []string{"table_name", "COALESCE(create_time, '')"}, names)
	err := s.db.Session(nil).run.Query(ctx, "journal.tables", query, func(rows *sql.Rows) error {
		var name, at string
		err := rows.Scan(&name, &at)
		created[name] = at
		return err
	})
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(created)) {
		fmt.Fprintf(h, "%q %q\n", name, created[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), err
}
