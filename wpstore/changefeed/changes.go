package changefeed

import (
	"maps"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
)

// maxChanges bounds the details collected of one or more transactions; with more,
// everything counts as changed.
const maxChanges = 1 << 13

// set is a set of values.
type set[T comparable] map[T]struct{}

func (s set[T]) add(v T) { s[v] = struct{}{} }

// Changes is what has changed according to rows of the log.
type Changes struct {
	everything bool
	tags       set[invalidation.Tag]
	// relations are rows that changed; whether the object is a post or a term depends on
	// the taxonomy.
	relations set[relation]
	// terms are ids of terms whose row changed, any of which may be a language.
	terms set[int64]
	// taxonomies are ids of rows of term_taxonomy that changed; termsOf are such ids
	// whose terms changed.
	taxonomies, termsOf set[int64]
}

// relation is a row of term_relationships.
type relation struct{ object, taxonomy int64 }

func newChanges() Changes {
	return Changes{tags: set[invalidation.Tag]{}, relations: set[relation]{}, terms: set[int64]{}, taxonomies: set[int64]{}, termsOf: set[int64]{}}
}

// Set adds a change of a set.
func (c *Changes) Set(kind invalidation.Kind) { c.tag(kind, 0) }

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
	if c.everything || len(c.tags)+len(c.relations)+len(c.termsOf)+len(c.terms)+len(c.taxonomies) > maxChanges {
		*c = Changes{everything: true}
	}
}

// batch is one or more transactions whose changes are applied together.
type batch struct {
	Changes
	gtid         binlog.Position
	end          binlog.Place
	transactions int
	// watched: a row of a watched table has changed; seen are the GTIDs of transactions in
	// which one has.
	watched bool
	seen    []string
	arrived time.Time // of the first
}

func newBatch() *batch { return &batch{Changes: newChanges()} }

// merge adds a later transaction.
func (b *batch) merge(later *batch) {
	b.everything = b.everything || later.everything
	if b.bound(); !b.everything {
		maps.Copy(b.tags, later.tags)
		maps.Copy(b.relations, later.relations)
		maps.Copy(b.termsOf, later.termsOf)
		maps.Copy(b.terms, later.terms)
		maps.Copy(b.taxonomies, later.taxonomies)
		b.bound()
	}
	b.gtid, b.end = b.gtid.Merge(later.gtid), later.end
	b.transactions += later.transactions
	b.seen = append(b.seen, later.seen...)
}
