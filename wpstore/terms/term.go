package terms

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowcache"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/mysqlconn"
	"calbridge/wpstore/table"
)

// Store reads terms. It is for one request, or for one transaction.
type Store struct {
	run     *sqlconn.Runner
	tables  table.Names
	plugins langplugin.Plugins
	rows    *rowcache.View // nil if rows are not cached
}

// New returns a Store. Rows that are cached come from the view, which may be nil.
func New(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins, rows *rowcache.View) Store {
	return Store{run, tables, plugins, rows}
}

// PostTerms loads the terms of posts in some taxonomies, by post, in WordPress's order: by
// name, then by id, whatever the taxonomy.
func (s *Store) PostTerms(ctx context.Context, postIDs []int64, taxonomies []string) (map[int64][]wpstore.Term, error) {
	if len(taxonomies) == 0 {
		return map[int64][]wpstore.Term{}, nil
	}
	return rowcache.Load(s.rows, rowcache.Terms(strings.Join(taxonomies, ",")), postIDs, func(ids []int64) (map[int64][]wpstore.Term, error) {
		return s.readPostTerms(ctx, ids, taxonomies)
	})
}

func (s *Store) postTermsStatement(postIDs []int64, taxonomies []string) (sqlconn.Statement, error) {
	return s.run.Templates().ByIDs("terms.of_posts", strings.Join(taxonomies, ","), "tr.object_id", postIDs, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return sq.Select("tr.object_id").Columns(Columns()...).
			From(s.tables.Quoted("term_relationships")+" tr").
			Join(s.tables.Quoted("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
			Join(s.tables.Quoted("terms")+" t ON t.term_id = tt.term_id").
			Where(onIDs).
			Where(sq.Eq{"tt.taxonomy": taxonomies}).
			OrderBy("t.name", "t.term_id")
	})
}

func (s *Store) readPostTerms(ctx context.Context, postIDs []int64, taxonomies []string) (map[int64][]wpstore.Term, error) {
	b, found := sqlconn.NewBatch(s.run), make(map[int64][]wpstore.Term, len(postIDs))
	if err := s.QueuePostTerms(b, postIDs, taxonomies, found); err != nil {
		return nil, err
	}
	return found, b.Send(ctx)
}

// QueuePostTerms queues the statements that read the terms of posts past the row cache, and adds
// the terms to found.
func (s *Store) QueuePostTerms(b *sqlconn.Batch, postIDs []int64, taxonomies []string, found map[int64][]wpstore.Term) error {
	s.run.Depends().On(invalidation.Post, postIDs...)
	return sqlconn.EachBlock(postIDs, func(block []int64) error {
		query, err := s.postTermsStatement(block, taxonomies)
		if err == nil {
			b.Rows("terms.of_posts", query, func(rows *mysqlconn.RowSet) error { return s.addPostTerms(rows, found) })
		}
		return err
	})
}

// addPostTerms adds the result of a postTermsStatement to found.
func (s *Store) addPostTerms(rows *mysqlconn.RowSet, found map[int64][]wpstore.Term) (err error) {
	posts := make([]int64, rows.Len())
	counts := make(map[int64]int, len(posts))
	for i := range posts {
		if posts[i], err = rows.Number(i, 0); err != nil {
			return fmt.Errorf("query terms.of_posts: %w", err)
		}
		counts[posts[i]]++
	}
	room := make([]wpstore.Term, len(posts))
	for post, n := range counts {
		found[post], room = room[:0:n], room[n:]
	}
	for i, post := range posts {
		t := wpstore.Term{Taxonomy: rows.At(i, 6), Name: rows.At(i, 7), Slug: rows.At(i, 8), Description: rows.At(i, 9), Digest: s.run.Digest(rows.Raw(i, i+1))}
		if err := rows.Numbers(i, &posts[i], &t.ID, &t.TaxonomyID, &t.Group, &t.Parent, &t.Count); err != nil {
			return fmt.Errorf("query terms.of_posts: %w", err)
		}
		s.run.Depends().On(invalidation.Term, t.ID)
		found[post] = append(found[post], t)
	}
	return nil
}

// Terms loads terms of one taxonomy by id; ids of other terms are absent.
func (s *Store) Terms(ctx context.Context, taxonomy string, ids []int64) (map[int64]wpstore.Term, error) {
	s.run.Depends().On(invalidation.Term, ids...)
	found := make(map[int64]wpstore.Term, len(ids))
	err := sqlconn.EachBlock(ids, func(block []int64) error {
		return s.termRows(ctx, "terms.by_id", Select(s.tables, taxonomy, Columns()...).Where(sqlconn.IDList("t.term_id", block)), found)
	})
	return found, err
}

// TermsOf loads terms of several taxonomies by id, in one query. The terms of each taxonomy
// are in the order of PostTerms.
func (s *Store) TermsOf(ctx context.Context, ids map[string][]int64) (found []wpstore.Term, err error) {
	b := sqlconn.NewBatch(s.run)
	if err := s.QueueTermsOf(b, ids, &found); err != nil {
		return nil, err
	}
	return found, b.Send(ctx)
}

// QueueTermsOf queues the statement of TermsOf, and adds the terms to found.
func (s *Store) QueueTermsOf(b *sqlconn.Batch, ids map[string][]int64, found *[]wpstore.Term) error {
	all := sqlconn.DistinctIDs(slices.Concat(slices.Collect(maps.Values(ids))...))
	s.run.Depends().On(invalidation.Term, all...)
	taxonomies := slices.Sorted(maps.Keys(ids))
	variant, sorted := strings.Join(taxonomies, ","), false
	for _, of := range ids {
		sorted = sorted || len(of) > 1 // a single term needs no order
	}
	if sorted {
		variant += " sorted"
	}
	return sqlconn.EachBlock(all, func(block []int64) error {
		query, err := s.run.Templates().ByIDs("terms.by_id", variant, "t.term_id", block, func(onIDs sq.Sqlizer) sq.Sqlizer {
			query := selectOf(sq.Select(Columns()...), s.tables, taxonomies).Where(onIDs)
			if sorted {
				return query.OrderBy("t.name", "t.term_id")
			}
			return query
		})
		if err != nil {
			return err
		}
		var t wpstore.Term
		b.Query("terms.by_id", query, sqlconn.EachRow(func() {
			if slices.Contains(ids[t.Taxonomy], t.ID) {
				*found = append(*found, t)
			}
		}, Targets(&t)...))
		return nil
	})
}

// TermTree loads all terms of a taxonomy by id.
func (s *Store) TermTree(ctx context.Context, taxonomy string) (map[int64]wpstore.Term, error) {
	return s.termTree(ctx, taxonomy, wpstore.InLanguage{})
}

func (s *Store) termTree(ctx context.Context, taxonomy string, in wpstore.InLanguage) (map[int64]wpstore.Term, error) {
	found := make(map[int64]wpstore.Term)
	return found, s.termRows(ctx, "terms.tree", s.plugins.Of(in.Plugin).JoinTerms(Select(s.tables, taxonomy, Columns()...), in, taxonomy), found)
}

// sharedTree does what termTree does. It also returns the terms that other taxonomies share,
// unless the tree is restricted to a language.
func (s *Store) sharedTree(ctx context.Context, taxonomy string, in wpstore.InLanguage) (tree map[int64]wpstore.Term, shared map[int64]bool, err error) {
	if in != (wpstore.InLanguage{}) {
		tree, err = s.termTree(ctx, taxonomy, in)
		return tree, nil, err
	}
	tree, shared = map[int64]wpstore.Term{}, map[int64]bool{}
	ids := sq.Select("own.term_id").From(s.tables.Quoted("term_taxonomy") + " own").Where(sq.Eq{"own.taxonomy": taxonomy})
	var t wpstore.Term
	err = s.run.Query(ctx, "terms.tree", s.ofAllTaxonomies(sq.Select(Columns()...)).Where(sq.Expr("t.term_id IN (?)", ids)), sqlconn.EachRow(func() {
		if t.Taxonomy == taxonomy {
			tree[t.ID] = t
		} else {
			shared[t.ID] = true
		}
	}, Targets(&t)...))
	return tree, shared, err
}

// ofAllTaxonomies selects from terms once for each of their taxonomies. The statement has the shape
// of the one with which WordPress caches terms.
func (s *Store) ofAllTaxonomies(query sq.SelectBuilder) sq.SelectBuilder {
	return query.From(s.tables.Quoted("terms") + " t").Join(s.tables.Quoted("term_taxonomy") + " tt ON t.term_id = tt.term_id")
}

func (s *Store) termRows(ctx context.Context, name string, query sq.Sqlizer, found map[int64]wpstore.Term) error {
	var t wpstore.Term
	return s.run.Query(ctx, name, query, sqlconn.EachRow(func() { found[t.ID] = t }, Targets(&t)...))
}
