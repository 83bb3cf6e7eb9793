package sitedb_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// crowd is how many writers each test of this file has. Without the lock that a test is
// about, it fails.
const crowd = 64

// crowded opens an empty site for a crowd of writers.
func crowded(t *testing.T, change ...func(*sitedb.Config)) fixture {
	t.Helper()
	if !slices.Contains(wptest.Engines(), "mariadb") {
		t.Skip("no server: an embedded database has one writer")
	}
	f := newSite(t, "mariadb", append(change, func(cfg *sitedb.Config) { cfg.MaxOpen, cfg.PoolWait = 32, time.Minute })...)
	f.lockRows()
	return f
}

// together runs the transactions of a crowd, each by a writer of its own.
func (f fixture) together(do func(tx *sitedb.Tx, writer int) error) {
	f.t.Helper()
	f.togetherIn(langplugin.Rules{}, do)
}

func (f fixture) togetherIn(languages langplugin.Rules, do func(tx *sitedb.Tx, writer int) error) {
	f.t.Helper()
	w := testWriting()
	w.Languages = languages
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() {
			_, err := sitedb.Write(f.t.Context(), f.db.Session(nil), w, func(tx *sitedb.Tx) (struct{}, error) { return struct{}{}, do(tx, i) })
			if err != nil {
				f.t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

// texts are the rows of a query of one column.
func (f fixture) texts(query string, args ...any) (found []string) {
	f.t.Helper()
	rows, err := f.db.SQL().Query(query, args...)
	f.ok(err)
	defer rows.Close()
	for rows.Next() {
		var text string
		f.ok(rows.Scan(&text))
		found = append(found, text)
	}
	f.ok(rows.Err())
	return found
}

// none fails if a query finds rows.
func (f fixture) none(what, query string) {
	f.t.Helper()
	if found := f.texts(query); len(found) > 0 {
		f.t.Errorf("%s: %q", what, found)
	}
}

// saveEvent makes an event with dates and terms.
func saveEvent(ctx context.Context, tx *sitedb.Tx, title, start string, terms ...edit.PostTermSet) (int64, error) {
	e := tx.PostEditor.New(wpstore.Post{Type: wpstore.EventType, Title: title, Status: "publish", Author: 1})
	e.Terms = terms
	if err := e.Save(ctx); err != nil {
		return 0, err
	}
	begin, err := time.Parse(time.DateTime, start)
	if err != nil {
		return 0, err
	}
	end := begin.Add(2 * time.Hour).Format(time.DateTime)
	for key, value := range map[string]string{
		"_EventStartDate": start, "_EventEndDate": end, "_EventStartDateUTC": start, "_EventEndDateUTC": end, "_EventTimezone": "UTC",
	} {
		e.Meta.Add(key, value)
	}
	if err := e.Flush(ctx); err != nil {
		return 0, err
	}
	tx.Saved(true)
	return e.ID, tx.Calendar.SyncEvent(ctx, e, func(_, local string) (time.Time, bool) {
		at, err := time.Parse(time.DateTime, local)
		return at, err == nil
	})
}

// Posts of one title have different slugs, without a gap. The lock is that of the slug.
func TestCrowdOfSlugs(t *testing.T) {
	f := crowded(t)
	f.together(func(tx *sitedb.Tx, _ int) error {
		_, err := saveEvent(t.Context(), tx, "One Title", "2027-01-01 10:00:00")
		return err
	})
	want := []string{"one-title"}
	for n := 2; n <= crowd; n++ {
		want = append(want, fmt.Sprintf("one-title-%d", n))
	}
	got := f.texts("SELECT post_name FROM wp_posts")
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("slugs %q", got)
	}
}

// A venue is made once. The lock is that of the slug of the title, before the search.
func TestCrowdOfVenues(t *testing.T) {
	f := crowded(t)
	f.together(func(tx *sitedb.Tx, _ int) error {
		found, err := tx.LinkEditor.ByTitle(t.Context(), wpstore.VenueType, edit.Titled{Title: "The Hall", Slug: "the-hall"})
		if err != nil || found[0] != 0 {
			return err
		}
		return tx.PostEditor.New(wpstore.Post{Type: wpstore.VenueType, Title: "The Hall", Status: "publish", Author: 1}).Save(t.Context())
	})
	if got := f.texts("SELECT post_name FROM wp_posts"); !slices.Equal(got, []string{"the-hall"}) {
		t.Errorf("venues %q", got)
	}
}

// Of several new terms with one name, one is made, and an option lists all children of a
// term. The lock is that of all terms.
func TestCrowdOfTerms(t *testing.T) {
	f := crowded(t)
	insert := func(tx *sitedb.Tx, name, slug string, parent int64) error {
		_, err := tx.TermEditor.Insert(t.Context(), wpstore.NewTerm{Taxonomy: wpstore.CategoryTaxonomy, Hierarchical: true, Name: name, Slug: slug, Parent: parent})
		var exists *wpstore.TermExistsError
		if errors.As(err, &exists) {
			return nil
		}
		return err
	}
	f.together(func(tx *sitedb.Tx, _ int) error { return insert(tx, "Music", "music", 0) })
	parents := f.texts("SELECT term_id FROM wp_term_taxonomy")
	if len(parents) != 1 {
		t.Fatalf("terms %q", parents)
	}
	var parent int64
	fmt.Sscan(parents[0], &parent)
	f.together(func(tx *sitedb.Tx, i int) error {
		return insert(tx, fmt.Sprintf("Band %d", i), fmt.Sprintf("band-%d", i), parent)
	})
	options, err := f.Options.Options(t.Context(), []string{"tribe_events_cat_children"})
	f.ok(err)
	if children := phpserial.Array(options["tribe_events_cat_children"]).Array(parents[0]); children.Len() != crowd {
		t.Errorf("%d children in the option", children.Len())
	}
	f.none("slugs", "SELECT slug FROM wp_terms GROUP BY slug HAVING COUNT(*) > 1")
}

// The count of a tag is the number of its published events. The lock is that of the tag's
// row, before it is counted.
func TestCrowdOfCounts(t *testing.T) {
	f := crowded(t)
	f.term(41, wpstore.TagTaxonomy, "Free", "free", 0, 0)
	f.term(42, wpstore.CategoryTaxonomy, "Music", "music", 0, 0)
	ids := make([]int64, crowd)
	f.together(func(tx *sitedb.Tx, i int) (err error) {
		ids[i], err = saveEvent(t.Context(), tx, fmt.Sprint("Event ", i), "2027-01-01 10:00:00",
			edit.PostTermSet{Taxonomy: wpstore.CategoryTaxonomy, IDs: []int64{42}}, edit.PostTermSet{Taxonomy: wpstore.TagTaxonomy, IDs: []int64{41}})
		return err
	})
	counts := func(step string) {
		t.Helper()
		f.none(step, `SELECT CONCAT(tt.term_id, ' has ', tt.count, ' instead of ', COUNT(p.ID)) FROM wp_term_taxonomy tt
			LEFT JOIN wp_term_relationships tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
			LEFT JOIN wp_posts p ON p.ID = tr.object_id AND p.post_status = 'publish'
			GROUP BY tt.term_taxonomy_id, tt.count HAVING COUNT(p.ID) <> tt.count`)
	}
	counts("published")
	f.together(func(tx *sitedb.Tx, i int) error {
		e, err := tx.PostEditor.Edit(t.Context(), ids[i])
		if err != nil {
			return err
		}
		switch rand.IntN(3) {
		case 0:
			e.Status = "draft"
		case 1:
			e.Terms = []edit.PostTermSet{{Taxonomy: wpstore.TagTaxonomy}}
		case 2:
			return e.Delete(t.Context(), true)
		}
		if err := e.Save(t.Context()); err != nil {
			return err
		}
		return e.Flush(t.Context())
	})
	counts("withdrawn")
}

// An event gets no term that another transaction deletes at the same time. The locks are
// those of the terms' rows.
func TestCrowdOfDeletedTerms(t *testing.T) {
	f := crowded(t)
	for id := int64(1); id <= crowd/2; id++ {
		f.term(id, wpstore.TagTaxonomy, fmt.Sprint("Tag ", id), fmt.Sprint("tag-", id), 0, 0)
	}
	f.together(func(tx *sitedb.Tx, i int) error {
		tag := int64(1 + i/2)
		if i%2 == 0 {
			_, err := saveEvent(t.Context(), tx, fmt.Sprint("Event ", i), "2027-01-01 10:00:00", edit.PostTermSet{Taxonomy: wpstore.TagTaxonomy, IDs: []int64{tag}})
			return err
		}
		return tx.TermEditor.Delete(t.Context(), wpstore.Term{ID: tag, TaxonomyID: 1000 + tag, Taxonomy: wpstore.TagTaxonomy}, false)
	})
	f.none("relations to no term", `SELECT tr.object_id FROM wp_term_relationships tr
		LEFT JOIN wp_term_taxonomy tt ON tt.term_taxonomy_id = tr.term_taxonomy_id WHERE tt.term_id IS NULL`)
	if left := f.texts("SELECT term_id FROM wp_terms"); len(left) > 0 {
		t.Errorf("terms %q are left", left)
	}
}

// The range in the calendar's options is that of all events. The finisher locks the option.
func TestCrowdOfDates(t *testing.T) {
	f := crowded(t)
	ids := make([]int64, crowd)
	date := func() string {
		return time.Date(2027, 1, 1, rand.IntN(10000), 0, 0, 0, time.UTC).Format(time.DateTime)
	}
	f.together(func(tx *sitedb.Tx, i int) (err error) {
		ids[i], err = saveEvent(t.Context(), tx, fmt.Sprint("Event ", i), date())
		return err
	})
	f.rangeIsRight(t, "made")
	f.together(func(tx *sitedb.Tx, i int) error {
		if i%2 == 0 {
			_, err := saveEvent(t.Context(), tx, fmt.Sprint("Another ", i), date())
			return err
		}
		e, err := tx.PostEditor.Edit(t.Context(), ids[i])
		if err != nil {
			return err
		}
		tx.Saved(true)
		return e.Delete(t.Context(), true)
	})
	f.rangeIsRight(t, "half of them deleted")
	f.none("options", "SELECT option_name FROM wp_options GROUP BY option_name HAVING COUNT(*) > 1")
}

// Cron has all scheduled posts, and none twice. The lock is that of the option.
func TestCrowdOfScheduledPosts(t *testing.T) {
	f := crowded(t)
	f.together(func(tx *sitedb.Tx, i int) error {
		p := wpstore.Post{Type: wpstore.EventType, Title: fmt.Sprint("Event ", i), Status: "publish", Author: 1}
		p.Date = fmt.Sprintf("2027-01-%02d 10:00:00", 1+i%28)
		return tx.PostEditor.New(p).Save(t.Context())
	})
	options, err := f.Options.Options(t.Context(), []string{"cron"})
	f.ok(err)
	if n := strings.Count(options["cron"], `s:8:"schedule"`); n != crowd {
		t.Errorf("cron has %d posts", n)
	}
}

// WPML gives each new post and term a group of its own. The lock is that of the groups'
// numbers.
func TestCrowdOfGroups(t *testing.T) {
	f := crowded(t)
	f.ok(f.db.CreateLanguageSchema(t.Context()))
	languages := &i18n.Languages{Plugin: i18n.WPML, Default: "cs", All: []i18n.Language{{Code: "cs"}, {Code: "en"}}}
	f.togetherIn(langplugin.Rules{Languages: languages, Posts: "cs", Events: "cs", Terms: "cs"}, func(tx *sitedb.Tx, i int) error {
		p := wpstore.Post{Type: wpstore.VenueType, Title: fmt.Sprint("Hall ", i), Status: "publish", Author: 1}
		if err := tx.PostEditor.New(p).Save(t.Context()); err != nil {
			return err
		}
		_, err := tx.TermEditor.Insert(t.Context(), wpstore.NewTerm{Taxonomy: wpstore.TagTaxonomy, Name: fmt.Sprint("Tag ", i), Slug: fmt.Sprint("tag-", i), Language: "cs"})
		return err
	})
	got := f.texts("SELECT trid FROM wp_icl_translations ORDER BY trid")
	for i, trid := range got {
		if trid != fmt.Sprint(i+1) {
			t.Fatalf("groups %q", got)
		}
	}
	if len(got) != 2*crowd {
		t.Errorf("%d elements", len(got))
	}
}

// Polylang's terms are counted, and a term is translated once. The locks are those of the
// terms, and of the rows of the languages.
func TestCrowdOfTranslations(t *testing.T) {
	f := crowded(t)
	languages := f.polylangSite()
	f.insert("terms", row{"term_id": 44, "name": "pll", "slug": "pll"})
	f.insert("term_taxonomy", row{"term_taxonomy_id": 1044, "term_id": 44, "taxonomy": "term_translations", "description": `a:1:{s:2:"cs";i:23;}`})
	f.tag(23, 44)
	rules := langplugin.Rules{Languages: languages, Posts: "en", Events: "en", Terms: "en"}
	ids := make([]int64, crowd)
	f.togetherIn(rules, func(tx *sitedb.Tx, i int) (err error) {
		if ids[i], err = saveEvent(t.Context(), tx, fmt.Sprint("Event ", i), "2027-01-01 10:00:00"); err != nil {
			return err
		}
		_, err = tx.TermEditor.Insert(t.Context(), wpstore.NewTerm{Taxonomy: wpstore.TagTaxonomy, Name: fmt.Sprint("Tag ", i), Slug: fmt.Sprint("tag-", i), Language: "en"})
		return err
	})
	// Events in English get the Czech category, which has no translation yet.
	f.togetherIn(rules, func(tx *sitedb.Tx, i int) error {
		e, err := tx.PostEditor.Edit(t.Context(), ids[i])
		if err != nil {
			return err
		}
		e.Terms = []edit.PostTermSet{{Taxonomy: wpstore.CategoryTaxonomy, IDs: []int64{23}}}
		if err := e.Save(t.Context()); err != nil {
			return err
		}
		return e.Flush(t.Context())
	})
	if got := f.texts("SELECT t.slug FROM wp_terms t JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id WHERE tt.taxonomy = 'tribe_events_cat' AND t.name = 'Jazz'"); len(got) != 2 {
		t.Errorf("the category and its translation: %q", got)
	}
	f.none("counts", `SELECT CONCAT(tt.taxonomy, ' ', tt.term_id, ' has ', tt.count, ' instead of ', COUNT(tr.object_id)) FROM wp_term_taxonomy tt
		LEFT JOIN wp_term_relationships tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
		WHERE tt.term_id IN (32, 34) GROUP BY tt.term_taxonomy_id, tt.count HAVING COUNT(tr.object_id) <> tt.count`)
}

// The metadata of an event is that of one writer. The lock is that of the post.
func TestCrowdOfChanges(t *testing.T) {
	f := crowded(t)
	var id int64
	f.ok(write(t.Context(), f.db.Session(nil), func(tx *sitedb.Tx) (err error) {
		id, err = saveEvent(t.Context(), tx, "Event", "2027-01-01 10:00:00")
		return err
	}))
	keys := []string{"_EventURL", "_EventCost", "_EventShowMap", "_thumbnail_id", "note"}
	f.together(func(tx *sitedb.Tx, i int) error {
		e, err := tx.PostEditor.Edit(t.Context(), id)
		if err != nil {
			return err
		}
		e.Content = fmt.Sprint("Text ", i)
		if err := e.Save(t.Context()); err != nil {
			return err
		}
		for _, key := range keys {
			e.Meta.Update(key, fmt.Sprint("Text ", i))
		}
		return e.Flush(t.Context())
	})
	meta, err := f.Posts.PostMeta(t.Context(), []int64{id})
	f.ok(err)
	content := f.texts("SELECT post_content FROM wp_posts WHERE ID = ?", id)[0]
	for _, key := range keys {
		if got := meta[id].All(key); !slices.Equal(got, []string{content}) {
			t.Errorf("%s is %q, the text %q", key, got, content)
		}
	}
	if n := len(f.texts("SELECT ID FROM wp_posts WHERE post_type = 'revision'")); n == 0 || n > crowd {
		t.Errorf("%d revisions", n)
	}
}
