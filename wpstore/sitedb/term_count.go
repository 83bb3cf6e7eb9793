package sitedb

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// countedTypes are the post types of which published posts count, by taxonomy.
var countedTypes = map[string][]string{
	wpstore.CategoryTaxonomy: {wpstore.EventType, "tec_calendar_embed"},
	wpstore.TagTaxonomy:      {"post", wpstore.EventType, "tec_calendar_embed"},
}

// recountPost counts the posts of all terms of one post anew.
func (tx *Tx) recountPost(ctx context.Context, id int64) error {
	byTaxonomy := map[string][]int64{}
	err := tx.query(ctx, "terms.taxonomies_of_post", sq.Select("tt.taxonomy", "tt.term_taxonomy_id").
		From(tx.table("term_relationships")+" tr").
		Join(tx.table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": id}), func(rows *sql.Rows) error {
		var taxonomy string
		var tt int64
		if err := rows.Scan(&taxonomy, &tt); err != nil {
			return err
		}
		byTaxonomy[taxonomy] = append(byTaxonomy[taxonomy], tt)
		return nil
	})
	if err != nil {
		return err
	}
	for _, taxonomy := range []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy} {
		if err := tx.recount(ctx, taxonomy, byTaxonomy[taxonomy]); err != nil {
			return err
		}
	}
	return nil
}

// recount counts the published posts of terms of one taxonomy. One statement.
func (tx *Tx) recount(ctx context.Context, taxonomy string, ttIDs []int64) error {
	if len(ttIDs) == 0 {
		return nil
	}
	tx.touched.taxonomies[taxonomy] = true
	for _, id := range ttIDs {
		tx.touched.termTaxonomies[id] = true
	}
	inner, args, err := sq.Select("COUNT(*)").
		From(tx.table("term_relationships") + " tr").
		Join(tx.table("posts") + " p ON p.ID = tr.object_id").
		Where("tr.term_taxonomy_id = " + tx.table("term_taxonomy") + ".term_taxonomy_id").
		Where(sq.Eq{"p.post_status": "publish", "p.post_type": countedTypes[taxonomy]}).ToSql()
	if err != nil {
		return err
	}
	return tx.change(ctx, "terms.recount", sq.Update(tx.table("term_taxonomy")).
		Set("count", sq.Expr("("+inner+")", args...)).
		Where(idList("term_taxonomy_id", distinctIDs(ttIDs))))
}
