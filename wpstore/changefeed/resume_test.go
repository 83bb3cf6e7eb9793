package changefeed_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
)

// states collects the states that the feed reports.
type states struct {
	mu  sync.Mutex
	all []bool
}

func (s *states) add(following bool, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, following)
}

// clear drops the states so far.
func (s *states) clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = nil
}

// resumed reports whether the log was lost and is followed again.
func (s *states) resumed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.all, false) && s.all[len(s.all)-1]
}

// cut ends the connection over which the log comes, and those that are left over.
func (f *follower) cut() {
	f.t.Helper()
	var all []int64
	rows, err := f.SQL().Query("SELECT ID FROM information_schema.processlist WHERE COMMAND LIKE 'Binlog Dump%'")
	f.ok(err)
	for rows.Next() {
		var id int64
		f.ok(rows.Scan(&id))
		all = append(all, id)
	}
	f.ok(rows.Err())
	if len(all) == 0 {
		f.t.Fatal("no connection reads the log")
	}
	for _, id := range all {
		const unknown = 1094 // it has just ended
		var refused *mysql.MySQLError
		if _, err := f.SQL().Exec("KILL ?", id); !errors.As(err, &refused) || refused.Number != unknown {
			f.ok(err)
		}
	}
}

func (f *follower) exec(statement string) {
	f.t.Helper()
	if _, err := f.SQL().Exec(statement); err != nil {
		f.t.Fatalf("%s: %v", statement, err)
	}
}

func (f *follower) invalidated(tag invalidation.Tag) (tags, everything bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tags[tag], f.everything > 0
}

func TestFeedGoesOnWhereItWas(t *testing.T) {
	f := follow(t, nil)
	f.stop()
	var s states
	f.run(changefeed.Observer{Following: s.add})
	f.post(1, "tribe_events", nil)
	f.caughtUp()
	f.mu.Lock()
	f.everything = 0
	clear(f.tags)
	f.mu.Unlock()
	since := f.tracker.Generation()

	f.cut()
	f.eventually("suspended", func() bool { return !f.tracker.Active() || s.resumed() })
	f.exec("INSERT INTO wp_usermeta (user_id) VALUES (5)")
	f.eventually("following again", func() bool { return s.resumed() && f.tracker.Active() })
	f.caughtUp()
	if tag, everything := f.invalidated(invalidation.Tag{Kind: invalidation.User, ID: 5}); !tag || everything {
		t.Errorf("invalidated the user %v, everything %v", tag, everything)
	}
	if !f.tracker.Fresh(since, []invalidation.Tag{{Kind: invalidation.Post, ID: 1}}) {
		t.Error("what did not change is not fresh any more")
	}
}

func TestFeedKeepsToItsSite(t *testing.T) {
	f := follow(t, func(cfg *config) {
		cfg.Tables.BlogID, cfg.Tables.CustomUsers = 3, "people"
	})
	f.exec("CREATE TABLE wp_posts LIKE wp_3_posts")
	f.exec("CREATE DATABASE other_site")
	f.exec("CREATE TABLE other_site.wp_3_postmeta LIKE wp_3_postmeta")
	f.exec("CREATE TABLE wp_sitemeta (meta_id int, site_id int, meta_key varchar(255), meta_value longtext)")
	for statement, want := range map[string]string{
		"INSERT INTO wp_3_postmeta (post_id) VALUES (4)": "post4 posts events",
		"INSERT INTO people (ID) VALUES (4)":             "user4 users",
		"INSERT INTO wp_usermeta (user_id) VALUES (4)":   "user4",
		"INSERT INTO wp_posts (ID, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered) VALUES (1, '', '', '', '', '', '')": "",
		"INSERT INTO other_site.wp_3_postmeta (post_id) VALUES (4)":                                                                                    "",
		"INSERT INTO wp_sitemeta (meta_key) VALUES ('site_admins')":                                                                                    "site",
		"INSERT INTO wp_sitemeta (meta_key) VALUES ('something')":                                                                                      "",
		"INSERT INTO wp_3_options (option_name) VALUES ('siteurl')":                                                                                    "site",
		"INSERT INTO wp_3_options (option_name) VALUES ('wp_3_user_roles')":                                                                            "site",
	} {
		if got := tagText(f.changes(statement)); got != want && got != " "+want {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
}

func TestCaughtUpSharesQuestions(t *testing.T) {
	const callers = 200
	var mu sync.Mutex
	asked := 0
	f := follow(t, func(cfg *config) {
		cfg.Observe = func(name string, _ time.Duration, _ error) {
			if name == "feed.position" {
				mu.Lock()
				defer mu.Unlock()
				asked++
			}
		}
	})
	f.caughtUp()
	f.eventually("sharing", func() bool { // where the machine lets them come together
		mu.Lock()
		asked = 0
		mu.Unlock()
		var group sync.WaitGroup
		var caughtUp atomic.Int64
		start := make(chan struct{})
		for range callers {
			group.Go(func() {
				<-start
				if err := f.CatchUp(t.Context()); err == nil {
					caughtUp.Add(1)
				} else if !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
			})
		}
		close(start)
		group.Wait()
		mu.Lock()
		defer mu.Unlock()
		t.Logf("%d questions for %d callers, %d of whom were answered in time", asked, callers, caughtUp.Load())
		return int64(asked) <= caughtUp.Load()/2
	})
	f.stop()
	if err := f.CatchUp(t.Context()); err == nil {
		t.Error("caught up although nothing is followed")
	}
	if f.tracker.Active() {
		t.Error("the tracker still follows")
	}
}
