package wpstore

import "calbridge/i18n"

// Term is a term in one taxonomy. Name and Description are in stored form (an
// ampersand is "&amp;").
type Term struct {
	ID, TaxonomyID, Group, Parent, Count int64
	Taxonomy, Name, Slug, Description    string
	// Language is the code of its language, "" if the query didn't ask for it.
	Language string

	// Digest is the digest of the row as it was loaded with a post.
	Digest Digest
}

// NewTerm is a term to add. Its texts are in stored form.
type NewTerm struct {
	Taxonomy          string
	Name, Description string
	// Slug is the requested slug, or that of the name if SlugGiven is false.
	Slug      string
	SlugGiven bool
	Parent    int64
	// Hierarchical taxonomies may have the same name under several parents.
	Hierarchical bool
	// Language is the code of its language, "" without languages. It decides what is a
	// duplicate.
	Language string
}

// TermQuery selects terms of one taxonomy for a list. All conditions are joined by AND. A
// nil list of ids is no condition; an empty Include matches nothing.
type TermQuery struct {
	Taxonomy string

	Search    string // part of the name or the slug, with HasSearch
	Slug      string // the whole slug, with HasSlug
	HasSearch bool
	HasSlug   bool

	Include, Exclude []int64 // Include wins
	Same             *int64  // only this term, besides the conditions of Include
	Parent           *int64  // direct children of this term
	PostID           *int64  // terms of this post, empty or not, whatever HideEmpty says

	// Language restricts the terms. With PostID only the total is restricted: WPML
	// lists the terms of a post in all languages.
	Language InLanguage

	// HideEmpty leaves out terms that no published post has. In a Hierarchical
	// taxonomy, terms with a used descendant stay in the list, though the total
	// does not count them.
	HideEmpty    bool
	Hierarchical bool

	// OrderBy is one of name, slug, term_group, term_id, id, count, parent,
	// taxonomy, term_taxonomy_id, description, term_order (with PostID), include
	// (with Include: in that order), none; in any letter case. Anything else is
	// name.
	OrderBy    string
	Descending bool

	Limit, Offset int64 // Limit 0 or less: only the total
}

// TermLookup selects terms of one taxonomy by id, slug and name. Slugs and names are in
// stored form (sanitised, escaped).
type TermLookup struct {
	IDs          []int64
	Slugs, Names []string
	// Translations is the plugin to read the translations of the terms from.
	Translations i18n.Plugin
}

// TermMatches holds the terms found, by the text of the lookup. The database's collation
// decides equality, so "Koncerty" finds the slug "koncerty". Of several terms the one with
// the lowest id wins.
type TermMatches struct {
	ByID           map[int64]Term
	BySlug, ByName map[string]Term
	// SameSlug holds all terms of a slug, by id: under Polylang, languages may share slugs.
	SameSlug map[string][]Term
	// Groups holds the translations of the terms found, by id. A group includes the term
	// itself, under its own language. Terms without a language are absent.
	Groups map[int64]i18n.Group
}
