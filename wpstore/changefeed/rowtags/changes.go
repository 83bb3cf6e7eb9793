package rowtags

import (
	"maps"
	"slices"

	"calbridge/wpstore/invalidation"
)

// maxChanges limits the details collected of one or more transactions; beyond it,
// everything counts as changed.
const maxChanges = 1 << 13

// set is a set of values.
type set[T comparable] map[T]struct{}

func (s set[T]) add(v T) { s[v] = struct{}{} }

// Changes holds what has changed according to rows of the log.
type Changes struct {
	everything bool
	tags       set[invalidation.Tag]
	// relations are rows that changed; whether the object is a post or a term depends on
	// the taxonomy.
	relations set[relation]
	// terms are ids of terms whose row changed, any of which may be a language.
	terms set[int64]
	// taxonomies are rows of term_taxonomy that changed, by their ids. The value is the new
	// row, or the zero value if the row was added or deleted. termsOf are the ids whose
	// terms changed.
	taxonomies map[int64]termOf
	termsOf    set[int64]
	// dated are posts whose occurrences changed. counted is set if the rows that determine
	// the counts of terms, which posts are public, or the occurrences of other posts may
	// have changed.
	dated   set[int64]
	counted bool
	// hides is set if something may be hidden from a client that saw it before.
	hides bool
	// described is the greatest id of a post whose metadata changed, 0 for none.
	described int64
	// partial are changed rows of which the log has some columns only.
	partial set[partialRow]
	// others are tables that aren't followed, and options and types of posts that nothing
	// depends on: "options:NAME", "posts:TYPE".
	others set[string]
}

// partialRow is a row that was added, or updated in columns other than those that matter.
type partialRow struct {
	table *Table
	key   int64
	added bool
}

// relation is a row of term_relationships.
type relation struct{ object, taxonomy int64 }

// NewChanges returns no changes.
func NewChanges() Changes {
	return Changes{tags: set[invalidation.Tag]{}, relations: set[relation]{}, terms: set[int64]{}, taxonomies: map[int64]termOf{}, termsOf: set[int64]{}, dated: set[int64]{}, partial: set[partialRow]{}, others: set[string]{}}
}

// Everything adds a change of everything.
func (c *Changes) Everything() { c.everything = true }

// Set adds a change of a set.
func (c *Changes) Set(kind invalidation.Kind) { c.tag(kind, 0) }

// Other adds a change of a table that isn't followed.
func (c *Changes) Other(table string) {
	c.others.add(table)
	c.bound()
}

// Post adds a change of a post that searches may filter by.
func (c *Changes) Post(id int64) {
	c.tag(invalidation.Post, id)
	c.Set(invalidation.Posts)
}

// Term adds a change of a term.
func (c *Changes) Term(id int64) {
	c.tag(invalidation.Term, id)
	c.Set(invalidation.Terms)
}

// TermOf adds a change of the term with a term_taxonomy_id.
func (c *Changes) TermOf(taxonomyID int64) {
	c.termsOf.add(taxonomyID)
	c.Set(invalidation.Terms)
}

func (c *Changes) tag(kind invalidation.Kind, id int64) {
	c.tags.add(invalidation.Tag{Kind: kind, ID: id})
}

// bound drops the details when there are too many.
func (c *Changes) bound() {
	if c.everything || len(c.tags)+len(c.relations)+len(c.termsOf)+len(c.terms)+len(c.taxonomies)+len(c.dated)+len(c.partial)+len(c.others) > maxChanges {
		*c = NewChanges()
		c.everything, c.hides = true, true
	}
}

// Merge adds later changes. It keeps its own for [Changes.Dated], [Changes.Described] and
// [Changes.Counted], which are asked for each transaction.
func (c *Changes) Merge(later *Changes) {
	c.everything, c.hides = c.everything || later.everything, c.hides || later.hides
	if c.bound(); c.everything {
		return
	}
	maps.Copy(c.tags, later.tags)
	maps.Copy(c.relations, later.relations)
	maps.Copy(c.termsOf, later.termsOf)
	maps.Copy(c.terms, later.terms)
	maps.Copy(c.taxonomies, later.taxonomies)
	maps.Copy(c.partial, later.partial)
	maps.Copy(c.others, later.others)
	c.bound()
}

// IsEverything reports whether everything counts as changed.
func (c *Changes) IsEverything() bool { return c.everything }

// Tags returns what has changed, unless that is everything.
func (c *Changes) Tags() []invalidation.Tag { return slices.Collect(maps.Keys(c.tags)) }

// Others returns, sorted, the changes that no response is known to depend on: tables that
// aren't followed, "options:NAME" and "posts:TYPE".
func (c *Changes) Others() []string { return slices.Sorted(maps.Keys(c.others)) }

// Hides reports whether something may be hidden from a client that saw it before: a post, term or
// user is deleted, a post has another status or password, or a user lost a role.
func (c *Changes) Hides() bool { return c.hides || c.everything }

// Dated returns the posts whose occurrences changed, ascending.
func (c *Changes) Dated() []int64 { return slices.Sorted(maps.Keys(c.dated)) }

// Described returns the greatest id of a post whose metadata changed, 0 for none.
func (c *Changes) Described() int64 { return c.described }

// Counted reports whether what the counts of terms are made of may have changed, or which posts
// are public, or occurrences of other posts than the dated.
func (c *Changes) Counted() bool { return c.counted || c.everything }
