package eventindex

import (
	"context"
	"maps"
	"slices"

	"calbridge/wpstore"
)

// loadBlock is how many events are read at a time. MariaDB turns lists of 1000 ids and
// more into a table, which takes three times as long.
const loadBlock = 900

// indexedTaxonomies are those by whose terms lists are filtered.
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

// load reads the whole index, ready for lists in one order. It takes five queries for
// each loadBlock of events.
func load(ctx context.Context, from Source, occurrences bool, o order) (*snapshot, error) {
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
	var texts texts
	var rows []row
	for block := range slices.Chunk(ids, loadBlock) {
		events, err := loadEvents(ctx, from, s.tables, block)
		if err != nil {
			return nil, err
		}
		for i := range events {
			rows = append(rows, texts.rows(&events[i])...)
		}
	}
	s.rows = sortRows(texts, rows, o)
	return s, nil
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
		read, err := loadEvents(ctx, from, next.tables, block)
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
