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

// CountLater makes [Rows.WriteCounts] count what has some terms, by their term_taxonomy ids.
// objects selects the number for the row that is updated. Equal keys have equal objects.
func (r *Rows) CountLater(key, statement string, objects func() sq.SelectBuilder, terms ...int64) {
	for _, id := range terms {
		c := r.countOf(key, statement, objects, id)
		c.changes[id] += 0
		c.unknown[id] = true
	}
}

// CountChanges does what CountLater does where it is known by how much the transaction changes each
// count.
func (r *Rows) CountChanges(key, statement string, objects func() sq.SelectBuilder, changes map[int64]int64) {
	for id, n := range changes {
		r.countOf(key, statement, objects, id).changes[id] += n
	}
}

func (r *Rows) countOf(key, statement string, objects func() sq.SelectBuilder, term int64) *count {
	r.Changed.TermTaxonomies(term)
	at := slices.IndexFunc(r.counts, func(c count) bool { return c.key == key })
	if at < 0 {
		at = len(r.counts)
		r.counts = append(r.counts, count{key, statement, objects, map[int64]int64{}, map[int64]bool{}})
	}
	return &r.counts[at]
}

// write counts what has some of the terms.
func (c *count) write(ctx context.Context, r *Rows, terms []int64) error {
	terms = slices.DeleteFunc(slices.Sorted(maps.Keys(c.changes)), func(id int64) bool { return !slices.Contains(terms, id) })
	if len(terms) == 0 {
		return nil
	}
	return r.Change(ctx, c.statement, "term_taxonomy", sq.Update(r.Table("term_taxonomy")).Set("count", c.objects()).Where(sqlconn.IDList("term_taxonomy_id", terms)))
}

// WriteCounts writes the counts that are due. It locks the rows of the terms first: of all
// transactions that change what has a term, each counts what those before it have
// committed. They are locked late and all at once, because many events share them.
//
// meanwhile runs when they are locked, or on the way there: it must not change what has terms.
func (r *Rows) WriteCounts(ctx context.Context, meanwhile func() error) error {
	counts, related := r.counts, r.related
	r.counts, r.related = nil, nil
	var terms []int64
	for _, c := range counts {
		terms = slices.AppendSeq(terms, maps.Keys(c.changes))
	}
	terms = sqlconn.DistinctIDs(terms)
	if len(terms) == 0 {
		return meanwhile()
	}
	known, epoch := r.Verified.Known(terms)
	if !r.Proven || r.Miscounted {
		known = nil
	}
	r.leaves(epoch)
	lock, err := r.Templates().ByIDs("terms.lock_counts", "", "term_taxonomy_id", terms, func(onIDs sq.Sqlizer) sq.Sqlizer {
		return counted(r, onIDs).OrderBy("term_taxonomy_id").Suffix(r.Dialect().ForUpdate())
	})
	if err != nil {
		return err
	}
	if len(known) == 0 { // all in one round trip
		if err := sqlconn.Lock(ctx, r.Runner, "terms.lock_counts", "term_taxonomy", lock); err != nil {
			return err
		}
	} else {
		ahead := int64(0)
		if len(known) == len(terms) {
			ahead = sameChange(counts)
		}
		if ahead != 0 { // all in one round trip as well; what was wrong before is counted below
			if err := addTo(ctx, r, ahead, terms); err != nil {
				return err
			}
			sqlconn.SendAlong(r.Runner, lock.Reading("term_taxonomy")) // with meanwhile's first query
			if err := meanwhile(); err != nil {
				return err
			}
			meanwhile = nothing
		}
		stored, err := r.readCounts(ctx, "terms.lock_counts", lock)
		if err != nil {
			return err
		}
		if known, now := r.Verified.Known(terms); now == epoch { // it has waited for the lock
			added, err := r.addToCounts(ctx, counts, stored, known, ahead)
			if err != nil {
				return err
			}
			terms = slices.DeleteFunc(terms, func(id int64) bool { return added[id] })
		}
	}
	if len(terms) == 0 {
		return meanwhile()
	}
	for _, c := range counts {
		if err := c.write(ctx, r, terms); err != nil {
			return err
		}
	}
	exists, err := r.readCounts(ctx, "terms.counted", counted(r, sqlconn.IDList("term_taxonomy_id", terms)))
	if err != nil {
		return err
	}
	for id := range related {
		if _, found := exists[id]; !found && slices.Contains(terms, id) {
			r.Verified.ForgetTerms()
			return fmt.Errorf("%w: %w: term %d was deleted meanwhile", wpstore.ErrUnavailable, sqlconn.ErrConflict, id)
		}
	}
	return meanwhile()
}

func nothing() error { return nil }

// counted selects the counts of terms.
func counted(r *Rows, onIDs sq.Sqlizer) sq.SelectBuilder {
	return sq.Select("term_taxonomy_id", "term_id", "count").From(r.Table("term_taxonomy")).Where(onIDs)
}

// readCounts reads counts, and notes them as what the transaction leaves behind.
func (r *Rows) readCounts(ctx context.Context, name string, query sq.Sqlizer) (stored map[int64]int64, err error) {
	stored = map[int64]int64{}
	var taxonomyID, term, left int64
	err = r.Query(ctx, name, query, sqlconn.EachRow(func() {
		stored[taxonomyID], r.left.Counts[taxonomyID] = left, left
		r.Changed.termOf(taxonomyID, term)
	}, &taxonomyID, &term, &left))
	return stored, err
}

// CountLeft returns the count that the transaction leaves with a term, by its term_taxonomy id;
// false where it has read none. Call it after [Rows.WriteCounts].
func (r *Rows) CountLeft(term int64) (count int64, known bool) {
	if r.left == nil {
		return 0, false
	}
	count, known = r.left.Counts[term]
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
// are locked. ahead was added to all of them before they were read.
func (r *Rows) addToCounts(ctx context.Context, counts []count, stored map[int64]int64, known map[int64][]int64, ahead int64) (added map[int64]bool, err error) {
	added = map[int64]bool{}
	by := map[int64][]int64{} // terms by the change of their count
	for _, c := range counts {
		for id, n := range c.changes {
			value, exists := stored[id]
			if exists && !c.unknown[id] && !added[id] && slices.Contains(known[id], value-ahead) {
				added[id] = true
				by[n-ahead] = append(by[n-ahead], id)
				r.left.Counts[id] = value - ahead + n
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

// CronDue reports whether [Rows.Finish] changes cron.
func CronDue(r *Rows) bool { return len(r.cron) > 0 }

// Finish writes last what most transactions have in common: counts, then cron.
func (r *Rows) Finish(ctx context.Context) error {
	if err := r.WriteCounts(ctx, nothing); err != nil {
		return err
	}
	return Cron{Options{r}}.write(ctx)
}
