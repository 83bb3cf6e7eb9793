package rowedit

import (
	"context"
	"fmt"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// count is a way to count what has a term, and the rows of term_taxonomy to write it to.
type count struct {
	key, statement string
	objects        sq.SelectBuilder
	terms          []int64
}

// CountLater makes [Rows.WriteCounts] count what has some terms, by their term_taxonomy ids.
// objects selects the number for the row that is updated. Equal keys have equal objects.
func (r *Rows) CountLater(key, statement string, objects sq.SelectBuilder, terms ...int64) {
	if len(terms) == 0 {
		return
	}
	r.Changed.TermTaxonomies(terms...)
	at := slices.IndexFunc(r.counts, func(c count) bool { return c.key == key })
	if at < 0 {
		at = len(r.counts)
		r.counts = append(r.counts, count{key: key, statement: statement, objects: objects})
	}
	r.counts[at].terms = append(r.counts[at].terms, terms...)
}

// WriteCounts writes the counts that are due. It locks the rows of the terms first: of all
// transactions that change what has a term, each counts what those before it have
// committed. They are locked late and all at once, because many events share them.
func (r *Rows) WriteCounts(ctx context.Context) error {
	counts, related := r.counts, r.related
	r.counts, r.related = nil, nil
	var terms []int64
	for _, c := range counts {
		terms = append(terms, c.terms...)
	}
	if len(terms) == 0 {
		return nil
	}
	exists := map[int64]bool{}
	var taxonomyID, term int64
	err := r.Query(ctx, "terms.lock_counts", sq.Select("term_taxonomy_id", "term_id").From(r.Table("term_taxonomy")).
		Where(sqlconn.IDList("term_taxonomy_id", sqlconn.DistinctIDs(terms))).OrderBy("term_taxonomy_id").Suffix(r.Dialect().ForUpdate()),
		sqlconn.EachRow(func() {
			exists[taxonomyID] = true
			r.Changed.termOf(taxonomyID, term)
		}, &taxonomyID, &term))
	if err != nil {
		return err
	}
	for id := range related {
		if slices.Contains(terms, id) && !exists[id] {
			return fmt.Errorf("%w: %w: term %d was deleted meanwhile", wpstore.ErrUnavailable, sqlconn.ErrConflict, id)
		}
	}
	for _, c := range counts {
		if err := r.Change(ctx, c.statement, sq.Update(r.Table("term_taxonomy")).Set("count", c.objects).
			Where(sqlconn.IDList("term_taxonomy_id", sqlconn.DistinctIDs(c.terms)))); err != nil {
			return err
		}
	}
	return nil
}

// Finish writes last what most transactions have in common: counts, then cron.
func (r *Rows) Finish(ctx context.Context) error {
	if err := r.WriteCounts(ctx); err != nil {
		return err
	}
	return Cron{Options{r}}.write(ctx)
}
