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

// crowdedSite is a site that a crowd writes to, half of it in each of two processes.
type crowdedSite struct {
	fixture
	processes []*sitedb.DB
}

// slowly makes the way to the server long, so that transactions meet anywhere.
func slowly([]byte) {
	time.Sleep(rand.N(2 * time.Millisecond))
	if rand.IntN(10) == 0 {
		time.Sleep(15 * time.Millisecond)
	}
}

// crowded opens an empty site. before is called with what is sent to the server.
func crowded(t *testing.T, before func(sent []byte)) crowdedSite {
	t.Helper()
	if !slices.Contains(wptest.Engines(), "mariadb") {
		t.Skip("no server: an embedded database has one writer")
	}
	var opened sitedb.Config
	f := newSite(t, "mariadb", func(cfg *sitedb.Config) {
		cfg.Database = between(t, cfg.Database.MySQL, before)
		cfg.MaxOpen, cfg.PoolWait = 32, time.Minute
		opened = *cfg
	})
	f.lockRows()
	second, err := sitedb.Open(t.Context(), opened)
	f.OK(err)
	t.Cleanup(func() { second.Close() })
	return crowdedSite{f, []*sitedb.DB{f.db, second}}
}

// together runs the transactions of a crowd, each by a writer of its own.
func (f crowdedSite) together(do func(tx *sitedb.Tx, writer int) error) {
	f.t.Helper()
	f.togetherIn(func(int) langplugin.Rules { return langplugin.Rules{} }, do)
}

// togetherIn calls together on a site with languages.
func (f crowdedSite) togetherIn(languages func(writer int) langplugin.Rules, do func(tx *sitedb.Tx, writer int) error) {
	f.t.Helper()
	var wg sync.WaitGroup
	for i := range crowd {
		wg.Go(func() {
			w := testWriting()
			w.Languages = languages(i)
			session := f.processes[i%len(f.processes)].Session(nil)
			_, err := sitedb.Write(f.t.Context(), session, w, func(tx *sitedb.Tx) (struct{}, error) {
				return struct{}{}, do(tx, i)
			})
			if err != nil {
				f.t.Errorf("writer %d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

// texts returns the rows of a query of one column.
func (f fixture) texts(query string, args ...any) (found []string) {
	f.t.Helper()
	rows, err := f.db.SQL().Query(query, args...)
	f.OK(err)
	defer rows.Close()
	for rows.Next() {
		var text string
		f.OK(rows.Scan(&text))
		found = append(found, text)
	}
	f.OK(rows.Err())
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
	if err := tx.PostEditor.Save(ctx, e); err != nil {
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
	if err := tx.PostEditor.Flush(ctx, e); err != nil {
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
	f := crowded(t, slowly)
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
	f := crowded(t, slowly)
	f.together(func(tx *sitedb.Tx, _ int) error {
		found, err := tx.LinkEditor.ByTitle(t.Context(), wpstore.VenueType, edit.Titled{Title: "The Hall", Slug: "the-hall"})
		if err != nil || found[0] != 0 {
			return err
		}
		return tx.PostEditor.Save(t.Context(), tx.PostEditor.New(wpstore.Post{Type: wpstore.VenueType, Title: "The Hall", Status: "publish", Author: 1}))
	})
	if got := f.texts("SELECT post_name FROM wp_posts"); !slices.Equal(got, []string{"the-hall"}) {
		t.Errorf("venues %q", got)
	}
}

// Of several new terms with one name, one is made, and an option lists all children of a
// term. The lock is that of all terms.
func TestCrowdOfTerms(t *testing.T) {
	f := crowded(t, slowly)
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
	f.OK(err)
	if children := phpserial.Array(options["tribe_events_cat_children"]).Array(parents[0]); children.Len() != crowd {
		t.Errorf("%d children in the option", children.Len())
	}
	f.none("slugs", "SELECT slug FROM wp_terms GROUP BY slug HAVING COUNT(*) > 1")
}

// The count of a tag is the number of its published events. The locks are those of all tags
// that are counted.
func TestCrowdOfCounts(t *testing.T) {
	f := crowded(t, slowly)
	for id := range int64(crowd) {
		f.Term(id+1, wpstore.TagTaxonomy, fmt.Sprint("Tag ", id), fmt.Sprint("tag-", id), 0, 0)
	}
	// Few events have the same tag: the next count would correct a wrong one.
	some := func() []int64 {
		first := rand.Int64N(crowd - 3)
		return []int64{first + 1, first + 2, first + 4}
	}
	ids := make([]int64, crowd)
	f.together(func(tx *sitedb.Tx, i int) (err error) {
		ids[i], err = saveEvent(t.Context(), tx, fmt.Sprint("Event ", i), "2027-01-01 10:00:00",
			edit.PostTermSet{Taxonomy: wpstore.TagTaxonomy, IDs: some()})
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
			e.Terms = []edit.PostTermSet{{Taxonomy: wpstore.TagTaxonomy, IDs: some()}}
		case 2:
			return tx.PostEditor.Delete(t.Context(), e, true)
		}
		if err := tx.PostEditor.Save(t.Context(), e); err != nil {
			return err
		}
		return tx.PostEditor.Flush(t.Context(), e)
	})
	counts("withdrawn")
}

// An event gets no term that another transaction deletes at the same time. The locks are
// those of the terms' rows.
func TestCrowdOfDeletedTerms(t *testing.T) {
	f := crowded(t, slowly)
	for id := int64(1); id <= crowd/2; id++ {
		f.Term(id, wpstore.TagTaxonomy, fmt.Sprint("Tag ", id), fmt.Sprint("tag-", id), 0, 0)
	}
	f.together(func(tx *sitedb.Tx, i int) error {
		tag := int64(1 + i/2)
		if i%2 == 0 {
			_, err := saveEvent(t.Context(), tx, fmt.Sprint("Event ", i), "2027-01-01 10:00:00", edit.PostTermSet{Taxonomy: wpstore.TagTaxonomy, IDs: []int64{tag}})
			return err
		}
		time.Sleep(rand.N(30 * time.Millisecond))
		return tx.TermEditor.Delete(t.Context(), wpstore.Term{ID: tag, TaxonomyID: 1000 + tag, Taxonomy: wpstore.TagTaxonomy}, false)
	})
	f.none("relations to no term", `SELECT tr.object_id FROM wp_term_relationships tr
		LEFT JOIN wp_term_taxonomy tt ON tt.term_taxonomy_id = tr.term_taxonomy_id WHERE tt.term_id IS NULL`)
	if left := f.texts("SELECT term_id FROM wp_terms"); len(left) > 0 {
		t.Errorf("terms %q are left", left)
	}
}

// The range in the calendar's options is that of all events; see TestRangeOfTwoProcesses for
// its lock.
func TestCrowdOfDates(t *testing.T) {
	f := crowded(t, slowly)
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
		return tx.PostEditor.Delete(t.Context(), e, true)
	})
	f.rangeIsRight(t, "half of them deleted")
	f.none("options", "SELECT option_name FROM wp_options GROUP BY option_name HAVING COUNT(*) > 1")
}

// Cron has all scheduled posts, and none twice. The lock is that of the option.
func TestCrowdOfScheduledPosts(t *testing.T) {
	f := crowded(t, slowly)
	f.together(func(tx *sitedb.Tx, i int) error {
		p := wpstore.Post{Type: wpstore.EventType, Title: fmt.Sprint("Event ", i), Status: "publish", Author: 1}
		p.Date = fmt.Sprintf("2027-01-%02d 10:00:00", 1+i%28)
		return tx.PostEditor.Save(t.Context(), tx.PostEditor.New(p))
	})
	options, err := f.Options.Options(t.Context(), []string{"cron"})
	f.OK(err)
	if n := strings.Count(options["cron"], `s:8:"schedule"`); n != crowd {
		t.Errorf("cron has %d posts", n)
	}
}

// The metadata of an event is that of one writer. The lock is that of the post.
func TestCrowdOfChanges(t *testing.T) {
	f := crowded(t, slowly)
	var id int64
	f.OK(write(t.Context(), f.db.Session(nil), func(tx *sitedb.Tx) (err error) {
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
		if err := tx.PostEditor.Save(t.Context(), e); err != nil {
			return err
		}
		for _, key := range keys {
			e.Meta.Update(key, fmt.Sprint("Text ", i))
		}
		return tx.PostEditor.Flush(t.Context(), e)
	})
	meta, err := f.Posts.PostMeta(t.Context(), []int64{id})
	f.OK(err)
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
