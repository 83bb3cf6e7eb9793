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

// Changes is what a transaction wrote, for the caches to invalidate: WordPress's and our
// own.
type Changes struct {
	Posts, Terms        []int64
	Taxonomies, Options []string
	// Saves are what WordPress's functions would have done, in their order, by User.
	Saves []Save
	User  int64
}

// Empty says that no cached data changed.
func (c Changes) Empty() bool {
	return len(c.Posts)+len(c.Terms)+len(c.Taxonomies)+len(c.Options) == 0
}

// ChangeSet collects the changes of a running transaction.
type ChangeSet struct {
	posts, terms, termTaxonomies, users map[int64]bool
	taxonomies, options                 map[string]bool
	saves                               []*Save
	// beyond says that more rows changed than are listed here. termsEdited: more of terms
	// has changed than their counts.
	beyond, termsEdited bool
}

// NewChangeSet returns an empty set.
func NewChangeSet() *ChangeSet {
	return &ChangeSet{posts: map[int64]bool{}, terms: map[int64]bool{}, termTaxonomies: map[int64]bool{}, users: map[int64]bool{},
		taxonomies: map[string]bool{}, options: map[string]bool{}}
}

// Posts notes posts whose row, metadata or terms change.
func (s *ChangeSet) Posts(ids ...int64) { note(s.posts, ids) }

// Terms notes terms of which more changes than their counts.
func (s *ChangeSet) Terms(ids ...int64) {
	note(s.terms, ids)
	s.termsEdited = s.termsEdited || len(ids) > 0
}

// TermTaxonomies notes terms by their term_taxonomy ids.
func (s *ChangeSet) TermTaxonomies(ids ...int64) { note(s.termTaxonomies, ids) }

// termOf notes a term whose term_taxonomy id was noted.
func (s *ChangeSet) termOf(taxonomyID, term int64) {
	delete(s.termTaxonomies, taxonomyID)
	s.terms[term] = true
}

// User notes an account whose metadata changes.
func (s *ChangeSet) User(id int64) { s.users[id] = true }

// Taxonomy notes a taxonomy whose terms or counts change.
func (s *ChangeSet) Taxonomy(name string) { s.taxonomies[name] = true }

// Option notes an option whose value changes.
func (s *ChangeSet) Option(name string) { s.options[name] = true }

// Save notes what a function of WordPress would have done. The caller may complete it until the
// transaction ends.
func (s *ChangeSet) Save(save Save) *Save {
	s.saves = append(s.saves, &save)
	return &save
}

// Beyond notes that more rows change than the ones listed, as when a term is deleted from
// its posts.
func (s *ChangeSet) Beyond() { s.beyond = true }

// KnownPosts returns the posts that were noted, and whether no others have changed.
func (s *ChangeSet) KnownPosts() (posts []int64, all bool) {
	return slices.Sorted(maps.Keys(s.posts)), !s.beyond
}

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
		s.Terms(id)
	}
}

// Changes lists what was noted. It looks up the ids of terms that were noted by their
// term_taxonomy ids.
func (s *ChangeSet) Changes(ctx context.Context, run *sqlconn.Runner, tables table.Names) (Changes, error) {
	if len(s.termTaxonomies) > 0 {
		ids, err := run.IDs(ctx, "terms.of_taxonomy_ids", sq.Select("term_id").From(tables.Quoted("term_taxonomy")).
			Where(sqlconn.IDList("term_taxonomy_id", slices.Collect(maps.Keys(s.termTaxonomies)))))
		if err != nil {
			return Changes{}, err
		}
		note(s.terms, ids)
	}
	saves := make([]Save, len(s.saves))
	for i, save := range s.saves {
		saves[i] = *save
	}
	return Changes{
		Saves: saves,
		Posts: slices.Sorted(maps.Keys(s.posts)), Terms: slices.Sorted(maps.Keys(s.terms)),
		Taxonomies: slices.Sorted(maps.Keys(s.taxonomies)), Options: slices.Sorted(maps.Keys(s.options)),
	}, nil
}

// Table is a table that writes change.
type Table struct {
	Name string
	// Sets are the kinds of cached data that any change of the table invalidates, besides
	// data about the posts, terms, users and options that the rows belong to.
	Sets []invalidation.Kind
}

// Tables returns the tables that writes change, without those of language plugins. The last
// ones exist on some sites only.
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

// Tags returns the tags of cached data that a transaction invalidates; false means all data.
// written are the tables that it wrote to, sets the Sets of all
// tables that writes change, and siteOptions the options that the site's facts come from.
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
