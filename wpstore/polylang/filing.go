package polylang

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/rowedit"
)

// filing is the terms that say in which language objects are, and which objects
// translate each other.
type filing struct{ rows *rowedit.Rows }

// countPosts counts the published posts of a language.
func (f filing) countPosts(ctx context.Context, term int64) error {
	return f.setCount(ctx, term, sq.Select("COUNT(*)").From(f.rows.Table("term_relationships")+" tr").
		Join(f.rows.Table("posts")+" p ON p.ID = tr.object_id").
		Where(sq.Eq{"tr.term_taxonomy_id": term, "p.post_status": "publish"}))
}

// countObjects counts whatever has a term.
func (f filing) countObjects(ctx context.Context, term int64) error {
	return f.setCount(ctx, term, sq.Select("COUNT(*)").From(f.rows.Table("term_relationships")).
		Where(sq.Eq{"term_taxonomy_id": term}))
}

func (f filing) setCount(ctx context.Context, term int64, count sq.SelectBuilder) error {
	f.rows.Changed.TermTaxonomies(term)
	return f.rows.Set(ctx, "polylang.count", "term_taxonomy", rowedit.Columns("count", count), sq.Eq{"term_taxonomy_id": term})
}

// filed are the terms, by taxonomy, under which Polylang files an object.
func (f filing) filed(ctx context.Context, object int64, taxonomies ...string) (map[string]int64, error) {
	found := map[string]int64{}
	query := sq.Select("tt.term_taxonomy_id", "tt.taxonomy").
		From(f.rows.Table("term_relationships") + " tr").
		Join(f.rows.Table("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": object, "tt.taxonomy": taxonomies})
	return found, f.rows.Query(ctx, "polylang.filed", query, func(rows *sql.Rows) error {
		var id int64
		var taxonomy string
		if err := rows.Scan(&id, &taxonomy); err != nil {
			return err
		}
		found[taxonomy] = id
		return nil
	})
}

func withoutMember(members *php.Array, id int64) *php.Array {
	out := &php.Array{}
	for code, member := range members.All() {
		if php.ToInt(member) != id {
			out.Set(code, member)
		}
	}
	return out
}

// groupOf returns the group of an object in a taxonomy, by its term_taxonomy id,
// with its members by language; 0 for none.
func (f filing) groupOf(ctx context.Context, object int64, taxonomy string) (int64, *php.Array, error) {
	var id int64
	var description string
	err := f.rows.Query(ctx, "polylang.group", sq.Select("tt.term_taxonomy_id", "tt.description").
		From(f.rows.Table("term_relationships")+" tr").
		Join(f.rows.Table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": object, "tt.taxonomy": taxonomy}).Limit(1),
		func(rows *sql.Rows) error { return rows.Scan(&id, &description) })
	members := phpserial.Array(description)
	if members == nil {
		members = &php.Array{}
	}
	return id, members, err
}

// writeGroup stores the members of a group. One that nobody is left in goes.
func (f filing) writeGroup(ctx context.Context, id int64, members *php.Array) error {
	if members.Len() == 0 {
		if err := f.rows.Change(ctx, "polylang.delete_group", sq.Delete(f.rows.Table("terms")).
			Where(sq.Expr("term_id IN (?)", sq.Select("term_id").From(f.rows.Table("term_taxonomy")).Where(sq.Eq{"term_taxonomy_id": id})))); err != nil {
			return err
		}
		return f.rows.Change(ctx, "polylang.delete_group_taxonomy", sq.Delete(f.rows.Table("term_taxonomy")).Where(sq.Eq{"term_taxonomy_id": id}))
	}
	if err := f.rows.Change(ctx, "polylang.group_members", sq.Update(f.rows.Table("term_taxonomy")).
		Set("description", phpserial.Serialize(members)).Where(sq.Eq{"term_taxonomy_id": id})); err != nil {
		return err
	}
	return f.countObjects(ctx, id)
}

// newGroup makes a group of one term.
func (f filing) newGroup(ctx context.Context, code string, term, count int64) (int64, error) {
	now := f.rows.Now
	// The name is unique by the clock, which stands still within a request.
	name := fmt.Sprintf("pll_%08x%05x", now.Unix(), rand.N[int64](1_000_000))
	id, err := f.rows.Add(ctx, "polylang.new_group", "terms", rowedit.Columns("name", name, "slug", name, "term_group", 0))
	if err != nil {
		return 0, err
	}
	members := &php.Array{}
	members.SetString(code, term)
	return f.rows.Add(ctx, "polylang.new_group_taxonomy", "term_taxonomy", rowedit.Columns(
		"term_id", id, "taxonomy", TermGroups, "description", phpserial.Serialize(members), "parent", 0, "count", count,
	))
}
