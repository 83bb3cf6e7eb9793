package changefeed_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest"
)

// follower is a site whose binary log is followed.
type follower struct {
	site
	tracker *invalidation.Tracker

	mu         sync.Mutex
	tags       map[invalidation.Tag]bool
	everything int
	applied    int

	stop func() // following
}

// follow starts an empty site on a server of its own, and follows its log.
func follow(t *testing.T, change func(*config), options ...string) *follower {
	t.Helper()
	f := newFollower(t, wptest.Replicated(t, options...), change)
	f.run(changefeed.Observer{})
	return f
}

// newFollower makes an empty site. It doesn't follow yet.
func newFollower(t *testing.T, dsn string, change func(*config)) *follower {
	t.Helper()
	f := &follower{tracker: invalidation.NewTracker(), tags: map[invalidation.Tag]bool{}}
	f.site = newSite(t, dsn, change)
	f.tracker.Listen(f.listen)
	return f
}

// listen collects what is invalidated.
func (f *follower) listen(tags []invalidation.Tag, everything bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, tag := range tags {
		f.tags[tag] = true
	}
	if everything {
		f.everything++
	}
}

// run follows until the test ends, or f.stop is called.
func (f *follower) run(o changefeed.Observer) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	o.Applied = func(transactions int, _ time.Duration) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.applied += transactions
	}
	go func() { ended <- f.Follow(ctx, f.tracker, o) }()
	f.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			f.t.Error(err)
		}
	})
	f.t.Cleanup(f.stop)
	f.eventually("following", f.tracker.Active)
}

func (f *follower) eventually(what string, is func() bool) {
	f.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			f.t.Fatalf("not %s within two minutes", what)
		}
	}
}

// caughtUp waits for the feed, longer than a request would.
func (f *follower) caughtUp() {
	f.t.Helper()
	f.eventually("caught up", func() bool { return f.CatchUp(f.t.Context()) == nil })
}

// changes runs SQL and returns what that invalidated, in order of kinds.
func (f *follower) changes(statements ...string) (tags []invalidation.Tag, everything bool) {
	f.t.Helper()
	f.caughtUp()
	f.mu.Lock()
	clear(f.tags)
	f.everything = 0
	f.mu.Unlock()
	conn, err := f.SQL().Conn(f.t.Context())
	f.ok(err)
	defer conn.Close()
	for _, statement := range statements {
		if _, err := conn.ExecContext(f.t.Context(), statement); err != nil {
			f.t.Fatalf("%s: %v", statement, err)
		}
	}
	f.caughtUp()
	f.mu.Lock()
	defer f.mu.Unlock()
	return sorted(f.tags), f.everything > 0
}

// sorted returns tags in order of kinds.
func sorted(tags map[invalidation.Tag]bool) []invalidation.Tag {
	return slices.SortedFunc(maps.Keys(tags), func(a, b invalidation.Tag) int {
		return int(a.Kind)*1000 + int(a.ID) - int(b.Kind)*1000 - int(b.ID)
	})
}

// The names of kinds in the tests.
var kinds = map[invalidation.Kind]string{
	invalidation.Post: "post", invalidation.Term: "term", invalidation.User: "user", invalidation.Posts: "posts", invalidation.Events: "events",
	invalidation.Tickets: "tickets", invalidation.Terms: "terms", invalidation.Translations: "translations", invalidation.Site: "site", invalidation.Users: "users",
}

func tagText(tags []invalidation.Tag, everything bool) string {
	if everything {
		return "everything"
	}
	text := ""
	for _, tag := range tags {
		if text += " " + kinds[tag.Kind]; tag.ID != 0 {
			text += fmt.Sprint(tag.ID)
		}
	}
	return text
}

func TestFeedTellsWhatChanged(t *testing.T) {
	f := follow(t, nil)
	f.term(1, wpstore.CategoryTaxonomy, "A", "a", 0, 0)
	f.term(2, "language", "English", "en", 0, 0)
	f.term(3, "term_language", "English", "pll_en", 0, 0)
	f.term(4, "post_translations", "g", "g", 0, 0)
	insertPost := func(id int, kind string) string {
		return fmt.Sprintf("INSERT INTO wp_posts (ID, post_type, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered) VALUES (%d, '%s', '', '', '', '', '', '')", id, kind)
	}
	occurrence := "INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, end_date, start_date_utc, end_date_utc, hash) VALUES (1, 7, NOW(), NOW(), NOW(), NOW(), 'h')"
	for _, test := range []struct {
		run  []string
		want string
	}{
		{[]string{insertPost(7, "tribe_events")}, " post7 posts events"},
		{[]string{insertPost(8, "revision")}, " post8"},
		{[]string{"UPDATE wp_posts SET post_title = 'x'"}, " post7 post8 posts events"},
		{[]string{"UPDATE wp_posts SET post_title = 'x'"}, ""},
		{[]string{"INSERT INTO wp_postmeta (post_id, meta_key) VALUES (7, '_EventVenueID'), (9, 'a')"}, " post7 post9 posts events"},
		{[]string{"UPDATE wp_postmeta SET post_id = 10 WHERE post_id = 9"}, " post9 post10 posts events"},
		{[]string{"INSERT INTO wp_postmeta (post_id, meta_key) VALUES (7, '_edit_lock')"}, " post7"},
		{[]string{insertPost(11, "tribe_rsvp_tickets")}, " post11 posts events tickets"},
		{[]string{"INSERT INTO wp_postmeta (post_id, meta_key) VALUES (11, '_tribe_rsvp_for_event')"}, " post11 posts events tickets"},
		{[]string{"UPDATE wp_postmeta SET meta_key = '_stock' WHERE post_id = 11"}, " post11 posts events tickets"},
		{[]string{insertPost(12, "tec_tc_attendee")}, " post12 posts events tickets"},
		{[]string{"DELETE FROM wp_postmeta WHERE post_id = 11"}, " post11 posts events tickets"},
		{[]string{"DELETE FROM wp_posts WHERE ID IN (11, 12)"}, " post11 post12 posts events tickets"},
		{[]string{occurrence}, " post7 posts events"},
		{[]string{"DELETE FROM wp_tec_occurrences"}, " post7 posts events"},
		{[]string{"INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (7, 1001)"}, " post7 posts events"},
		{[]string{"INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (7, 1002)"}, " post7 posts events translations"},
		{[]string{"INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (1, 1003)"}, " term1 terms"},
		{[]string{"INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (1, 99)"}, " post1 term1 posts events terms translations"},
		{[]string{"UPDATE wp_term_taxonomy SET count = 3 WHERE term_id = 1"}, " term1 terms"},
		{[]string{"UPDATE wp_term_taxonomy SET count = 3 WHERE term_id = 2"}, " term2 terms"},
		{[]string{"UPDATE wp_term_taxonomy SET description = 'd' WHERE term_id = 2"}, " term2 terms site"},
		{[]string{"UPDATE wp_term_taxonomy SET description = 'd' WHERE term_id = 4"}, " term4 terms translations"},
		{[]string{"UPDATE wp_terms SET name = 'B' WHERE term_id = 1"}, " term1 terms"},
		{[]string{"UPDATE wp_terms SET name = 'B' WHERE term_id = 3"}, " term3 terms site"},
		{[]string{"INSERT INTO wp_termmeta (term_id) VALUES (5)"}, " term5 terms"},
		{[]string{"INSERT INTO wp_users (ID) VALUES (6)"}, " user6 users"},
		{[]string{"INSERT INTO wp_usermeta (user_id, meta_key) VALUES (6, 'session_tokens')"}, " user6"},
		{[]string{"INSERT INTO wp_options (option_name, option_value) VALUES ('cron', ''), ('_transient_x', '')"}, ""},
		{[]string{"INSERT INTO wp_options (option_name, option_value) VALUES ('Home', '')"}, " site"},
		{[]string{"INSERT INTO wp_options (option_name, option_value) VALUES ('wp_user_roles', '')"}, " site"},
		{[]string{"INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code) VALUES ('post_tribe_events', 7, 1, 'en')"},
			" post7 posts events translations"},
		{[]string{"UPDATE wp_icl_translations SET element_type = 'tax_tribe_events_cat', element_id = 1001"}, " post7 term1 posts events terms translations"},
		{[]string{"INSERT INTO wp_icl_languages (code, english_name, active) VALUES ('en', 'English', 1)"}, " site"},
		{[]string{"BEGIN", "DELETE FROM wp_posts WHERE ID = 7", "ROLLBACK"}, ""},
		{[]string{"CREATE TABLE other (id int)", "INSERT INTO other VALUES (1)", "ALTER TABLE other ADD x int", "DROP TABLE other"}, ""},
		{[]string{"CREATE TEMPORARY TABLE wp_posts_x (id int)", "INSERT INTO wp_posts_x VALUES (1)", "DROP TEMPORARY TABLE wp_posts_x"}, ""},
		{[]string{"SET binlog_format = STATEMENT", "UPDATE wp_posts SET post_title = 'y'", "SET binlog_format = ROW"}, "everything"},
		{[]string{"SET binlog_format = STATEMENT", "CREATE TABLE log (id int)", "INSERT INTO log VALUES (1)", "UPDATE log SET id = 2", "DELETE FROM log", "SET binlog_format = ROW"}, ""},
		{[]string{"SET binlog_format = STATEMENT", "UPDATE `wp_options` SET `option_value` = 'it\\'s \"x\"' WHERE `option_name` = 'cron'", "SET binlog_format = ROW"}, ""},
		{[]string{"SET binlog_format = STATEMENT", "UPDATE `wp_options` SET `option_value` = 'x' WHERE `option_name` = 'home'", "SET binlog_format = ROW"}, " site"},
		{[]string{"SET binlog_row_image = MINIMAL", "UPDATE wp_postmeta SET meta_value = 'y'", "SET binlog_row_image = FULL"}, " post7 post10 posts events"},
		{[]string{"ALTER TABLE wp_postmeta ADD extra int FIRST"}, "everything"},
		{[]string{"INSERT INTO wp_postmeta (post_id, meta_key) VALUES (11, 'a')"}, " post11 posts events"},
		{[]string{"TRUNCATE TABLE wp_postmeta"}, "everything"},
		{[]string{"DROP TABLE wp_termmeta"}, "everything"},
		{[]string{"XA START 'x'", "UPDATE wp_posts SET post_title = 'z'", "XA END 'x'", "XA PREPARE 'x'", "XA COMMIT 'x'"}, "everything"},
	} {
		if got := tagText(f.changes(test.run...)); got != test.want {
			t.Errorf("%q:\n got %s\nwant %s", test.run, got, test.want)
		}
	}
}
