package rowedit

import (
	"context"
	"iter"
	"maps"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
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

// ChangeSet collects the changes of a running transaction.
type ChangeSet struct {
	posts, terms, termTaxonomies, users map[int64]bool
	taxonomies, options                 map[string]bool
	// beyond says that rows of others changed along with those named.
	beyond bool
}

// NewChangeSet is that of a transaction that has written nothing yet.
func NewChangeSet() *ChangeSet {
	return &ChangeSet{posts: map[int64]bool{}, terms: map[int64]bool{}, termTaxonomies: map[int64]bool{}, users: map[int64]bool{},
		taxonomies: map[string]bool{}, options: map[string]bool{}}
}

// Posts notes posts whose row, metadata or terms change.
func (s *ChangeSet) Posts(ids ...int64) { note(s.posts, ids) }

// Terms notes terms whose rows change.
func (s *ChangeSet) Terms(ids ...int64) { note(s.terms, ids) }

// TermTaxonomies notes terms by their term_taxonomy ids.
func (s *ChangeSet) TermTaxonomies(ids ...int64) { note(s.termTaxonomies, ids) }

// User notes an account whose metadata changes.
func (s *ChangeSet) User(id int64) { s.users[id] = true }

// Taxonomy notes a taxonomy that has other terms, or counts of them.
func (s *ChangeSet) Taxonomy(name string) { s.taxonomies[name] = true }

// Option notes an option that gets another value.
func (s *ChangeSet) Option(name string) { s.options[name] = true }

// Beyond notes that rows of others changed along with those named, as the posts that
// had a term do when it goes.
func (s *ChangeSet) Beyond() { s.beyond = true }

func note(all map[int64]bool, ids []int64) {
	for _, id := range ids {
		all[id] = true
	}
}

// row notes a new row.
func (s *ChangeSet) row(table string, id int64) {
	switch table {
	case "posts":
		s.posts[id] = true
	case "terms":
		s.terms[id] = true
	}
}

// Changes lists what was noted. Terms whose counts changed are known by their
// taxonomy ids only, so they are looked up, in the transaction.
func (s *ChangeSet) Changes(ctx context.Context, run *sqlconn.Runner, tables table.Names) (Changes, error) {
	if len(s.termTaxonomies) > 0 {
		ids, err := run.IDs(ctx, "terms.of_taxonomy_ids", sq.Select("term_id").From(tables.Quoted("term_taxonomy")).
			Where(sqlconn.IDList("term_taxonomy_id", slices.Collect(maps.Keys(s.termTaxonomies)))))
		if err != nil {
			return Changes{}, err
		}
		s.Terms(ids...)
	}
	return Changes{
		Posts: slices.Sorted(maps.Keys(s.posts)), Terms: slices.Sorted(maps.Keys(s.terms)),
		Taxonomies: slices.Sorted(maps.Keys(s.taxonomies)), Options: slices.Sorted(maps.Keys(s.options)),
	}, nil
}

// Table is a table that writes change.
type Table struct {
	Name string
	// Sets are what depends on its rows as a whole, besides what depends on the posts,
	// terms, users and options that they belong to.
	Sets []invalidation.Kind
}

// Tables are those that writes change on every site, those that only some sites have
// at the end. Language plugins have more.
func Tables() []Table {
	return []Table{
		{"posts", []invalidation.Kind{invalidation.Posts}},
		{"postmeta", []invalidation.Kind{invalidation.Posts}},
		{"options", nil},
		{"terms", []invalidation.Kind{invalidation.Terms}},
		{"term_taxonomy", []invalidation.Kind{invalidation.Terms, invalidation.Translations}},
		{"term_relationships", []invalidation.Kind{invalidation.Posts, invalidation.Translations}},
		{"termmeta", []invalidation.Kind{invalidation.Terms}},
		{"comments", nil},
		{"commentmeta", nil},
		{"tec_events", []invalidation.Kind{invalidation.Posts}},
		{"tec_occurrences", []invalidation.Kind{invalidation.Posts}},
	}
}

// Tags are what a transaction changed, for whoever caches what depends on it; false
// when that can't be told. written are the physical names of the tables that it wrote
// to, sets those of all tables that writes change, and siteOptions the
// options that the facts of the site are read from.
func (s *ChangeSet) Tags(c Changes, written iter.Seq[string], sets map[string][]invalidation.Kind, siteOptions []string) ([]invalidation.Tag, bool) {
	changed := map[invalidation.Kind]bool{}
	for table := range written {
		kinds, known := sets[table]
		if !known {
			return nil, false
		}
		for _, kind := range kinds {
			changed[kind] = true
		}
	}
	if s.beyond || changed[invalidation.Posts] && len(c.Posts)+len(c.Terms) == 0 {
		return nil, false
	}
	if slices.ContainsFunc(c.Options, func(name string) bool { return slices.Contains(siteOptions, name) }) {
		changed[invalidation.Site] = true
	}
	var tags []invalidation.Tag
	all := func(kind invalidation.Kind, ids []int64) {
		for _, id := range ids {
			tags = append(tags, invalidation.Tag{Kind: kind, ID: id})
		}
	}
	all(invalidation.Post, c.Posts)
	all(invalidation.Term, c.Terms)
	all(invalidation.User, slices.Collect(maps.Keys(s.users)))
	for kind := range changed {
		tags = append(tags, invalidation.Tag{Kind: kind})
	}
	return tags, true
}
