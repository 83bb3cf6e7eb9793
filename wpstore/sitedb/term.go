package sitedb

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
)

// termColumns are the columns of Term, of the tables t (terms) and tt
// (term_taxonomy), in the order of termTargets.
var termColumns = []string{"t.term_id", "tt.term_taxonomy_id", "t.term_group", "tt.parent", "tt.count",
	"tt.taxonomy", "t.name", "t.slug", "tt.description"}

func termTargets(t *wpstore.Term) []any {
	return []any{&t.ID, &t.TaxonomyID, &t.Group, &t.Parent, &t.Count, &t.Taxonomy, &t.Name, &t.Slug, &t.Description}
}

// terms selects from the terms of one taxonomy.
func (db *DB) terms(taxonomy string, columns ...string) sq.SelectBuilder {
	return sq.Select(columns...).
		From(db.table("terms") + " t").
		Join(db.table("term_taxonomy") + " tt ON tt.term_id = t.term_id").
		Where(sq.Eq{"tt.taxonomy": taxonomy})
}

// PostTerms loads the terms of posts in some taxonomies, by post, in WordPress's
// order: by name, equal names by id. The taxonomies are mixed, each in order. One
// query, none for no posts.
func (db *DB) PostTerms(ctx context.Context, postIDs []int64, taxonomies []string) (map[int64][]wpstore.Term, error) {
	if len(taxonomies) == 0 {
		return map[int64][]wpstore.Term{}, nil
	}
	return recall(ctx, db, termsPart(strings.Join(taxonomies, ",")), postIDs, func(ids []int64) (map[int64][]wpstore.Term, error) {
		return db.readPostTerms(ctx, ids, taxonomies)
	})
}

func (db *DB) postTermsStatement(postIDs []int64, taxonomies []string) (statement, error) {
	return db.templates.byIDs("terms.of_posts", strings.Join(taxonomies, ","), "tr.object_id", postIDs, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return sq.Select("tr.object_id").Columns(termColumns...).
			From(db.table("term_relationships")+" tr").
			Join(db.table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
			Join(db.table("terms")+" t ON t.term_id = tt.term_id").
			Where(onIDs).
			Where(sq.Eq{"tt.taxonomy": taxonomies}).
			OrderBy("t.name", "t.term_id")
	})
}

func (db *DB) readPostTerms(ctx context.Context, postIDs []int64, taxonomies []string) (map[int64][]wpstore.Term, error) {
	coherence.DependOn(ctx, coherence.Post, postIDs...)
	found := make(map[int64][]wpstore.Term, len(postIDs))
	err := eachBlock(postIDs, func(block []int64) error {
		query, err := db.postTermsStatement(block, taxonomies)
		if err != nil {
			return err
		}
		rows, err := db.rows(ctx, "terms.of_posts", query)
		if err != nil {
			return err
		}
		posts := make([]int64, rows.len())
		counts := make(map[int64]int, len(block))
		for i := range posts {
			if posts[i], err = rows.number(i, 0); err != nil {
				return fmt.Errorf("query terms.of_posts: %w", err)
			}
			counts[posts[i]]++
		}
		room := make([]wpstore.Term, len(posts))
		for post, n := range counts {
			found[post], room = room[:0:n], room[n:]
		}
		for i, post := range posts {
			t := wpstore.Term{Taxonomy: rows.at(i, 6), Name: rows.at(i, 7), Slug: rows.at(i, 8), Description: rows.at(i, 9), Digest: db.digest(rows.raw(i, i+1))}
			if err := rows.numbers(i, &posts[i], &t.ID, &t.TaxonomyID, &t.Group, &t.Parent, &t.Count); err != nil {
				return fmt.Errorf("query terms.of_posts: %w", err)
			}
			coherence.DependOn(ctx, coherence.Term, t.ID)
			found[post] = append(found[post], t)
		}
		return nil
	})
	return found, err
}

// Terms loads terms of one taxonomy by id; ids that are no terms of it are
// absent. One query, none for no ids.
func (db *DB) Terms(ctx context.Context, taxonomy string, ids []int64) (map[int64]wpstore.Term, error) {
	coherence.DependOn(ctx, coherence.Term, ids...)
	found := make(map[int64]wpstore.Term, len(ids))
	err := eachBlock(ids, func(block []int64) error {
		return db.termRows(ctx, "terms.by_id", db.terms(taxonomy, termColumns...).Where(idList("t.term_id", block)), found)
	})
	return found, err
}

// TermTree loads all terms of a taxonomy by id: for descendants, and for the
// paths of term URLs. One query.
func (db *DB) TermTree(ctx context.Context, taxonomy string) (map[int64]wpstore.Term, error) {
	return db.termTree(ctx, taxonomy, wpstore.InLanguage{})
}

func (db *DB) termTree(ctx context.Context, taxonomy string, in wpstore.InLanguage) (map[int64]wpstore.Term, error) {
	found := make(map[int64]wpstore.Term)
	return found, db.termRows(ctx, "terms.tree", db.joinTerms(db.terms(taxonomy, termColumns...), in, taxonomy), found)
}

func (db *DB) termRows(ctx context.Context, name string, query sq.Sqlizer, found map[int64]wpstore.Term) error {
	var t wpstore.Term
	targets := termTargets(&t)
	return db.query(ctx, name, query, func(rows *sql.Rows) error {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		found[t.ID] = t
		return nil
	})
}
