package wpstore

import (
	"context"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"
)

// Changes names what a transaction wrote, for caches that hold it: those of
// WordPress beside us, and our own.
type Changes struct {
	Posts, Terms        []int64
	Taxonomies, Options []string
}

// Empty says that nothing was written that a cache could hold.
func (c Changes) Empty() bool {
	return len(c.Posts)+len(c.Terms)+len(c.Taxonomies)+len(c.Options) == 0
}

// touched collects the changes of a running transaction.
type touched struct {
	posts, terms, termTaxonomies map[int64]bool
	taxonomies, options          map[string]bool
}

func newTouched() *touched {
	return &touched{map[int64]bool{}, map[int64]bool{}, map[int64]bool{}, map[string]bool{}, map[string]bool{}}
}

func (t *touched) row(table string, id int64) {
	switch table {
	case "posts":
		t.posts[id] = true
	case "terms":
		t.terms[id] = true
	}
}

// changes lists what was touched. Terms whose counts changed are known by their
// taxonomy ids only, so they are looked up, in the transaction.
func (tx *Tx) changes(ctx context.Context) (Changes, error) {
	t := tx.touched
	if len(t.termTaxonomies) > 0 {
		ids, err := tx.ids(ctx, "terms.of_taxonomy_ids", sq.Select("term_id").From(tx.table("term_taxonomy")).
			Where(idList("term_taxonomy_id", slices.Collect(maps.Keys(t.termTaxonomies)))))
		if err != nil {
			return Changes{}, err
		}
		for _, id := range ids {
			t.terms[id] = true
		}
	}
	return Changes{
		Posts: slices.Sorted(maps.Keys(t.posts)), Terms: slices.Sorted(maps.Keys(t.terms)),
		Taxonomies: slices.Sorted(maps.Keys(t.taxonomies)), Options: slices.Sorted(maps.Keys(t.options)),
	}, nil
}
