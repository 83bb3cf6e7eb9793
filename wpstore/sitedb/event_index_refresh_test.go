package sitedb_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"calbridge/i18n"
	"calbridge/wpstore"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// TestListingSeesChangesAtOnce: after a change is invalidated the next list has it,
// whatever goes on concurrently, and what depends on lists is not fresh.
func TestListingSeesChangesAtOnce(t *testing.T) {
	const writers = 4
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			by := new(answeredBy)
			f, plain := pair(t, engine, by.note)
			f.Option("tec_ct1_migration_state", migratedState)
			f.Post(9, wpstore.EventType, nil)
			f.Occurrence(9, "2026-12-01 10:00:00")
			tracker := invalidation.NewTracker()
			listing := f.db.OpenIndex(t.Context(), tracker)
			tracker.Resume(true)
			wptest.AwaitRows(t, listing)

			var group sync.WaitGroup
			for w := range int64(writers) {
				group.Go(func() {
					q := wpstore.EventQuery{Occurrences: true, Venues: []int64{w}, Limit: 100}
					for round := range rounds {
						id := 100*(w+1) + int64(round)/2
						since := tracker.Generation()
						var text string
						if round%2 == 0 {
							text = "INSERT INTO wp_posts (ID, post_type, post_status, post_date, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered) VALUES (?, 'tribe_events', 'publish', '2026-01-01 00:00:00', '', '', '', '', '', '')"
							f.Occurrence(id, "2026-12-01 10:00:00")
							f.Meta(id, wpstore.VenueLink, fmt.Sprint(w))
						} else if text = "UPDATE wp_posts SET post_status = 'trash' WHERE ID = ?"; round%4 == 1 {
							text = "DELETE FROM wp_posts WHERE ID = ?"
						}
						if _, err := f.db.SQL().Exec(text, id); err != nil {
							t.Errorf("%s: %v", text, err)
							return
						}
						tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: id})
						if err := listing.Refresh(t.Context()); err != nil {
							t.Error(err)
						}
						if tracker.Fresh(since, []invalidation.Tag{{Kind: invalidation.Events}}) {
							t.Errorf("writer %d, round %d: lists count as fresh", w, round)
						}
						got, err := indexed(f.db).Events.Events(t.Context(), q, nil)
						if err != nil {
							t.Error(err)
						}
						want, err := plain.Session(nil).Events.Events(t.Context(), q, nil)
						if err != nil {
							t.Error(err)
						}
						if !slices.Equal(got.IDs, want.IDs) || got.Total != want.Total {
							t.Errorf("writer %d, round %d: %v, want %v", w, round, got, want)
						}
					}
				})
			}
			stop := make(chan struct{})
			var disturbance sync.WaitGroup
			disturbance.Go(func() { // the stream breaks and everything is read again
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					case <-time.After(150 * time.Millisecond):
					}
					if n%4 == 3 {
						tracker.Suspend()
						tracker.Resume(true)
					}
				}
			})
			disturbance.Go(func() { // readers of everything
				for {
					select {
					case <-stop:
						return
					default:
					}
					if _, err := indexed(f.db).Events.Events(t.Context(), wpstore.EventQuery{Occurrences: true, Limit: 10}, nil); err != nil {
						t.Error(err)
					}
				}
			})
			group.Wait()
			close(stop)
			disturbance.Wait()
			if by.n[eventindex.FromIndex] == 0 {
				t.Errorf("lists were answered by %v", by.n)
			}
			t.Logf("lists were answered by %v", by.n)
		})
	}
}

// pair opens an empty site, and a second time without an index.
func pair(t *testing.T, engine string, listed func(eventindex.Outcome)) (fixture, *sitedb.DB) {
	t.Helper()
	s := &messySite{by: map[eventindex.Outcome]int{}}
	s.open(t, engine, listed)
	return s.fixture, s.plain
}

// What does not touch lists leaves them fresh, and costs one query or two.
func TestSettleTellsOnlyOfDifferences(t *testing.T) {
	for _, engine := range wptest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := newMessySite(t, engine, i18n.WPML, true, 5)
			s.Insert("posts", row{"ID": 500, "post_type": wpstore.EventType, "post_status": "publish", "post_date": "2026-01-01 00:00:00"})
			s.messyOccurrence(500)
			s.tagged(invalidation.Tag{Kind: invalidation.Post, ID: 500})
			events := []invalidation.Tag{{Kind: invalidation.Events}}
			for _, c := range []struct {
				name    string
				change  string
				tags    []invalidation.Tag
				queries int
				fresh   bool
			}{
				{"nothing", "", nil, 0, true},
				{"a title", "UPDATE wp_posts SET post_title = 'x' WHERE ID = 500", []invalidation.Tag{{Kind: invalidation.Post, ID: 500}, {Kind: invalidation.Posts}}, 5, true},
				{"no event", "", []invalidation.Tag{{Kind: invalidation.Post, ID: 900_000}}, 1, true},
				{"a user", "", []invalidation.Tag{{Kind: invalidation.User, ID: 1}, {Kind: invalidation.Site}}, 0, true},
				{"a count of a term", "UPDATE wp_term_taxonomy SET count = count + 1", []invalidation.Tag{{Kind: invalidation.Term, ID: 1}, {Kind: invalidation.Terms}}, 1, true},
				{"a status", "UPDATE wp_posts SET post_status = 'draft' WHERE ID = 500", []invalidation.Tag{{Kind: invalidation.Post, ID: 500}}, 5, false},
				{"a new term without posts", "INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (7000, 7000, 'post_tag', '')",
					[]invalidation.Tag{{Kind: invalidation.Term, ID: 7000}, {Kind: invalidation.Terms}}, 2, true},
				{"many posts", "", manyPosts(850), 5, true},
			} {
				if c.change != "" {
					s.exec(c.change)
				}
				since := s.tracker.Generation()
				s.tracker.Invalidate(c.tags...)
				s.settles(wpstore.EventQuery{Occurrences: true}, c.queries)
				s.settles(wpstore.EventQuery{Occurrences: true}, 0)
				s.OK(s.listing.Refresh(t.Context()))
				if fresh := s.tracker.Fresh(since, events); fresh != c.fresh {
					t.Errorf("%s: fresh %v", c.name, fresh)
				}
			}
		})
	}
}

func manyPosts(n int64) (tags []invalidation.Tag) {
	for id := range n {
		tags = append(tags, invalidation.Tag{Kind: invalidation.Post, ID: id})
	}
	return tags
}

// tagged invalidates tags and settles.
func (s *messySite) tagged(tags ...invalidation.Tag) {
	s.t.Helper()
	s.tracker.Invalidate(tags...)
	s.OK(s.listing.Refresh(s.t.Context()))
}

// If the index cannot supply a list, the database does, and the reason is reported.
func TestListsThatTheIndexDoesNotAnswer(t *testing.T) {
	s := newMessySite(t, "sqlite", i18n.NoPlugin, true, 9)
	ask := func(q wpstore.EventQuery) eventindex.Outcome {
		t.Helper()
		before := map[eventindex.Outcome]int{}
		for by, n := range s.by {
			before[by] = n
		}
		_, err := indexed(s.db).Events.Events(t.Context(), q, nil)
		s.OK(err)
		for by, n := range s.by {
			if n != before[by] {
				if !slices.Contains(eventindex.Outcomes(), by) {
					t.Errorf("%q is none of the announced values", by)
				}
				return by
			}
		}
		return ""
	}
	all := wpstore.EventQuery{Occurrences: true, Limit: 5}
	with := func(change func(*wpstore.EventQuery)) wpstore.EventQuery {
		q := all
		change(&q)
		return q
	}
	for _, c := range []struct {
		by eventindex.Outcome
		q  wpstore.EventQuery
	}{
		{"index", all},
		{"search", with(func(q *wpstore.EventQuery) { q.Search = []wpstore.SearchTerm{{Text: "x"}} })},
		{"hidden", with(func(q *wpstore.EventQuery) { q.Hidden = true })},
		{"filter", with(func(q *wpstore.EventQuery) {
			q.Filters = []wpstore.EventFilter{{Name: wpstore.FilterIDs, Lacks: true, IDs: []int64{1}}}
		})},
		{"tickets", with(func(q *wpstore.EventQuery) { q.Tickets = &wpstore.TicketFilter{} })},
		{"text", with(func(q *wpstore.EventQuery) { q.Statuses = []string{"Publish"} })},
		{"id", with(func(q *wpstore.EventQuery) { q.Venues = []int64{-1} })},
		{"password", with(func(q *wpstore.EventQuery) { q.Passwords = []string{"X"} })},
	} {
		if by := ask(c.q); by != c.by {
			t.Errorf("answered by %q, want %q", by, c.by)
		}
	}
	_, err := sitedb.Write(t.Context(), indexed(s.db), sitedb.Writing{}, func(tx *sitedb.Tx) (int64, error) {
		_, n, err := eventIDs(t.Context(), &tx.Events, all)
		return n, err
	})
	s.OK(err)
	if _, _, err := eventIDs(t.Context(), &s.Events, all); err != nil {
		t.Fatal(err)
	}
	if s.by["index"] != 1 {
		t.Errorf("a transaction, or who wants the truth, was answered from the index: %v", s.by)
	}
	s.tracker.Suspend()
	if by := ask(all); by != "suspended" {
		t.Errorf("answered by %q while suspended", by)
	}
	s.tracker.Resume(false)
	if by := ask(all); by != "index" {
		t.Errorf("answered by %q after a pause", by)
	}
	s.tracker.InvalidateAll()
	if by := ask(all); by != "loading" {
		t.Errorf("answered by %q before everything is read", by)
	}
	wptest.AwaitRows(t, s.listing)
	if by := ask(all); by != "index" {
		t.Errorf("answered by %q afterwards", by)
	}
	// A query for dates of the other kind rebuilds the index with them.
	other := with(func(q *wpstore.EventQuery) { q.Occurrences = false })
	if by := ask(other); by != "dates" {
		t.Errorf("answered by %q, though the dates are others", by)
	}
	deadline := time.Now().Add(time.Minute)
	for ask(other) != "index" {
		if time.Now().After(deadline) {
			t.Fatal("the index does not adapt")
		}
		time.Sleep(10 * time.Millisecond)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 1})
	if err := s.listing.Refresh(ctx); !errors.Is(err, context.Canceled) && !errors.Is(err, wpstore.ErrUnavailable) {
		t.Errorf("settled without a database: %v", err)
	}
	s.settles(other, 4)
}

// Very many changes are read in the background.
func TestManyChangesAreReadInTheBackground(t *testing.T) {
	s := newMessySite(t, "sqlite", i18n.NoPlugin, true, 9)
	for range 30 {
		s.change()
	}
	since := s.tracker.Generation()
	s.exec("UPDATE wp_posts SET post_author = 77")
	s.tracker.Invalidate(manyPosts(5000)...)
	s.OK(s.listing.Refresh(t.Context()))
	if s.tracker.Fresh(since, []invalidation.Tag{{Kind: invalidation.Events}}) {
		t.Error("lists count as fresh")
	}
	clear(s.by)
	s.compare(20, true)
	for deadline := time.Now().Add(time.Minute); s.by[eventindex.FromIndex] == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the index does not catch up: %v", s.by)
		}
		s.compare(1, true)
	}
	s.compare(20, true)
}

// The dependencies of a list are recorded, whether it comes from the index or from the
// database.
func TestListsNoteWhatTheyDependOn(t *testing.T) {
	s := newMessySite(t, "sqlite", i18n.NoPlugin, true, 9)
	q := wpstore.EventQuery{Occurrences: true, Limit: 5}
	search := q
	search.Search = []wpstore.SearchTerm{{Text: "x"}}
	for name, db := range map[string]*sitedb.DB{"indexed": s.db, "plain": s.plain} {
		for _, c := range []struct {
			q    wpstore.EventQuery
			want int
		}{{q, 1}, {search, 2}} {
			noted := invalidation.NewDependencies()
			session := db.Session(noted)
			session.AllowCache()
			if _, err := session.Events.Events(t.Context(), c.q, nil); err != nil {
				t.Fatal(err)
			}
			if tags := noted.Tags(); len(tags) != c.want || !slices.Contains(tags, invalidation.Tag{Kind: invalidation.Events}) {
				t.Errorf("%s: %v", name, tags)
			}
		}
	}
}
