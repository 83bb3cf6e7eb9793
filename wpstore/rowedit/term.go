package rowedit

import (
	"context"
	"maps"
	"slices"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sqlconn"
)

// countedTypes are the post types whose published posts count, by taxonomy.
var countedTypes = map[string][]string{
	wpstore.CategoryTaxonomy: {wpstore.EventType, "tec_calendar_embed"},
	wpstore.TagTaxonomy:      {"post", wpstore.EventType, "tec_calendar_embed"},
}

// Terms writes relations between objects and terms, and what derives from them: counts
// of posts, and the option that lists the children of each term.
type Terms struct{ Rows *Rows }

// Relate gives an object terms, by their term_taxonomy ids.
func (t Terms) Relate(ctx context.Context, name string, object int64, terms []int64) error {
	if len(terms) == 0 {
		return nil
	}
	note(t.Rows.Counts.related, terms)
	var values []any
	for _, tt := range terms {
		values = append(values, object, tt, 0)
	}
	insert, err := t.Rows.Templates().Shaped(name, strconv.Itoa(len(terms)), values, func() sq.Sqlizer {
		b := sq.Insert(t.Rows.Table("term_relationships")).Columns("object_id", "term_taxonomy_id", "term_order")
		for row := range slices.Chunk(values, 3) {
			b = b.Values(row...)
		}
		return b
	})
	if err != nil {
		return err
	}
	return t.Rows.Change(ctx, name, "term_relationships", insert)
}

// File files a new object under one term of a taxonomy, by its term_taxonomy id, instead of all
// others. bare: the object has no terms yet, so that none need be read.
func (t Terms) File(ctx context.Context, object int64, taxonomy string, term int64, bare bool) error {
	var had []int64
	if !bare {
		var err error
		had, err = t.Rows.IDs(ctx, "languages.left", sq.Select("tr.term_taxonomy_id").
			From(t.Rows.Table("term_relationships")+" tr").
			Join(t.Rows.Table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
			Where(sq.Eq{"tr.object_id": object, "tt.taxonomy": taxonomy}))
		if err != nil {
			return err
		}
	}
	is := func(id int64) bool { return id == term }
	if others := slices.DeleteFunc(slices.Clone(had), is); len(others) > 0 {
		if err := t.Unrelate(ctx, "languages.unrelate", object, others); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(had, is) {
		return nil
	}
	return t.Relate(ctx, "languages.relate", object, []int64{term})
}

// Unrelate removes terms from an object.
func (t Terms) Unrelate(ctx context.Context, name string, object int64, terms []int64) error {
	if len(terms) == 0 {
		return nil
	}
	for _, tt := range terms {
		delete(t.Rows.Counts.related, tt)
	}
	return t.Rows.Change(ctx, name, "term_relationships", sq.Delete(t.Rows.Table("term_relationships")).
		Where(sq.Eq{"object_id": object}).Where(sqlconn.IDList("term_taxonomy_id", sqlconn.DistinctIDs(terms))))
}

// Counted reports whether a post of a type and status counts among those of a term.
func Counted(taxonomy, postType, status string) bool {
	return status == "publish" && slices.Contains(countedTypes[taxonomy], postType)
}

// TermsOfPost are the term_taxonomy ids of all terms of one post, by taxonomy.
type TermsOfPost map[string][]int64

// QueueOfPost queues the query of the terms of a post, and adds them to found.
func (t Terms) QueueOfPost(b *sqlconn.Batch, id int64, found TermsOfPost) {
	var taxonomy string
	var term int64
	b.Query("terms.taxonomies_of_post", sq.Select("tt.taxonomy", "tt.term_taxonomy_id").
		From(t.Rows.Table("term_relationships")+" tr").
		Join(t.Rows.Table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": id}), sqlconn.EachRow(func() { found[taxonomy] = append(found[taxonomy], term) }, &taxonomy, &term))
}

// RecountPost recounts the posts of all terms of one post. change is by how much the
// transaction changes the count of a term by its taxonomy and term_taxonomy_id, besides what
// was noted already.
func (t Terms) RecountPost(byTaxonomy TermsOfPost, change func(taxonomy string, term int64) int64) {
	for _, taxonomy := range []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy} {
		changes := map[int64]int64{}
		for _, term := range byTaxonomy[taxonomy] {
			changes[term] = change(taxonomy, term)
		}
		t.CountChanges(taxonomy, changes)
	}
}

// Recount makes [Counts.Write] count the published posts of terms of one taxonomy.
func (t Terms) Recount(taxonomy string, terms []int64) {
	if len(terms) == 0 {
		return
	}
	t.Rows.Changed.Taxonomy(taxonomy)
	t.Rows.Counts.Later("terms.recount "+taxonomy, "terms.recount", t.posts(taxonomy), terms...)
}

// CountChanges does what Recount does where it is known by how much the transaction changes each count.
func (t Terms) CountChanges(taxonomy string, changes map[int64]int64) {
	if len(changes) == 0 {
		return
	}
	t.Rows.Changed.Taxonomy(taxonomy)
	t.Rows.Counts.Change("terms.recount "+taxonomy, "terms.recount", t.posts(taxonomy), changes)
}

// posts counts the published posts of a row of term_taxonomy.
func (t Terms) posts(taxonomy string) func() sq.SelectBuilder {
	return func() sq.SelectBuilder {
		return sq.Select("COUNT(*)").
			From(t.Rows.Table("term_relationships") + " tr").
			Join(t.Rows.Table("posts") + " p ON p.ID = tr.object_id").
			Where("tr.term_taxonomy_id = " + t.Rows.Table("term_taxonomy") + ".term_taxonomy_id").
			Where(sq.Eq{"p.post_status": "publish", "p.post_type": countedTypes[taxonomy]})
	}
}

// LargeTerms returns the taxonomies of the terms that have at least this many posts by their stored
// counts, by term_taxonomy id.
func (t Terms) LargeTerms(ctx context.Context, least int64) (map[int64]string, error) {
	large := map[int64]string{}
	var id int64
	var taxonomy string
	err := t.Rows.Query(ctx, "terms.large", sq.Select("term_taxonomy_id", "taxonomy").From(t.Rows.Table("term_taxonomy")).
		Where(sq.Eq{"taxonomy": slices.Sorted(maps.Keys(countedTypes))}).Where(sq.GtOrEq{"count": least}),
		sqlconn.EachRow(func() { large[id] = taxonomy }, &id, &taxonomy))
	return large, err
}

// CountOf returns the stored count of a term, by its term_taxonomy id, and whether that is the
// number of its published posts. One statement reads both, as of one moment and without a lock.
func (t Terms) CountOf(ctx context.Context, taxonomy string, id int64) (stored int64, right bool, err error) {
	n := int64(-1)
	err = t.Rows.Query(ctx, "terms.verify_count", sq.Select("count").Column(sq.Expr("(?)", t.posts(taxonomy)())).
		From(t.Rows.Table("term_taxonomy")).Where(sq.Eq{"term_taxonomy_id": id}),
		sqlconn.EachRow(func() {}, &stored, &n))
	return stored, stored == n, err
}

// RebuildChildren writes WordPress's option of the children of each term of a
// hierarchical taxonomy, in the order of the terms' ids.
func (t Terms) RebuildChildren(ctx context.Context, taxonomy string) error {
	parents := map[int64]int64{}
	var id, parent int64
	err := t.Rows.Query(ctx, "terms.parents", sq.Select("term_id", "parent").From(t.Rows.Table("term_taxonomy")).
		Where(sq.Eq{"taxonomy": taxonomy}), sqlconn.EachRow(func() { parents[id] = parent }, &id, &parent))
	if err != nil {
		return err
	}
	children := &php.Array{}
	for _, id := range slices.Sorted(maps.Keys(parents)) {
		if parent := parents[id]; parent > 0 {
			children.Sub(strconv.FormatInt(parent, 10)).Append(id)
		}
	}
	return t.Rows.Options.Replace(ctx, taxonomy+"_children", phpserial.Serialize(children))
}
