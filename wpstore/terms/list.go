package terms

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// TermList returns a page of terms in order and the total. At most two queries.
//
// WordPress leaves the order of equal sort keys to the server. The statement has the same
// shape as WordPress's, so that the same server gives the same order. SQLite orders them by
// id.
//
// A term that several taxonomies share is listed as WordPress lists it: as the taxonomy whose row
// the server returns last, which may be another one than that of the list. A third query finds it
// for a hierarchical taxonomy.
func (s *Store) TermList(ctx context.Context, q wpstore.TermQuery) (terms []wpstore.Term, total int64, err error) {
	if q.PostID != nil {
		q.HideEmpty = false
		if q.Language != (wpstore.InLanguage{}) {
			return s.postTermList(ctx, q)
		}
	}
	if q.Hierarchical && q.Limit > 0 {
		return s.termTreePage(ctx, q)
	}
	var ids []int64
	known := false
	if q.Limit > 0 {
		page := s.termSelect(q, "t.term_id").
			OrderBy(s.termOrder(q)...).
			Limit(uint64(q.Limit)).
			Offset(uint64(max(q.Offset, 0)))
		if ids, err = s.run.IDs(ctx, "terms.ids", page); err != nil {
			return nil, 0, err
		}
		total, known = wpstore.TotalOfPage(len(ids), q.Limit, q.Offset)
	}
	count := s.termSelect(q, "COUNT(*)")
	switch {
	case len(ids) > 0:
		return s.termPage(ctx, ids, total, known, count)
	case !known:
		total, err = s.run.Number(ctx, "terms.count", count)
	}
	return nil, total, err
}

// postTermList lists the terms of a post in all languages and counts those of one language.
func (s *Store) postTermList(ctx context.Context, q wpstore.TermQuery) (terms []wpstore.Term, total int64, err error) {
	counted := q.Language
	q.Language = wpstore.InLanguage{}
	terms, total, err = s.TermList(ctx, q)
	if err != nil || total == 0 {
		return terms, total, err
	}
	groups, plugin := map[int64]i18n.Group{}, s.plugins.Of(counted.Plugin)
	query := plugin.JoinTermGroups(s.termSelect(q, "t.term_id"), q.Taxonomy)
	var id int64
	var first, second sql.NullString
	err = s.run.Query(ctx, "terms.of_post_groups", query,
		sqlconn.EachRow(func() { plugin.AddTermGroup(groups, id, first, second) }, &id, &first, &second))
	total = 0
	for id, group := range groups {
		if group.Of(id) == counted.Code {
			total++
		}
	}
	for i := range terms {
		terms[i].Language = groups[terms[i].ID].Of(terms[i].ID)
	}
	return terms, total, err
}

// termPage loads the terms of a page in the order of ids. The same query returns the total
// unless it is known.
func (s *Store) termPage(ctx context.Context, ids []int64, total int64, known bool, count sq.Sqlizer) ([]wpstore.Term, int64, error) {
	query := sq.Select().Column(sq.Expr("(?) AS total", count))
	if known {
		query = sq.Select(strconv.FormatInt(total, 10) + " AS total")
	}
	query = s.ofAllTaxonomies(query.Columns(Columns()...)).Where(sqlconn.IDList("t.term_id", ids))
	found := make(map[int64]wpstore.Term, len(ids))
	var t wpstore.Term
	err := s.run.Query(ctx, "terms.page", query,
		sqlconn.EachRow(func() { found[t.ID] = t }, append([]any{&total}, Targets(&t)...)...))
	return inOrder(ids, found), total, err
}

// termTreePage pages through a hierarchical taxonomy. It reads all matching ids and all
// terms, since an empty term stays in the list if a descendant has posts.
func (s *Store) termTreePage(ctx context.Context, q wpstore.TermQuery) ([]wpstore.Term, int64, error) {
	hideEmpty := q.HideEmpty
	q.HideEmpty = false
	ids, err := s.run.IDs(ctx, "terms.ids", s.termSelect(q, "t.term_id").OrderBy(s.termOrder(q)...))
	if err != nil || len(ids) == 0 {
		return nil, 0, err
	}
	tree, shared, err := s.sharedTree(ctx, q.Taxonomy, q.Language)
	if err != nil {
		return nil, 0, err
	}
	shown := make(map[int64]wpstore.Term)
	if slices.ContainsFunc(ids, func(id int64) bool { return shared[id] }) {
		if err := s.termRows(ctx, "terms.page", s.ofAllTaxonomies(sq.Select(Columns()...)).Where(sqlconn.IDList("t.term_id", ids)), shown); err != nil {
			return nil, 0, err
		}
	}
	total := int64(len(ids))
	if hideEmpty {
		total = 0
		inUse := usedTerms(tree)
		for _, id := range ids {
			if tree[id].Count > 0 {
				total++
			}
		}
		ids = slices.DeleteFunc(ids, func(id int64) bool {
			if t, ok := shown[id]; ok && t.Taxonomy != q.Taxonomy {
				return t.Count <= 0
			}
			return !inUse[id]
		})
	}
	maps.Copy(tree, shown)
	from := min(max(q.Offset, 0), int64(len(ids)))
	to := min(from+q.Limit, int64(len(ids)))
	return inOrder(ids[from:to], tree), total, nil
}

// usedTerms returns the terms that have posts, and all their ancestors. Loops and missing
// parents end the ascent.
func usedTerms(tree map[int64]wpstore.Term) map[int64]bool {
	used := make(map[int64]bool, len(tree))
	for id, t := range tree {
		if t.Count <= 0 {
			continue
		}
		for ok := true; ok && !used[id]; t, ok = tree[id] {
			used[id] = true
			id = t.Parent
		}
	}
	return used
}

func inOrder(ids []int64, found map[int64]wpstore.Term) []wpstore.Term {
	terms := make([]wpstore.Term, 0, len(ids))
	for _, id := range ids {
		if t, ok := found[id]; ok {
			terms = append(terms, t)
		}
	}
	return terms
}

// termSelect selects from the terms that match, without the ancestors that HideEmpty leaves
// in the list.
func (s *Store) termSelect(q wpstore.TermQuery, columns ...string) sq.SelectBuilder {
	query := s.plugins.Of(q.Language.Plugin).JoinTerms(Select(s.tables, q.Taxonomy, columns...), q.Language, q.Taxonomy)
	if q.PostID != nil {
		query = query.
			Join(s.tables.Quoted("term_relationships") + " tr ON tr.term_taxonomy_id = tt.term_taxonomy_id").
			Where(sq.Eq{"tr.object_id": *q.PostID})
	}
	switch {
	case q.Include != nil:
		query = query.Where(sqlconn.IDList("t.term_id", q.Include))
	case len(q.Exclude) > 0:
		query = query.Where(sq.Expr("NOT (?)", sqlconn.IDList("t.term_id", q.Exclude)))
	}
	if q.HasSlug {
		query = query.Where(textCondition(q.Slug, sq.Eq{"t.slug": q.Slug}))
	}
	if q.HasSearch {
		pattern := sqlconn.Contains(q.Search)
		query = query.Where(textCondition(q.Search, sq.Or{sq.Like{"t.name": pattern}, sq.Like{"t.slug": pattern}}))
	}
	if q.Same != nil {
		query = query.Where(sq.Eq{"t.term_id": *q.Same})
	}
	if q.Parent != nil {
		query = query.Where(sq.Eq{"tt.parent": *q.Parent})
	}
	if q.HideEmpty {
		query = query.Where(sq.Gt{"tt.count": 0})
	}
	return query
}

func textCondition(text string, condition sq.Sqlizer) sq.Sqlizer {
	if !sqlconn.Searchable(text) {
		return sq.Expr("1=0")
	}
	return condition
}

// termOrders are the columns by which a list of terms can be ordered.
var termOrders = map[string]string{
	"name":             "t.name",
	"slug":             "t.slug",
	"term_group":       "t.term_group",
	"term_id":          "t.term_id",
	"id":               "t.term_id",
	"count":            "tt.count",
	"parent":           "tt.parent",
	"taxonomy":         "tt.taxonomy",
	"term_taxonomy_id": "tt.term_taxonomy_id",
	"description":      "tt.description",
}

func (s *Store) termOrder(q wpstore.TermQuery) []string {
	var order []string
	by := strings.ToLower(q.OrderBy)
	if by != "none" {
		column, ok := termOrders[by]
		switch {
		case ok:
		case by == "term_order" && q.PostID != nil:
			column = "tr.term_order"
		case by == "term_order":
			column = "t.term_id"
		case by == "include" && len(q.Include) > 0:
			column = positionIn("t.term_id", q.Include)
		default:
			column = "t.name"
		}
		if q.Descending {
			column += " DESC"
		}
		order = append(order, column)
	}
	return append(order, s.run.Dialect().TieBreak("t.term_id")...)
}

// positionIn returns an expression for the position of a column's value in a list of ids.
func positionIn(column string, ids []int64) string {
	text := []byte("CASE " + column)
	for i, id := range ids {
		text = append(text, " WHEN "...)
		text = strconv.AppendInt(text, id, 10)
		text = append(text, " THEN "...)
		text = strconv.AppendInt(text, int64(i), 10)
	}
	return string(append(text, " END"...))
}
