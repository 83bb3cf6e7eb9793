package polylang

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// filing is the terms that say in which language objects are, and which objects
// translate each other.
type filing struct{ rows *rowedit.Rows }

// countPosts makes rowedit.Counts.Write count the published posts of a language, of which
// the transaction makes some more.
func (f filing) countPosts(term, more int64) {
	published := func() sq.SelectBuilder {
		return f.related().Join(f.rows.Table("posts") + " p ON p.ID = tr.object_id").Where(sq.Eq{"p.post_status": "publish"})
	}
	f.rows.Counts.Change("polylang posts", "polylang.count", published, map[int64]int64{term: more})
}

// countObjects does what countPosts does for all objects that have a term.
func (f filing) countObjects(term int64) {
	f.rows.Counts.Later("polylang objects", "polylang.count", f.related, term)
}

// related counts the relations of a row of term_taxonomy.
func (f filing) related() sq.SelectBuilder {
	return sq.Select("COUNT(*)").From(f.rows.Table("term_relationships") + " tr").
		Where("tr.term_taxonomy_id = " + f.rows.Table("term_taxonomy") + ".term_taxonomy_id")
}

// remove takes an object that is about to be deleted out of its language, whose
// objects count counts, and out of its group.
func (f filing) remove(ctx context.Context, terms rowedit.Terms, object int64, languages, groups string, count func(int64)) error {
	if err := f.rows.Locks.Terms(ctx); err != nil {
		return err
	}
	filed, err := f.filed(ctx, object, languages, groups)
	if err != nil {
		return err
	}
	group, members, err := f.groupOf(ctx, object, groups)
	if err != nil {
		return err
	}
	if err := terms.Unrelate(ctx, "languages.unrelate", object, slices.Collect(maps.Values(filed))); err != nil {
		return err
	}
	if language := filed[languages]; language != 0 {
		count(language)
	}
	if group == 0 {
		return nil
	}
	for code, member := range members.All() {
		if php.ToInt(member) == object {
			members.Delete(code)
		}
	}
	return f.writeGroup(ctx, group, members)
}

// filed returns the terms of an object by taxonomy.
func (f filing) filed(ctx context.Context, object int64, taxonomies ...string) (map[string]int64, error) {
	found := map[string]int64{}
	query := sq.Select("tt.term_taxonomy_id", "tt.taxonomy").
		From(f.rows.Table("term_relationships") + " tr").
		Join(f.rows.Table("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": object, "tt.taxonomy": taxonomies})
	var id int64
	var taxonomy string
	err := f.rows.Query(ctx, "polylang.filed", query, sqlconn.EachRow(func() { found[taxonomy] = id }, &id, &taxonomy))
	return found, err
}

// groupOf returns the term_taxonomy id of an object's group, 0 for none, and the group's
// members by language.
func (f filing) groupOf(ctx context.Context, object int64, taxonomy string) (int64, *php.Array, error) {
	var id int64
	var description string
	err := f.rows.Query(ctx, "polylang.group", sq.Select("tt.term_taxonomy_id", "tt.description").
		From(f.rows.Table("term_relationships")+" tr").
		Join(f.rows.Table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": object, "tt.taxonomy": taxonomy}).Limit(1),
		sqlconn.EachRow(func() {}, &id, &description))
	members := phpserial.Array(description)
	if members == nil {
		members = &php.Array{}
	}
	return id, members, err
}

// writeGroup stores the members of a group, and deletes a group without members. The terms
// are locked.
func (f filing) writeGroup(ctx context.Context, id int64, members *php.Array) error {
	if members.Len() == 0 {
		if err := f.rows.Change(ctx, "polylang.delete_group", "terms", sq.Delete(f.rows.Table("terms")).
			Where(sq.Expr("term_id IN (?)", sq.Select("term_id").From(f.rows.Table("term_taxonomy")).Where(sq.Eq{"term_taxonomy_id": id})))); err != nil {
			return err
		}
		return f.rows.Change(ctx, "polylang.delete_group_taxonomy", "term_taxonomy", sq.Delete(f.rows.Table("term_taxonomy")).Where(sq.Eq{"term_taxonomy_id": id}))
	}
	if err := f.rows.Change(ctx, "polylang.group_members", "term_taxonomy", sq.Update(f.rows.Table("term_taxonomy")).
		Set("description", phpserial.Serialize(members)).Where(sq.Eq{"term_taxonomy_id": id})); err != nil {
		return err
	}
	f.countObjects(id)
	return nil
}

// newGroup makes a group of one term.
func (f filing) newGroup(ctx context.Context, code string, term, count int64) (int64, error) {
	// Unique by the clock, which stands still within a request, and a random number.
	name := fmt.Sprintf("pll_%08x%05x", f.rows.Now.Unix(), rand.N[int64](1_000_000))
	id, err := f.rows.Add(ctx, "polylang.new_group", "terms", rowedit.Columns("name", name, "slug", name, "term_group", 0))
	if err != nil {
		return 0, err
	}
	return f.rows.Add(ctx, "polylang.new_group_taxonomy", "term_taxonomy", rowedit.Columns(
		"term_id", id, "taxonomy", TermGroups, "description", phpserial.Serialize(php.Pairs(code, term)), "parent", 0, "count", count,
	))
}
