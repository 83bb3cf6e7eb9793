package edit

import (
	"cmp"
	"context"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// PostTermSet is the new set of a post's terms in one taxonomy, by term id.
type PostTermSet struct {
	Taxonomy string
	IDs      []int64
	// Known are term_taxonomy ids that the transaction has read, by term id. It may lack some.
	Known map[int64]int64
}

// postTerms are the terms of posts.
type postTerms struct {
	rows      *rowedit.Rows
	terms     rowedit.Terms
	read      TermReader
	languages langplugin.PostWriter
	// objects are the taxonomies under which language plugins file terms.
	objects []string
}

// tagsChanged reports whether an update of the post counts as a change of its tags.
// WordPress reassigns the tags by name: a name that it escapes with backslashes on the way
// counts as changed. quoted reports whether it has one, as queueQuotedTags reads it.
func (t postTerms) tagsChanged(ctx context.Context, post int64, quoted bool) (bool, error) {
	if quoted || !t.languages.ResortsTags() {
		return quoted, nil
	}
	tags, err := t.read.PostTerms(ctx, []int64{post}, []string{wpstore.TagTaxonomy})
	return !slices.IsSortedFunc(tags[post], func(a, b wpstore.Term) int { return cmp.Compare(a.TaxonomyID, b.TaxonomyID) }), err
}

// queueQuotedTags queues the query of how many tags of a post have quotes or backslashes.
func (t postTerms) queueQuotedTags(b *sqlconn.Batch, post int64, n *int64) {
	b.Number("terms.quoted_tags", sq.Select("COUNT(*)").
		From(t.rows.Table("term_relationships")+" tr").
		Join(t.rows.Table("term_taxonomy")+" tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Join(t.rows.Table("terms")+" t ON t.term_id = tt.term_id").
		Where(sq.Eq{"tr.object_id": post, "tt.taxonomy": wpstore.TagTaxonomy}).
		Where(sq.Or{sq.Like{"t.name": sqlconn.Contains("'")}, sq.Like{"t.name": sqlconn.Contains(`"`)}, sq.Like{"t.name": sqlconn.Contains(`\`)}}), n)
}

// assign gives a post the terms of each set, and returns those that it did not have, by
// their term_taxonomy ids, the taxonomies in which that changed anything, and the terms of each
// set before and after. It ignores ids that are not terms of the taxonomy. bare: the post has
// none yet. counted returns whether the post counted before the transaction, and counts now, as
// 1 or 0.
func (t postTerms) assign(ctx context.Context, post int64, bare bool, counted func(taxonomy string) (was, is int64), sets ...PostTermSet) (changed []string, added []int64, set []rowedit.SetTerms, err error) {
	found, known := allKnown(sets)
	if !bare || !known {
		if found, err = t.wantedAndHad(ctx, post, sets); err != nil {
			return nil, nil, nil, err
		}
	}
	var removed []int64
	for _, wants := range sets {
		var wanted, had []int64
		for _, id := range wants.IDs {
			term := found[assigned{wants.Taxonomy, id}]
			if term.exists && !slices.Contains(wanted, term.taxonomyID) {
				wanted = append(wanted, term.taxonomyID)
			}
		}
		for key, term := range found {
			if key.taxonomy == wants.Taxonomy && term.had {
				had = append(had, term.taxonomyID)
			}
		}
		slices.Sort(had)
		set = append(set, rowedit.SetTerms{Taxonomy: wants.Taxonomy, Old: had, New: wanted})
		without := func(ids, others []int64) []int64 {
			return slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return slices.Contains(others, id) })
		}
		more, less := without(wanted, had), without(had, wanted)
		if len(more)+len(less) > 0 {
			changed = append(changed, wants.Taxonomy)
		}
		was, is := counted(wants.Taxonomy)
		changes := map[int64]int64{}
		for _, id := range more {
			changes[id] = is
		}
		for _, id := range less {
			changes[id] = -was
		}
		t.terms.CountChanges(wants.Taxonomy, changes)
		added, removed = append(added, more...), append(removed, less...)
	}
	if err := t.terms.Relate(ctx, "terms.assign", post, added); err != nil {
		return nil, nil, nil, err
	}
	if err := t.terms.Unrelate(ctx, "terms.unassign", post, removed); err != nil {
		return nil, nil, nil, err
	}
	return changed, added, set, nil
}

// assigned is a term of a taxonomy.
type assigned struct {
	taxonomy string
	id       int64
}

// assignable is what assign needs to know of a term: whether it exists, and whether the
// post has it.
type assignable struct {
	taxonomyID  int64
	exists, had bool
}

// allKnown returns the terms of sets of a post that has none; false if one isn't known. A term
// that is deleted meanwhile is noticed when it is counted.
func allKnown(sets []PostTermSet) (map[assigned]assignable, bool) {
	found := map[assigned]assignable{}
	for _, set := range sets {
		for _, id := range set.IDs {
			taxonomyID, known := set.Known[id]
			if !known {
				return nil, false
			}
			found[assigned{set.Taxonomy, id}] = assignable{taxonomyID: taxonomyID, exists: true}
		}
	}
	return found, true
}

// wantedAndHad reads the terms of sets, and those that the post has in their taxonomies,
// in one statement.
func (t postTerms) wantedAndHad(ctx context.Context, post int64, sets []PostTermSet) (map[assigned]assignable, error) {
	found := map[assigned]assignable{}
	if len(sets) == 0 {
		return found, nil
	}
	wanted := sq.Or{}
	var taxonomies []string
	for _, set := range sets {
		taxonomies = append(taxonomies, set.Taxonomy)
		for block := range slices.Chunk(sqlconn.DistinctIDs(set.IDs), sqlconn.MaxInList) {
			wanted = append(wanted, sq.And{sq.Eq{"tt.taxonomy": set.Taxonomy}, sqlconn.IDList("tt.term_id", block)})
		}
	}
	query := sq.Select("tt.taxonomy", "tt.term_id", "tt.term_taxonomy_id", "1").
		From(t.rows.Table("term_relationships") + " tr").
		Join(t.rows.Table("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tr.object_id": post, "tt.taxonomy": taxonomies})
	if len(wanted) > 0 {
		query = query.SuffixExpr(sq.ConcatExpr("UNION ALL ", sq.Select("tt.taxonomy", "tt.term_id", "tt.term_taxonomy_id", "0").
			From(t.rows.Table("terms")+" t").
			Join(t.rows.Table("term_taxonomy")+" tt ON tt.term_id = t.term_id").
			Where(wanted)))
	}
	var key assigned
	var id int64
	var had bool
	err := t.rows.Query(ctx, "terms.wanted_and_had", query, sqlconn.EachRow(func() {
		term := found[key]
		term.taxonomyID, term.had, term.exists = id, term.had || had, term.exists || !had
		found[key] = term
	}, &key.taxonomy, &key.id, &id, &had))
	return found, err
}

// removeAll removes all terms from a post, whatever their taxonomies.
func (t postTerms) removeAll(ctx context.Context, post int64, counted func(taxonomy string) (was, is int64)) error {
	if _, _, _, err := t.assign(ctx, post, false, counted, PostTermSet{Taxonomy: wpstore.CategoryTaxonomy}, PostTermSet{Taxonomy: wpstore.TagTaxonomy}); err != nil {
		return err
	}
	// Language plugins file terms in the same table: one may have the post's id.
	ofTerms := sq.Select("term_taxonomy_id").From(t.rows.Table("term_taxonomy")).
		Where(sq.Eq{"taxonomy": t.objects})
	return t.rows.Change(ctx, "terms.unassign_all", "term_relationships", sq.Delete(t.rows.Table("term_relationships")).
		Where(sq.Eq{"object_id": post}).Where(sq.Expr("term_taxonomy_id NOT IN (?)", ofTerms)))
}
