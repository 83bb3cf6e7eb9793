package sitedb_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/wptest"
)

// countedSite is a site whose binary log is followed, with the tags 1007 and 1008 and the
// category 1009, by their term_taxonomy ids, and a published event that has none of them.
type countedSite struct {
	fixture
	cfg  sitedb.Config
	stop func() // following
}

const untagged = 500

func newCountedSite(t testing.TB) *countedSite {
	tracker := invalidation.NewTracker()
	s := &countedSite{}
	s.fixture = newSite(t, "", func(cfg *sitedb.Config) {
		cfg.Database, cfg.Tracker = wptest.Address(t, wptest.Replicated(t)), tracker
		s.cfg = *cfg
	})
	s.Term(7, wpstore.TagTaxonomy, "Jazz", "jazz", 0, 0)
	s.Term(8, wpstore.TagTaxonomy, "Free", "free", 0, 0)
	s.Term(9, wpstore.CategoryTaxonomy, "Music", "music", 0, 0)
	s.Event(untagged, "2027-01-01 10:00:00", row{"post_name": "untagged", "post_title": "Untagged"})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.db.Feed.Follow(ctx, tracker, changefeed.Observer{}) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		s.OK(<-ended)
	})
	t.Cleanup(s.stop)
	await(t, "following", tracker.Active)
	return s
}

// await waits until something is so.
func await(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not %s", what)
		}
	}
}

// awaitFeed waits until the feed has applied all that was committed.
func (s *countedSite) awaitFeed() {
	s.t.Helper()
	await(s.t, "caught up", func() bool { return s.db.Feed.CatchUp(s.t.Context()) == nil })
}

// caughtUp returns a session of a request that may trust the feed.
func (s *countedSite) caughtUp() *sitedb.Session {
	session := s.db.Session(nil)
	session.CaughtUp()
	return session
}

// nextSession returns that of a request after a case has happened: one that may trust the feed,
// which has caught up, unless the case is that it can't.
func (s *countedSite) nextSession(name string) *sitedb.Session {
	switch name {
	case "the log isn't followed":
	case "the request isn't proved":
		return s.db.Session(nil)
	default:
		s.awaitFeed()
	}
	return s.caughtUp()
}

func tags(ids ...int64) edit.PostTermSet {
	return edit.PostTermSet{Taxonomy: wpstore.TagTaxonomy, IDs: ids}
}

// add adds an event.
func (s *countedSite) add(session *sitedb.Session, status string, sets ...edit.PostTermSet) (id int64) {
	s.t.Helper()
	ctx := context.Background()
	err := write(ctx, session, func(tx *sitedb.Tx) error {
		e := tx.PostEditor.New(wpstore.Post{Type: wpstore.EventType, Title: "Jazz night", Status: status, Author: 1})
		e.Terms = sets
		err := tx.PostEditor.Save(ctx, e)
		id = e.ID
		return err
	})
	if err != nil {
		s.t.Error(err)
	}
	return id
}

// change changes an event.
func (s *countedSite) change(id int64, do func(*edit.Posts, *edit.PostEdit) error) {
	s.t.Helper()
	ctx := context.Background()
	err := write(ctx, s.caughtUp(), func(tx *sitedb.Tx) error {
		e, err := tx.PostEditor.Edit(ctx, id)
		if err != nil || e == nil {
			return err
		}
		return do(tx.PostEditor, e)
	})
	if err != nil {
		s.t.Error(err)
	}
}

// unlogged runs statements that the binary log doesn't show.
func (s *countedSite) unlogged(statements ...string) {
	s.t.Helper()
	conn, err := s.db.SQL().Conn(s.t.Context())
	s.OK(err)
	defer conn.Close()
	for _, statement := range append(append([]string{"SET sql_log_bin = 0"}, statements...), "SET sql_log_bin = 1") {
		_, err := conn.ExecContext(s.t.Context(), statement)
		s.OK(err)
	}
}

func (s *countedSite) exec(statements ...string) {
	s.t.Helper()
	for _, statement := range statements {
		_, err := s.db.SQL().Exec(statement)
		s.OK(err)
	}
}

func (s *countedSite) number(query string) (n int64) {
	s.t.Helper()
	s.OK(s.db.SQL().QueryRow(query).Scan(&n))
	return n
}

const recounted = `SELECT COUNT(*) FROM wp_term_relationships tr JOIN wp_posts p ON p.ID = tr.object_id
	WHERE p.post_type = 'tribe_events' AND p.post_status = 'publish' AND tr.term_taxonomy_id = `

// TestVerifiedCounts: a write increments a count that an earlier write has left, but
// recounts if others may have changed something. A relation that was added without being
// logged distinguishes the two.
func TestVerifiedCounts(t *testing.T) {
	const counts, adds = true, false
	s := newCountedSite(t)
	for i, c := range []struct {
		name string
		do   func(s *countedSite)
		want bool
	}{
		{"nothing happens", func(*countedSite) {}, adds},
		{"an option changes", func(s *countedSite) { s.exec("UPDATE wp_options SET autoload = 'no'") }, adds},
		{"another write of ours", func(s *countedSite) { s.add(s.caughtUp(), "publish", tags(8)) }, adds},
		{"the count has changed", func(s *countedSite) { s.unlogged("UPDATE wp_term_taxonomy SET count = 40") }, counts},
		{"a post's title changes", func(s *countedSite) { s.exec("UPDATE wp_posts SET post_title = 'Other' LIMIT 1") }, adds},
		{"a post's status changes", func(s *countedSite) { s.exec("UPDATE wp_posts SET post_status = 'future' LIMIT 1") }, counts},
		{"a post's type changes", func(s *countedSite) { s.exec("UPDATE wp_posts SET post_type = 'page' LIMIT 1") }, counts},
		{"an occurrence changes", func(s *countedSite) { s.exec("UPDATE wp_tec_occurrences SET duration = 1 LIMIT 1") }, adds},
		{"a relation changes", func(s *countedSite) {
			s.exec("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (1, 1)")
		}, counts},
		{"a term changes", func(s *countedSite) { s.exec("UPDATE wp_terms SET term_group = 1 LIMIT 1") }, counts},
		{"a count changes and is set back", func(s *countedSite) {
			s.exec("UPDATE wp_term_taxonomy SET count = count + 1", "UPDATE wp_term_taxonomy SET count = count - 1")
		}, counts},
		{"a rolled back write of ours", func(s *countedSite) {
			_ = write(t.Context(), s.caughtUp(), func(tx *sitedb.Tx) error { return context.Canceled })
		}, adds},
		{"a term is deleted", func(s *countedSite) {
			s.OK(write(t.Context(), s.caughtUp(), func(tx *sitedb.Tx) error {
				found, err := tx.Terms.Terms(t.Context(), wpstore.TagTaxonomy, []int64{8})
				if err != nil {
					return err
				}
				return tx.TermEditor.Delete(t.Context(), found[8], false)
			}))
		}, counts},
		{"the request isn't proved", func(*countedSite) {}, counts},
		{"the log isn't followed", func(s *countedSite) { s.stop() }, counts},
	} {
		tag, post := int64(20+i), int64(100+i)
		s.Term(tag, wpstore.TagTaxonomy, c.name, fmt.Sprint("tag-", tag), 0, 0)
		s.Event(post, "2027-01-01 10:00:00", row{"post_name": c.name, "post_title": c.name})
		s.awaitFeed()
		s.add(s.caughtUp(), "publish", tags(tag))
		s.awaitFeed()
		s.unlogged(fmt.Sprintf("INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (%d, %d)", post, 1000+tag))
		c.do(s)
		session := s.nextSession(c.name)
		s.add(session, "publish", tags(tag))
		got := s.number(fmt.Sprintf("SELECT count FROM wp_term_taxonomy WHERE term_taxonomy_id = %d", 1000+tag))
		if got != map[bool]int64{counts: 3, adds: 2}[c.want] {
			t.Errorf("%s: count %d; recounts: %v", c.name, got, c.want)
		}
	}
}

// TestVerifiedCountsBesideOthers: whatever we, WordPress and raw SQL write beside each other,
// the counts are right after one more write of each term.
func TestVerifiedCountsBesideOthers(t *testing.T) {
	s := newCountedSite(t)
	var mu sync.Mutex
	events := []int64{untagged}
	anyEvent := func(rng *rand.Rand) int64 {
		mu.Lock()
		defer mu.Unlock()
		return events[rng.IntN(len(events))]
	}
	sets := func(rng *rand.Rand) []edit.PostTermSet {
		all := []edit.PostTermSet{tags(), tags(7), tags(7, 8), {Taxonomy: wpstore.CategoryTaxonomy, IDs: []int64{9}}, {Taxonomy: wpstore.CategoryTaxonomy}}
		return []edit.PostTermSet{all[rng.IntN(3)], all[3+rng.IntN(2)]}
	}
	ours := func(rng *rand.Rand) {
		id := anyEvent(rng)
		switch rng.IntN(6) {
		case 0, 1, 2:
			id = s.add(s.caughtUp(), []string{"publish", "publish", "draft"}[rng.IntN(3)], sets(rng)...)
			mu.Lock()
			events = append(events, id)
			mu.Unlock()
		case 3:
			s.change(id, func(posts *edit.Posts, e *edit.PostEdit) error {
				e.Terms = sets(rng)
				return posts.Save(context.Background(), e)
			})
		case 4:
			s.change(id, func(posts *edit.Posts, e *edit.PostEdit) error {
				e.Status, e.Terms = []string{"publish", "draft", "private"}[rng.IntN(3)], sets(rng)[:rng.IntN(3)]
				return posts.Save(context.Background(), e)
			})
		default:
			s.change(id, func(posts *edit.Posts, e *edit.PostEdit) error {
				if e.Status == "trash" {
					return posts.Delete(context.Background(), e, true)
				}
				return posts.Trash(context.Background(), e, "trash")
			})
		}
	}
	others := func(rng *rand.Rand) {
		id, tt := anyEvent(rng), 1007+rng.Int64N(3)
		if tt == 1010 {
			tt = 1009
		}
		statement := []string{
			fmt.Sprintf("INSERT IGNORE INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (%d, %d)", id, tt),
			fmt.Sprintf("DELETE FROM wp_term_relationships WHERE object_id = %d AND term_taxonomy_id = %d", id, tt),
			fmt.Sprintf("UPDATE wp_posts SET post_status = 'publish' WHERE ID = %d", id),
			fmt.Sprintf("UPDATE wp_posts SET post_status = 'draft' WHERE ID = %d", id),
			fmt.Sprintf("UPDATE wp_term_taxonomy SET count = %d WHERE term_taxonomy_id = %d", rng.IntN(9), tt),
		}[rng.IntN(5)]
		var n int64
		_, err := s.db.SQL().Exec(statement)
		if err == nil && rng.IntN(2) == 0 { // as WordPress does
			if err = s.db.SQL().QueryRow(recounted + fmt.Sprint(tt)).Scan(&n); err == nil {
				_, err = s.db.SQL().Exec("UPDATE wp_term_taxonomy SET count = ? WHERE term_taxonomy_id = ?", n, tt)
			}
		}
		if err != nil && err != sql.ErrNoRows {
			t.Log(err) // a deadlock
		}
	}
	for round := range uint64(4) {
		var group sync.WaitGroup
		for writer := range uint64(3) {
			group.Go(func() {
				rng := rand.New(rand.NewPCG(round, writer))
				for range 15 {
					ours(rng)
				}
			})
		}
		group.Go(func() {
			rng := rand.New(rand.NewPCG(round, 100))
			for range 12 * (round % 2) { // every other round is ours alone
				others(rng)
				time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
			}
		})
		group.Go(func() {
			for range 10 {
				s.OK(s.db.VerifyCounts(t.Context(), 0))
			}
		})
		group.Wait()
		s.awaitFeed()
		s.add(s.caughtUp(), "publish", tags(7, 8), edit.PostTermSet{Taxonomy: wpstore.CategoryTaxonomy, IDs: []int64{9}})
		for tt := 1007; tt <= 1009; tt++ {
			stored := s.number(fmt.Sprintf("SELECT count FROM wp_term_taxonomy WHERE term_taxonomy_id = %d", tt))
			if want := s.number(recounted + fmt.Sprint(tt)); stored != want {
				t.Errorf("round %d: the count of %d is %d, want %d", round, tt, stored, want)
			}
		}
	}
}
