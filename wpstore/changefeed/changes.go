package changefeed

import (
	"maps"
	"time"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/invalidation"
)

// maxChanges bounds how many details are collected of one or more transactions; more
// than that is everything.
const maxChanges = 1 << 13

// Changes is what rows of the log say has changed.
type Changes struct {
	everything bool
	tags       map[invalidation.Tag]struct{}
	// relations tie objects to terms, by taxonomy id; whether the object is a post
	// or a term is not in the row.
	relations map[relation]struct{}
	// termsOf are taxonomy ids of terms that changed.
	termsOf map[int64]struct{}
	// terms are ids of terms whose row changed: it may be that of a language.
	terms map[int64]struct{}
	// taxonomies are taxonomy ids whose row changed.
	taxonomies map[int64]struct{}
}

// relation is a row of term_relationships.
type relation struct{ object, taxonomy int64 }

func newChanges() Changes {
	return Changes{tags: map[invalidation.Tag]struct{}{}, relations: map[relation]struct{}{},
		termsOf: map[int64]struct{}{}, terms: map[int64]struct{}{}, taxonomies: map[int64]struct{}{}}
}

// Set notes a change of a set.
func (c *Changes) Set(kind invalidation.Kind) { c.tag(kind, 0) }

// Post notes a change of a post, by which a search might go.
func (c *Changes) Post(id int64) {
	c.tag(invalidation.Post, id)
	c.Set(invalidation.Posts)
}

// Term notes a change of a term.
func (c *Changes) Term(id int64) {
	c.tag(invalidation.Term, id)
	c.Set(invalidation.Terms)
}

// TermOf notes a change of the term that has a taxonomy id.
func (c *Changes) TermOf(taxonomyID int64) {
	c.termsOf[taxonomyID] = struct{}{}
	c.Set(invalidation.Terms)
}

func (c *Changes) tag(kind invalidation.Kind, id int64) {
	c.tags[invalidation.Tag{Kind: kind, ID: id}] = struct{}{}
}

// bound gives up details when there are too many.
func (c *Changes) bound() {
	if len(c.tags)+len(c.relations)+len(c.termsOf)+len(c.terms)+len(c.taxonomies) > maxChanges {
		c.everything = true
	}
	if c.everything {
		clear(c.tags)
		clear(c.relations)
		clear(c.termsOf)
		clear(c.terms)
		clear(c.taxonomies)
	}
}

// batch is transactions whose changes are applied together.
type batch struct {
	Changes
	gtid         binlog.Position
	end          binlog.Place
	transactions int
	arrived      time.Time // the first of them
	committed    time.Time // the last of them
}

func newBatch() *batch { return &batch{Changes: newChanges()} }

// merge adds what came later.
func (b *batch) merge(later *batch) {
	b.everything = b.everything || later.everything
	maps.Copy(b.tags, later.tags)
	maps.Copy(b.relations, later.relations)
	maps.Copy(b.termsOf, later.termsOf)
	maps.Copy(b.terms, later.terms)
	maps.Copy(b.taxonomies, later.taxonomies)
	b.gtid, b.end, b.committed = b.gtid.Merge(later.gtid), later.end, later.committed
	b.transactions += later.transactions
	b.bound()
}
