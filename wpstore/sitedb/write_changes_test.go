package sitedb_test

import (
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestCommittedChanges: Committed gets each kind of row that a cache could hold, and
// isn't called when nothing was committed.
func TestCommittedChanges(t *testing.T) {
	var got []rowedit.Changes
	cfg := sitedb.Config{
		Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}, Tables: table.Config{Prefix: "wp_"},
		Committed: func(c rowedit.Changes) { got = append(got, c) },
	}
	db, err := sitedb.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.CreateSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	made, err := sitedb.Write(t.Context(), db.Session(nil), sitedb.Writing{}, func(tx *sitedb.Tx) (wpstore.Term, error) {
		made, err := tx.TermEditor.Insert(t.Context(), wpstore.NewTerm{Name: "Music", Slug: "music", Taxonomy: wpstore.CategoryTaxonomy, Hierarchical: true})
		if err != nil {
			return made, err
		}
		return made, tx.Calendar.MarkSaved(t.Context())
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 {
		t.Fatalf("called %d times", len(got))
	}
	c := got[0]
	if !slices.Equal(c.Terms, []int64{made.ID}) || !slices.Equal(c.Taxonomies, []string{wpstore.CategoryTaxonomy}) ||
		!slices.Contains(c.Options, "tribe_last_save_post") || !slices.Contains(c.Options, "tribe_events_cat_children") || len(c.Posts) != 0 {
		t.Errorf("%+v", c)
	}
	child, err := sitedb.Write(t.Context(), db.Session(nil), sitedb.Writing{}, func(tx *sitedb.Tx) (wpstore.Term, error) {
		return tx.TermEditor.Insert(t.Context(), wpstore.NewTerm{Name: "Jazz", Slug: "jazz", Taxonomy: wpstore.CategoryTaxonomy, Parent: made.ID, Hierarchical: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	got = got[:1]
	_ = write(t.Context(), db.Session(nil), func(tx *sitedb.Tx) error {
		if err := tx.TermEditor.Delete(t.Context(), made, true); err != nil {
			return err
		}
		return wpstore.ErrTooLong // any refusal
	})
	if err := write(t.Context(), db.Session(nil), func(*sitedb.Tx) error { return nil }); err != nil || len(got) != 1 {
		t.Errorf("%v, got %+v", err, got)
	}
	// What hangs on a term that goes shows another parent afterwards.
	if err := write(t.Context(), db.Session(nil), func(tx *sitedb.Tx) error { return tx.TermEditor.Delete(t.Context(), made, true) }); err != nil {
		t.Fatal(err)
	}
	if got := got[len(got)-1].Terms; !slices.Equal(got, []int64{made.ID, child.ID}) {
		t.Errorf("the terms %v have changed, want %v", got, []int64{made.ID, child.ID})
	}
}
