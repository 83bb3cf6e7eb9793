package sitedb_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sitedb"
)

func testWriting() sitedb.Writing {
	return sitedb.Writing{User: 1, Zone: time.FixedZone("", 3600), Posts: edit.Rules{
		Home:       "https://calendar.example",
		MayPublish: func(string) bool { return true },
		Permalink:  func(p *wpstore.Post) string { return "https://calendar.example/event/" + p.Name + "/" },
		Clean:      func(*wpstore.Post) {},
		Slug:       func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "-")) },
	}}
}

// write calls Write when only rows are wanted.
func write(ctx context.Context, s *sitedb.Session, do func(*sitedb.Tx) error) error {
	_, err := sitedb.Write(ctx, s, testWriting(), func(tx *sitedb.Tx) (struct{}, error) { return struct{}{}, do(tx) })
	return err
}

// lockRows adds the options whose rows are locked.
func (f fixture) lockRows() {
	for _, name := range rowedit.LockOptions() {
		f.Insert("options", row{"option_name": name, "option_value": "x"})
	}
}

// TestWriteIsAllOrNothing checks that an error, and a panic, take back every row.
func TestWriteIsAllOrNothing(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.lockRows()
		ctx := context.Background()
		refused := errors.New("refused")
		insert := func(tx *sitedb.Tx) error {
			_, err := tx.TermEditor.Insert(ctx, wpstore.NewTerm{Taxonomy: wpstore.CategoryTaxonomy, Name: "A", Slug: "a", Hierarchical: true})
			return err
		}
		if err := write(ctx, f.db.Session(nil), func(tx *sitedb.Tx) error { return errors.Join(insert(tx), refused) }); !errors.Is(err, refused) {
			t.Errorf("error %v", err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = write(ctx, f.db.Session(nil), func(tx *sitedb.Tx) error {
				if err := insert(tx); err != nil {
					t.Error(err)
				}
				panic("on purpose")
			})
		}()
		if terms, err := f.Terms.TermTree(ctx, wpstore.CategoryTaxonomy); err != nil || len(terms) != 0 {
			t.Errorf("%d terms, %v", len(terms), err)
		}
		if err := write(ctx, f.Session, insert); err != nil {
			t.Fatal(err)
		}
		if terms, err := f.Terms.TermTree(ctx, wpstore.CategoryTaxonomy); err != nil || len(terms) != 1 {
			t.Errorf("%d terms, %v", len(terms), err)
		}
	})
}
