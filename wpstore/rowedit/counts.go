package rowedit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// count is a way to count what has a term, and the rows of term_taxonomy to write it to.
type count struct {
	key, statement string
	objects        sq.SelectBuilder
	// changes are by how much the transaction changes the counts, by term_taxonomy_id;
	// unknown are the terms of which that isn't known.
	changes map[int64]int64
	unknown map[int64]bool
}

// CountLater makes [Rows.WriteCounts] count what has some terms, by their term_taxonomy ids.
// objects selects the number for the row that is updated. Equal keys have equal objects.
func (r *Rows) CountLater(key, statement string, objects sq.SelectBuilder, terms ...int64) {
	for _, id := range terms {
		c := r.countOf(key, statement, objects, id)
		c.changes[id] += 0
		c.unknown[id] = true
	}
}

// CountChanges is CountLater where it is known by how much the transaction changes each
// count.
func (r *Rows) CountChanges(key, statement string, objects sq.SelectBuilder, changes map[int64]int64) {
	for id, n := range changes {
		r.countOf(key, statement, objects, id).changes[id] += n
	}
}

func (r *Rows) countOf(key, statement string, objects sq.SelectBuilder, term int64) *count {
	r.Changed.TermTaxonomies(term)
	at := slices.IndexFunc(r.counts, func(c count) bool { return c.key == key })
	if at < 0 {
		at = len(r.counts)
		r.counts = append(r.counts, count{key, statement, objects, map[int64]int64{}, map[int64]bool{}})
	}
	return &r.counts[at]
}

// write updates the counts: by the change where the stored count is one of those known, else
// by counting.
func (c *count) write(ctx context.Context, r *Rows, known map[int64][]int64) error {
	ids := slices.Sorted(maps.Keys(c.changes))
	counted := sq.Sqlizer(c.objects)
	var cases []string
	for _, id := range ids {
		if values := known[id]; len(values) > 0 && !c.unknown[id] {
			texts := make([]string, len(values))
			for i, value := range values {
				texts[i] = strconv.FormatInt(value, 10)
			}
			cases = append(cases, fmt.Sprintf("WHEN term_taxonomy_id = %d AND count IN (%s) THEN count + (%d)", id, strings.Join(texts, ","), c.changes[id]))
		}
	}
	if len(cases) > 0 {
		counted = sq.Expr("CASE "+strings.Join(cases, " ")+" ELSE (?) END", c.objects)
	}
	return r.Change(ctx, c.statement, sq.Update(r.Table("term_taxonomy")).Set("count", counted).Where(sqlconn.IDList("term_taxonomy_id", ids)))
}

// WriteCounts writes the counts that are due. It locks the rows of the terms first: of all
// transactions that change what has a term, each counts what those before it have
// committed. They are locked late and all at once, because many events share them.
func (r *Rows) WriteCounts(ctx context.Context) error {
	counts, related := r.counts, r.related
	r.counts, r.related = nil, nil
	var terms []int64
	for _, c := range counts {
		terms = slices.AppendSeq(terms, maps.Keys(c.changes))
	}
	terms = sqlconn.DistinctIDs(terms)
	if len(terms) == 0 {
		return nil
	}
	known, epoch := r.Verified.Known(terms)
	if !r.Proven {
		known = nil
	}
	if r.left == nil {
		r.left, r.epoch = map[int64]int64{}, epoch
	}
	rows := sq.Select("term_taxonomy_id").From(r.Table("term_taxonomy")).Where(sqlconn.IDList("term_taxonomy_id", terms)).OrderBy("term_taxonomy_id")
	if err := sqlconn.Lock(ctx, r.Runner, "terms.lock_counts", rows.Suffix(r.Dialect().ForUpdate())); err != nil {
		return err
	}
	exists, err := r.writeCounts(ctx, counts, terms, known)
	if err == nil && len(known) > 0 && !r.Verified.Holds(epoch) { // while it waited for the lock
		exists, err = r.writeCounts(ctx, counts, terms, nil)
	}
	if err != nil {
		return err
	}
	for id := range related {
		if slices.Contains(terms, id) && !exists[id] {
			return fmt.Errorf("%w: %w: term %d was deleted meanwhile", wpstore.ErrUnavailable, sqlconn.ErrConflict, id)
		}
	}
	return nil
}

// writeCounts writes counts, and reads what it has left behind. The terms are locked.
func (r *Rows) writeCounts(ctx context.Context, counts []count, terms []int64, known map[int64][]int64) (exists map[int64]bool, err error) {
	for _, c := range counts {
		if err := c.write(ctx, r, known); err != nil {
			return nil, err
		}
	}
	exists = map[int64]bool{}
	var taxonomyID, term, left int64
	err = r.Query(ctx, "terms.counted", sq.Select("term_taxonomy_id", "term_id", "count").From(r.Table("term_taxonomy")).
		Where(sqlconn.IDList("term_taxonomy_id", terms)), sqlconn.EachRow(func() {
		exists[taxonomyID] = true
		r.left[taxonomyID] = left
		r.Changed.termOf(taxonomyID, term)
	}, &taxonomyID, &term, &left))
	return exists, err
}

// Unaccounted notes that the transaction changes what has terms in other ways than their
// counts say.
func (r *Rows) Unaccounted() { r.unaccounted = true }

// Committing notes that the transaction is about to be committed. The result gets the
// outcome.
func (r *Rows) Committing() sqlconn.Ended {
	forget := r.unaccounted || r.Changed.beyond
	if forget {
		r.Verified.Forget()
	}
	ended := r.Verified.Commit(r.left, r.epoch)
	return func(gtid string, err error) {
		ended(gtid, err)
		if forget { // others may have counted before the commit
			r.Verified.Forget()
		}
	}
}

// Finish writes last what most transactions have in common: counts, then cron.
func (r *Rows) Finish(ctx context.Context) error {
	if err := r.WriteCounts(ctx); err != nil {
		return err
	}
	return Cron{Options{r}}.write(ctx)
}
