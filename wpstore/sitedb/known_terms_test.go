package sitedb_test

import (
	"fmt"
	"strings"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/sitedb"
)

// TestKnownTerms: a write takes terms from memory, but reads them if they may have been
// changed by others. A name that was changed without being logged distinguishes the two.
func TestKnownTerms(t *testing.T) {
	const reads, remembers = true, false
	s := newCountedSite(t)
	asked := map[string][]int64{wpstore.TagTaxonomy: {7}, wpstore.CategoryTaxonomy: {9, 99}}
	names := func(session *sitedb.Session) string {
		var names []string
		s.OK(write(t.Context(), session, func(tx *sitedb.Tx) error {
			found, err := tx.KnownTerms(t.Context(), asked, wpstore.PostName{})
			for _, term := range found {
				names = append(names, fmt.Sprint(term.TaxonomyID, " ", term.Name))
			}
			return err
		}))
		return strings.Join(names, ", ")
	}
	edits := func(do func(e *edit.Terms, jazz wpstore.Term) error) {
		s.OK(write(t.Context(), s.caughtUp(), func(tx *sitedb.Tx) error {
			found, err := tx.Terms.Terms(t.Context(), wpstore.TagTaxonomy, []int64{8})
			if err != nil {
				return err
			}
			return do(tx.TermEditor, found[8])
		}))
	}
	for _, c := range []struct {
		name string
		do   func(s *countedSite)
		want bool
	}{
		{"nothing happens", func(*countedSite) {}, remembers},
		{"a write of ours", func(s *countedSite) { s.add(s.caughtUp(), "publish", tags(7, 8)) }, remembers},
		{"others change a term", func(s *countedSite) { s.exec("UPDATE wp_terms SET slug = 'other' WHERE term_id = 8") }, reads},
		{"others change a taxonomy", func(s *countedSite) { s.exec("UPDATE wp_term_taxonomy SET description = 'x' WHERE term_id = 8") }, reads},
		{"we change a term", func(*countedSite) {
			edits(func(e *edit.Terms, free wpstore.Term) error {
				description := "changed"
				_, err := e.Update(t.Context(), free, edit.TermChange{Description: &description})
				return err
			})
		}, reads},
		{"we add a term", func(*countedSite) {
			edits(func(e *edit.Terms, _ wpstore.Term) error {
				_, err := e.Insert(t.Context(), wpstore.NewTerm{Taxonomy: wpstore.TagTaxonomy, Name: "New", Slug: "new"})
				return err
			})
		}, reads},
		{"we delete a term", func(*countedSite) {
			edits(func(e *edit.Terms, free wpstore.Term) error { return e.Delete(t.Context(), free, false) })
		}, reads},
		{"the request isn't proved", func(*countedSite) {}, reads},
		{"the log isn't followed", func(s *countedSite) { s.stop() }, reads},
	} {
		s.unlogged("UPDATE wp_terms SET name = 'Jazz' WHERE term_id = 7")
		s.exec("UPDATE wp_terms SET term_group = term_group + 1")
		s.awaitFeed()
		if got := names(s.caughtUp()); got != "1007 Jazz, 1009 Music" {
			t.Errorf("%s: before: %s", c.name, got)
		}
		s.unlogged("UPDATE wp_terms SET name = 'Hidden' WHERE term_id = 7")
		c.do(s)
		session := s.nextSession(c.name)
		if got, read := names(session), "1007 Hidden, 1009 Music"; (got == read) != c.want {
			t.Errorf("%s: %s; reads them: %v", c.name, got, c.want)
		}
	}
}

// TestUsedIDs: a new event gets its terms without checking which terms its id has already,
// unless others may have left some. A relation that was added without being logged
// distinguishes the two.
func TestUsedIDs(t *testing.T) {
	const looks, trusts = true, false
	s := newCountedSite(t)
	s.add(s.caughtUp(), "publish", tags(7)) // before it no object has terms
	for _, c := range []struct {
		name string
		do   func(s *countedSite, next int64)
		want bool
	}{
		{"nothing happens", func(*countedSite, int64) {}, trusts},
		{"others change an event", func(s *countedSite, _ int64) {
			s.exec("UPDATE wp_tec_occurrences SET duration = 1", "UPDATE wp_posts SET post_title = 'x'")
		}, trusts},
		{"others add a relation", func(s *countedSite, next int64) {
			s.exec(fmt.Sprintf("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (%d, 1009)", next))
		}, looks},
		{"others add an occurrence", func(s *countedSite, next int64) {
			s.exec(fmt.Sprintf(`INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash)
				VALUES (1, %d, '2027-01-01', '2027-01-01', '2027-01-01', '2027-01-01', %[1]d)`, next))
		}, looks},
		{"others add metadata", func(s *countedSite, next int64) {
			s.exec(fmt.Sprintf("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (%d, '_edit_lock', '1')", next))
		}, looks},
		{"others change metadata", func(s *countedSite, next int64) {
			s.exec(fmt.Sprintf("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (%d, 'color', 'blue')", untagged), "UPDATE wp_postmeta SET meta_value = 'red' WHERE meta_key = 'color'")
		}, trusts},
		{"the table is set back", func(s *countedSite, next int64) {
			s.exec(fmt.Sprintf("ALTER TABLE wp_posts AUTO_INCREMENT = %d", next))
		}, looks},
		{"the request isn't proved", func(*countedSite, int64) {}, looks},
		{"the log isn't followed", func(s *countedSite, _ int64) { s.stop() }, looks},
	} {
		s.awaitFeed()
		next := s.add(s.caughtUp(), "publish", tags(7)) + 1
		s.awaitFeed()
		s.unlogged(fmt.Sprintf("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (%d, 1008)", next))
		c.do(s, next)
		session := s.nextSession(c.name)
		if got := s.add(session, "publish", edit.PostTermSet{Taxonomy: wpstore.TagTaxonomy, IDs: []int64{7}, Known: map[int64]int64{7: 1007}}); got != next {
			t.Errorf("%s: post %d, want %d", c.name, got, next)
		}
		left := s.number(fmt.Sprintf("SELECT COUNT(*) FROM wp_term_relationships WHERE object_id = %d AND term_taxonomy_id = 1008", next))
		if (left == 0) != c.want {
			t.Errorf("%s: %d relations are left; looks for them: %v", c.name, left, c.want)
		}
	}
}
