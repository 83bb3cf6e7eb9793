package eventindex

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"calbridge/wpstore"
	"calbridge/wpstore/guard"
)

const (
	// loadBlock is how many events are read at a time. MariaDB turns lists of 1000 ids and
	// more into a table, which takes three times as long.
	loadBlock = 900
	// denseBlock is how many are read at a time if their ids are [Dense].
	denseBlock = 8 << 10
	// manyEvents is from how many events on all marks are read at once. Without an index on
	// the keys of metadata that takes long.
	manyEvents = 10_000
	// loadReaders is how many statements run at the same time.
	loadReaders = 2
)

// indexedTaxonomies returns those by whose terms lists are filtered.
func indexedTaxonomies(from Source) []string {
	return append([]string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy}, from.LanguageTaxonomies()...)
}

// Places in indexedTaxonomies; those from placeLanguage on are languages.
const (
	placeCategory = iota
	placeTag
	placeLanguage
)

// terms are those of the indexed taxonomies by term_taxonomy_id.
type terms map[int64]TermRow

// load reads the whole index, ready for lists in one order, and counts on p what is read.
func load(ctx context.Context, g *guard.Guard, from Source, occurrences bool, o order, p *progress) (*snapshot, error) {
	tables, err := from.Tables(ctx)
	if err != nil {
		return nil, err
	}
	s := &snapshot{asked: occurrences, tables: tables}
	s.tables.Occurrences = occurrences && tables.Occurrences
	if s.terms, err = loadTerms(ctx, from, nil); err != nil {
		return nil, err
	}
	ids, err := from.EventIDs(ctx)
	if err != nil {
		return nil, err
	}
	ids = sortedSet(ids)
	p.begin(len(ids))
	blocks := blocksOf(ids)
	var marks *blockMarks
	if len(ids) >= manyEvents {
		if marks, err = loadMarks(ctx, g, from, blocks); err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			marks = nil // they are read block by block
		}
	}
	var b rowBuilder
	var sorted runs
	err = readBlocks(ctx, g, from, s, blocks, marks, p, func(e *event) {
		if b.add(e); len(b.rows) >= runRows {
			sorted.add(o, b.rows)
			b.reset()
		}
	})
	if err != nil {
		return nil, err
	}
	sorted.add(o, b.rows)
	s.rows = sortRows(b.texts, sorted.merge(o))
	return s, nil
}

// blocksOf divides ids into blocks to be read at a time.
func blocksOf(ids []int64) (blocks [][]int64) {
	for len(ids) > 0 {
		n := min(denseBlock, len(ids))
		if !Dense(ids[:n]) {
			n = min(loadBlock, len(ids))
		}
		blocks = append(blocks, ids[:n])
		ids = ids[n:]
	}
	return blocks
}

// readBlocks reads the events of all blocks, and calls use with one at a time. It takes four
// queries for each block, five without marks, and one more where a table has languages.
func readBlocks(ctx context.Context, g *guard.Guard, from Source, s *snapshot, blocks [][]int64, marks *blockMarks, p *progress, use func(*event)) error {
	var using sync.Mutex
	readers := make([]reader, loadReaders)
	return inParallel(ctx, g, len(blocks), func(ctx context.Context, worker, i int) error {
		r := &readers[worker]
		r.from, r.tables, r.termsByID = from, s.tables, s.terms
		if err := r.read(ctx, blocks[i], marks.take(i)); err != nil {
			return err
		}
		using.Lock()
		defer using.Unlock()
		r.each(use)
		p.add(len(blocks[i]))
		return nil
	})
}

// inParallel calls do for each number below n, in loadReaders goroutines, and returns the
// first error, after which it calls no more.
func inParallel(ctx context.Context, g *guard.Guard, n int, do func(ctx context.Context, worker, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	var next atomic.Int64
	for worker := range loadReaders {
		g.Go(&group, task, func() {
			for i := int(next.Add(1) - 1); i < n && ctx.Err() == nil; i = int(next.Add(1) - 1) {
				if err := g.Do(task, func() error { return do(ctx, worker, i) }); err != nil {
					cancel(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// loadTerms reads the terms with some ids, all for nil. One query.
func loadTerms(ctx context.Context, from Source, ids []int64) (terms, error) {
	found := terms{}
	err := from.Taxonomies(ctx, indexedTaxonomies(from), ids, func(t TermRow) { found[t.TaxonomyID] = t })
	return found, err
}

// reload returns the snapshot with what has changed read again, and whether anything
// differs. At most seven queries for each loadBlock of posts.
func reload(ctx context.Context, from Source, s *snapshot, changed backlog) (*snapshot, bool, error) {
	if changed.empty() {
		return s, false, nil
	}
	next := *s
	posts := maps.Clone(changed.posts)
	if len(changed.terms) > 0 || changed.allTerms {
		var affected []int64
		var err error
		if next.terms, affected, err = reloadTerms(ctx, from, s.terms, changed); err != nil {
			return nil, false, err
		}
		for _, id := range affected {
			posts[id] = true
		}
	}
	ids := slices.DeleteFunc(slices.Sorted(maps.Keys(posts)), func(id int64) bool { return id <= 0 })
	var events []event
	for block := range slices.Chunk(ids, loadBlock) {
		read, err := loadEvents(ctx, from, next.tables, next.terms, block)
		if err != nil {
			return nil, false, err
		}
		events = append(events, read...)
	}
	var differs bool
	next.rows, differs = s.rows.replace(ids, events)
	return &next, differs, nil
}

// reloadTerms reads terms again, and returns the posts that have a term whose row
// changed: the term_taxonomy_id in their relationships may mean another term now. Two
// queries, one where nothing changed.
func reloadTerms(ctx context.Context, from Source, old terms, stale backlog) (now terms, posts []int64, err error) {
	var ids []int64
	if !stale.allTerms {
		ids = slices.Collect(maps.Keys(stale.terms))
	}
	found, err := loadTerms(ctx, from, ids)
	if err != nil {
		return nil, nil, err
	}
	now = maps.Clone(old)
	var changed []int64
	for id, was := range old {
		if is, ok := found[id]; (stale.allTerms || stale.terms[was.Term]) && (!ok || is != was) {
			changed = append(changed, id)
			delete(now, id)
		}
	}
	for id, is := range found {
		if was, ok := old[id]; !ok || was != is {
			changed = append(changed, id)
			now[id] = is
		}
	}
	if len(changed) == 0 {
		return old, nil, nil
	}
	posts, err = from.PostsOf(ctx, changed)
	return now, posts, err
}
