package rowedit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// count is a way to count what has a term, and the rows of term_taxonomy to write it to.
type count struct {
	key, statement string
	objects        func() sq.SelectBuilder
	// changes are by how much the transaction changes the counts, by term_taxonomy_id;
	// unknown are the terms of which that isn't known.
	changes map[int64]int64
	unknown map[int64]bool
}

// Counts are the counts of terms that a transaction writes last.
type Counts struct {
	rows *Rows
	due  []count
	// related are the term_taxonomy ids that the transaction gives to objects.
	related map[int64]bool
}

// Later makes Write count what has some terms, by their term_taxonomy ids.
// objects selects the number for the row that is updated. Equal keys have equal objects.
func (c *Counts) Later(key, statement string, objects func() sq.SelectBuilder, terms ...int64) {
	for _, id := range terms {
		due := c.of(key, statement, objects, id)
		due.changes[id] += 0
		due.unknown[id] = true
	}
}

// Change does what Later does where it is known by how much the transaction changes each
// count.
func (c *Counts) Change(key, statement string, objects func() sq.SelectBuilder, changes map[int64]int64) {
	for id, n := range changes {
		c.of(key, statement, objects, id).changes[id] += n
	}
}

func (c *Counts) of(key, statement string, objects func() sq.SelectBuilder, term int64) *count {
	c.rows.Changed.TermTaxonomies(term)
	at := slices.IndexFunc(c.due, func(due count) bool { return due.key == key })
	if at < 0 {
		at = len(c.due)
		c.due = append(c.due, count{key, statement, objects, map[int64]int64{}, map[int64]bool{}})
	}
	return &c.due[at]
}

// write counts what has some of the terms.
func (c *count) write(ctx context.Context, r *Rows, terms []int64) error {
	terms = slices.DeleteFunc(slices.Sorted(maps.Keys(c.changes)), func(id int64) bool { return !slices.Contains(terms, id) })
	if len(terms) == 0 {
		return nil
	}
	return r.Change(ctx, c.statement, "term_taxonomy", sq.Update(r.Table("term_taxonomy")).Set("count", c.objects()).Where(sqlconn.IDList("term_taxonomy_id", terms)))
}

// Write writes the counts that are due. It locks the rows of the terms first: of all
// transactions that change what has a term, each counts what those before it have
// committed. They are locked late and all at once, because many events share them.
//
// others, unless it is nil, is called once, when the counts are locked or will be by the batch
// that it gets. It may change rows that don't have terms, and queues queries that are sent in the
// same round trip.
func (c *Counts) Write(ctx context.Context, others func(*sqlconn.Batch) error) error {
	due := countsDue{Rows: c.rows, counts: c.due, related: c.related, others: others}
	c.due, c.related = nil, map[int64]bool{}
	for _, c := range due.counts {
		due.terms = slices.AppendSeq(due.terms, maps.Keys(c.changes))
	}
	if due.terms = sqlconn.DistinctIDs(due.terms); len(due.terms) > 0 {
		return due.write(ctx)
	}
	return due.send(ctx, sqlconn.NewBatch(c.rows.Runner))
}

// countsDue are the counts that Counts.Write writes.
type countsDue struct {
	*Rows
	counts  []count
	related map[int64]bool
	// terms are those whose counts are not written yet.
	terms []int64
	// others are called with the next batch; nil for none.
	others func(*sqlconn.Batch) error
}

// send sends a batch with the queries of others.
func (d *countsDue) send(ctx context.Context, b *sqlconn.Batch) error {
	if others := d.others; others != nil {
		d.others = nil
		if err := others(b); err != nil {
			return err
		}
	}
	return b.Send(ctx)
}

func (d *countsDue) write(ctx context.Context) error {
	known, epoch := d.Known.countsOf(d.terms)
	lock, err := d.Templates().ByIDs("terms.lock_counts", "", "term_taxonomy_id", d.terms, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return counted(d.Rows, onIDs).OrderBy("term_taxonomy_id").Suffix(d.Dialect().ForUpdate())
	})
	if err != nil {
		return err
	}
	if len(known) == 0 {
		if err := sqlconn.Lock(ctx, d.Runner, "terms.lock_counts", lock); err != nil {
			return err
		}
	} else if err := d.add(ctx, lock, known, epoch); err != nil {
		return err
	}
	if len(d.terms) > 0 {
		return d.recount(ctx)
	}
	return d.send(ctx, sqlconn.NewBatch(d.Runner))
}

// add adds to the counts that are one of those known, and removes them from d.terms. Where all
// change by the same number, it adds that to all of them with the statement that reads and locks
// them: those that were wrong before are counted then.
func (d *countsDue) add(ctx context.Context, lock sqlconn.Statement, known map[int64][]int64, epoch uint64) error {
	b, stored, before := sqlconn.NewBatch(d.Runner), map[int64]int64{}, int64(0)
	if len(known) == len(d.terms) {
		before = sameChange(d.counts)
	}
	d.queueCounts(b, "terms.lock_counts", lock, stored)
	send := b.Send
	if before != 0 {
		if err := addTo(ctx, d.Rows, before, d.terms); err != nil {
			return err
		}
		send = func(ctx context.Context) error { return d.send(ctx, b) }
	}
	if err := send(ctx); err != nil {
		return err
	}
	known, now := d.Known.countsOf(d.terms)
	if now != epoch { // it has waited for the lock
		return nil
	}
	added, err := d.addToCounts(ctx, d.counts, stored, known, before)
	d.terms = slices.DeleteFunc(d.terms, func(id int64) bool { return added[id] })
	return err
}

// recount counts what has the terms.
func (d *countsDue) recount(ctx context.Context) error {
	for _, c := range d.counts {
		if err := c.write(ctx, d.Rows, d.terms); err != nil {
			return err
		}
	}
	b, exists := sqlconn.NewBatch(d.Runner), map[int64]int64{}
	d.queueCounts(b, "terms.counted", counted(d.Rows, sqlconn.IDList("term_taxonomy_id", d.terms)), exists)
	if err := d.send(ctx, b); err != nil {
		return err
	}
	for id := range d.related {
		if _, found := exists[id]; !found && slices.Contains(d.terms, id) {
			d.Known.memory.ForgetTerms()
			return fmt.Errorf("%w: %w: term %d was deleted meanwhile", wpstore.ErrUnavailable, sqlconn.ErrConflict, id)
		}
	}
	return nil
}

// counted selects the counts of terms.
func counted(r *Rows, onIDs sq.Sqlizer) sq.SelectBuilder {
	return sq.Select("term_taxonomy_id", "term_id", "count").From(r.Table("term_taxonomy")).Where(onIDs)
}

// queueCounts queues a query of counts, and records them among the facts that the transaction leaves
// behind.
func (r *Rows) queueCounts(b *sqlconn.Batch, name string, query sq.Sqlizer, stored map[int64]int64) {
	var taxonomyID, term, left int64
	b.Query(name, query, sqlconn.EachRow(func() {
		stored[taxonomyID], r.Known.left.Counts[taxonomyID] = left, left
		r.Changed.termOf(taxonomyID, term)
	}, &taxonomyID, &term, &left))
}

// Left returns the count that the transaction leaves with a term, by its term_taxonomy id; false
// where it has read none. Call it after Write.
func (c *Counts) Left(term int64) (count int64, known bool) {
	count, known = c.rows.Known.left.Counts[term]
	return count, known
}

// sameChange returns the change of all counts, 0 where they differ or one isn't known.
func sameChange(counts []count) (same int64) {
	seen := map[int64]bool{}
	for _, c := range counts {
		for id, n := range c.changes {
			if c.unknown[id] || seen[id] || n == 0 || len(seen) > 0 && n != same {
				return 0
			}
			seen[id], same = true, n
		}
	}
	return same
}

// addToCounts writes the counts that are one of those known, and returns their terms, which
// are locked. before was added to all of them before they were read.
func (r *Rows) addToCounts(ctx context.Context, counts []count, stored map[int64]int64, known map[int64][]int64, before int64) (added map[int64]bool, err error) {
	added = map[int64]bool{}
	by := map[int64][]int64{} // terms by the change of their count
	for _, c := range counts {
		for id, n := range c.changes {
			value, exists := stored[id]
			if exists && !c.unknown[id] && !added[id] && slices.Contains(known[id], value-before) {
				added[id] = true
				by[n-before] = append(by[n-before], id)
				r.Known.left.Counts[id] = value - before + n
			}
		}
	}
	delete(by, 0)
	for _, n := range slices.Sorted(maps.Keys(by)) {
		if err := addTo(ctx, r, n, by[n]); err != nil {
			return nil, err
		}
	}
	return added, nil
}

// addTo adds n to the counts of terms, which it locks in the order of their ids.
func addTo(ctx context.Context, r *Rows, n int64, terms []int64) error {
	add, err := r.Templates().ByIDs("terms.add_to_counts", strconv.FormatInt(n, 10), "term_taxonomy_id", sqlconn.DistinctIDs(terms), func(onIDs sq.Sqlizer) sq.Sqlizer {
		return sq.Update(r.Table("term_taxonomy")).Set("count", sq.Expr(fmt.Sprintf("count + (%d)", n))).Where(onIDs)
	})
	if err != nil {
		return err
	}
	return r.Change(ctx, "terms.add_to_counts", "term_taxonomy", add)
}
