package sitedb_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/sitedb"
)

// TestWrittenIsStored: the rows that a transaction says it has written are those that are read
// afterwards, or it doesn't know them. The terms are known of a post whose id is known to be
// new.
func TestWrittenIsStored(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.lockRows()
		for i, name := range []string{"Žito", "apple", "Apple", "Ærø"} {
			f.Term(int64(31+i), wpstore.CategoryTaxonomy, name, fmt.Sprint("term-", i), 0, 0)
			f.Term(int64(41+i), wpstore.TagTaxonomy, name, fmt.Sprint("tag-", i), 0, 5)
		}
		for name, c := range map[string]struct {
			post  wpstore.Post
			meta  []string // keys and values
			known bool
			terms map[string][]int64
		}{
			"plain":             {post: wpstore.Post{Title: "Concert"}, known: true},
			"terms":             {post: wpstore.Post{Title: "Concert"}, known: true, terms: map[string][]int64{wpstore.CategoryTaxonomy: {31}, wpstore.TagTaxonomy: {43}}},
			"terms in order":    {post: wpstore.Post{Title: "Concert"}, known: true, terms: map[string][]int64{wpstore.CategoryTaxonomy: {31, 33, 32, 34}, wpstore.TagTaxonomy: {44, 42, 99}}},
			"a draft's terms":   {post: wpstore.Post{Title: "Concert", Status: "draft"}, known: true, terms: map[string][]int64{wpstore.TagTaxonomy: {41}}},
			"metadata":          {post: wpstore.Post{Title: "Concert"}, meta: []string{"_EventCost", "5 ", "_EventCost", "", "_tribe_modified_fields", "x", "_elementor_data", "y", "_EventURL", "ž€😀'\"\\"}, known: true},
			"spaces, emoji":     {post: wpstore.Post{Title: "Concert  😀", Content: "a\r\nb\\'\x1a  ", Excerpt: "\t"}, known: true},
			"draft":             {post: wpstore.Post{Title: "Concert", Status: "draft"}, known: true},
			"scheduled":         {post: wpstore.Post{Title: "Concert", PostDates: wpstore.PostDates{Date: "2099-12-31 23:59:59"}}, known: true},
			"a long title":      {post: wpstore.Post{Title: strings.Repeat("žluťoučký ", 500), Name: "long"}, known: true},
			"a date that is no": {post: wpstore.Post{Title: "Concert", Status: "draft", PostDates: wpstore.PostDates{Date: "2026-02-30 12:00:00"}}},
			"a long address":    {post: wpstore.Post{Title: "Concert", GUID: "https://" + strings.Repeat("a", 300)}},
			"a long password":   {post: wpstore.Post{Title: "Concert", Password: strings.Repeat("a", 300)}},
			"a negative author": {post: wpstore.Post{Title: "Concert", Author: -1}},
			"a great order":     {post: wpstore.Post{Title: "Concert", MenuOrder: 1 << 40}},
		} {
			p := c.post
			p.Type = wpstore.EventType
			if p.Status == "" {
				p.Status = "publish"
			}
			var id int64
			var written func() (wpstore.PostSet, bool)
			f.OK(write(t.Context(), f.Session, func(tx *sitedb.Tx) error {
				e := tx.PostEditor.New(p)
				var terms []wpstore.Term // nil without any
				if c.terms != nil {
					var err error
					if terms, err = tx.Terms.TermsOf(t.Context(), c.terms); err != nil {
						return err
					}
				}
				for taxonomy, ids := range c.terms {
					known := map[int64]int64{}
					for _, term := range terms {
						if term.Taxonomy == taxonomy {
							known[term.ID] = term.TaxonomyID
						}
					}
					ids := append([]int64{}, ids...)
					if len(known) < len(ids) {
						ids = ids[:len(known)] // the last ones don't exist
					}
					e.Terms = append(e.Terms, edit.PostTermSet{Taxonomy: taxonomy, IDs: ids, Known: known})
				}
				if err := tx.PostEditor.Save(t.Context(), e); err != nil {
					return err
				}
				e.Meta.Add("_EventOrigin", "events-calendar")
				for i := 0; i < len(c.meta); i += 2 {
					e.Meta.Add(c.meta[i], c.meta[i+1])
				}
				id, written = e.ID, func() (wpstore.PostSet, bool) { return tx.Written(e, terms) }
				return tx.PostEditor.Flush(t.Context(), e)
			}))
			got, known := written()
			want, err := f.Posts.ReadSet(t.Context(), &i18n.Languages{}, []int64{id}, []string{wpstore.CategoryTaxonomy, wpstore.TagTaxonomy})
			f.OK(err)
			if known != c.known {
				t.Errorf("%s: known: %v, stored: %+v", name, known, want.Posts[id])
			}
			if !known {
				continue
			}
			if c.terms == nil {
				want.Terms = nil
			}
			for _, rows := range []wpstore.PostSet{want, got} { // each taxonomy has its order
				slices.SortStableFunc(rows.Terms[id], func(a, b wpstore.Term) int { return strings.Compare(a.Taxonomy, b.Taxonomy) })
			}
			if differ := cmp.Diff(want, got, cmpopts.EquateEmpty(), ignoreDigests(), cmp.AllowUnexported(wpstore.Meta{})); differ != "" {
				t.Errorf("%s: %s", name, differ)
			}
		}
	})
}

// TestWrittenNull checks that metadata with SQL's NULL is still NULL after a write of another
// key, and a text once it is given one.
func TestWrittenNull(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.lockRows()
		f.Event(31, "2026-12-01 10:00:00", row{})
		for _, key := range []string{"_EventURL", "_EventShowMap", "_EventCost"} {
			f.Meta(31, key, nil)
		}
		var written func() (wpstore.PostSet, bool)
		f.OK(write(t.Context(), f.Session, func(tx *sitedb.Tx) error {
			e, err := tx.PostEditor.Edit(t.Context(), 31)
			if err != nil {
				return err
			}
			e.Meta.Update("_EventCost", "5")
			written = func() (wpstore.PostSet, bool) { return tx.Written(e, nil) }
			return tx.PostEditor.Flush(t.Context(), e)
		}))
		got, known := written()
		want, err := f.Posts.ReadSet(t.Context(), &i18n.Languages{}, []int64{31}, []string{wpstore.CategoryTaxonomy})
		f.OK(err)
		if differ := cmp.Diff(want.Meta, got.Meta, cmpopts.EquateEmpty(), ignoreDigests(), cmp.AllowUnexported(wpstore.Meta{})); !known || differ != "" {
			t.Errorf("known: %v %s", known, differ)
		}
		for key, null := range map[string]bool{"_EventURL": true, "_EventShowMap": true, "_EventCost": false} {
			if _, ok := got.Meta[31].First(key); ok == null {
				t.Errorf("%s: NULL %v, want %v", key, !ok, null)
			}
		}
	})
}
