package changefeed_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// shared is a network, and a hub that runs.
type shared struct {
	*sqlconn.Servers
	hub *changefeed.Hub
	t   *testing.T
}

func startHub(t *testing.T) *shared {
	t.Helper()
	cfg := sqlconn.Config{Database: wptest.Address(t, wptest.ReplicatedSite(t, "network").DSN)}
	servers, err := sqlconn.Open(t.Context(), cfg, func(string) []invalidation.Kind { return nil })
	if err != nil {
		t.Fatal(err)
	}
	n := &shared{Servers: servers, hub: changefeed.NewHub(servers), t: t}
	t.Cleanup(func() {
		if err := servers.Close(); err != nil {
			t.Error(err)
		}
	})
	run(t, n.hub)
	return n
}

// run runs a hub until the test ends.
func run(t *testing.T, hub *changefeed.Hub) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { hub.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
}

// site lets a site of the network join the hub. It leaves with stop.
func (n *shared) site(blog int64, o changefeed.Observer) *follower {
	n.t.Helper()
	f := &follower{tracker: invalidation.NewTracker(), tags: map[invalidation.Tag]bool{}}
	names, err := table.New(table.Config{Prefix: "wp_", BlogID: blog, Network: true})
	if err != nil {
		n.t.Fatal(err)
	}
	f.site = site{t: n.t, Servers: n.Share(*n.Config()), tables: names}
	f.Feed = f.feed(n.hub)
	f.tracker.Listen(f.listen)
	f.run(o)
	return f
}

// took returns what was invalidated since the last call.
func (f *follower) took() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	tags, everything := sorted(f.tags), f.everything > 0
	clear(f.tags)
	f.everything = 0
	return tagText(tags, everything)
}

// TestInspectFollowed checks that a log that a hub follows is not opened to find out whether it can be followed.
func TestInspectFollowed(t *testing.T) {
	t.Parallel()
	primary, _ := wptest.StartReplication(t, 0)
	primary.Exec("CREATE DATABASE calendar", "GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO site@'%'")
	f := newFollower(t, primary.DSN("calendar"), func(*config) {})
	hub := changefeed.NewHub(f.Servers)
	run(t, hub)
	f.eventually("followed", hub.Following)
	primary.Exec("REVOKE REPLICATION SLAVE ON *.* FROM site@'%'") // the open log stays open
	for _, c := range []struct {
		name    string
		hub     *changefeed.Hub
		refused bool
	}{
		{"no hub", nil, true},
		{"a hub that doesn't run", changefeed.NewHub(f.Servers), true},
		{"a hub that follows it", hub, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, err := changefeed.Inspect(t.Context(), f.Servers, f.tables, c.hub)
			if err != nil || (found.Denied || found.Err != nil) != c.refused {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
}

// TestHubRoutes checks that a change reaches the sites that it concerns, and no other.
func TestHubRoutes(t *testing.T) {
	n := startHub(t)
	main, second := n.site(1, changefeed.Observer{}), n.site(2, changefeed.Observer{})
	main.caughtUp()
	second.caughtUp()
	main.took()
	second.took()
	for _, c := range []struct{ name, run, main, second string }{
		{"a post of the main site", "UPDATE wp_posts SET post_title = 'x' WHERE ID = 45", " post45 posts events", ""},
		{"a post of the second site", "UPDATE wp_2_posts SET post_title = 'x' WHERE ID = 45", "", " post45 posts events"},
		{"an option of the main site", "UPDATE wp_options SET option_value = 'x' WHERE option_name = 'blogname'", " site", ""},
		{"an option of the second site", "UPDATE wp_2_options SET option_value = 'x' WHERE option_name = 'blogname'", "", " site"},
		{"a site that nobody serves", "UPDATE wp_7_posts SET post_title = 'x'", "", ""},
		{"a user", "UPDATE wp_users SET display_name = 'x' WHERE ID = 1", " user1 users", " user1 users"},
		{"metadata of a user", "INSERT INTO wp_usermeta (user_id, meta_key) VALUES (1, 'session_tokens')", " user1", " user1"},
		{"an option of the network", "UPDATE wp_sitemeta SET meta_value = 'x' WHERE meta_key = 'site_admins'", " site", " site"},
		{"a transient of the network", "INSERT INTO wp_sitemeta (site_id, meta_key, meta_value) VALUES (1, '_site_transient_x', '')", "", ""},
		{"a site that is archived", "UPDATE wp_blogs SET archived = 1 WHERE blog_id = 7", " site", " site"},
		{"a site's time of the last change", "UPDATE wp_blogs SET last_updated = '2026-12-01' WHERE blog_id = 2", "", ""},
		{"a statement about a table of the second site", "ALTER TABLE wp_2_postmeta ADD extra int", "", "everything"},
		{"a post after it", "UPDATE wp_posts SET post_title = 'y' WHERE ID = 45", " post45 posts events", ""},
		{"a table of the second site that is dropped", "DROP TABLE wp_2_term_taxonomy", "", "everything"},
		// Its terms can't be looked up, which must not end the session of the others.
		{"a change that needs that table", "INSERT INTO wp_2_term_relationships (object_id, term_taxonomy_id) VALUES (45, 99999)", "", "everything"},
		{"a post of the main site after it", "UPDATE wp_posts SET post_title = 'z' WHERE ID = 45", " post45 posts events", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			main.exec(c.run)
			main.caughtUp()
			second.caughtUp()
			if got := main.took(); got != c.main {
				t.Errorf("the main site: %q, want %q", got, c.main)
			}
			if got := second.took(); got != c.second {
				t.Errorf("the second site: %q, want %q", got, c.second)
			}
		})
	}
}

// TestHubOtherTables checks which sites of a network are told of tables that nobody follows, those of
// sites that are not open among them.
func TestHubOtherTables(t *testing.T) {
	n := startHub(t)
	main, second := others{}, others{}
	first := n.site(1, changefeed.Observer{Others: main.add})
	other := n.site(2, changefeed.Observer{Others: second.add})
	first.exec("CREATE TABLE wp_plugin (a int)")
	first.exec("CREATE TABLE wp_2_plugin (a int)")
	first.exec("CREATE TABLE wp_7_plugin (a int)")
	for _, c := range []struct{ name, run, main, second string }{
		{"a post of a site that is not open", "UPDATE wp_7_posts SET post_title = 'x' WHERE ID = 45", "", ""},
		{"a plugin's table of a site that is not open", "INSERT INTO wp_7_plugin VALUES (1)", "", ""},
		{"a table of it that is altered", "ALTER TABLE wp_7_plugin ADD b int", "", ""},
		{"a table of it that is dropped", "DROP TABLE wp_7_plugin", "", ""},
		{"a comment of the main site", "INSERT INTO wp_comments (comment_post_ID, comment_content, comment_author) VALUES (45, 'x', 'y')", "comments", ""},
		{"a plugin's table of the second site", "INSERT INTO wp_2_plugin VALUES (1)", "", "plugin"},
		{"a plugin's table that may be for all sites", "INSERT INTO wp_plugin VALUES (1)", "plugin", "plugin"},
		{"a registration", "INSERT INTO wp_signups (domain, path, title, user_login, meta) VALUES ('x', '/', 'x', 'x', 'x')", "signups", "signups"},
	} {
		t.Run(c.name, func(t *testing.T) {
			first.caughtUp()
			other.caughtUp()
			main.take()
			second.take()
			first.exec(c.run)
			first.caughtUp()
			other.caughtUp()
			if got := main.take(); got != c.main {
				t.Errorf("the main site: %q, want %q", got, c.main)
			}
			if got := second.take(); got != c.second {
				t.Errorf("the second site: %q, want %q", got, c.second)
			}
		})
	}
}

// others collects the names of other tables that have changed.
type others struct {
	mu    sync.Mutex
	names []string
}

func (o *others) add(names []string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names = append(o.names, names...)
}

func (o *others) take() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	names := strings.Join(o.names, " ")
	o.names = nil
	return names
}

// TestHubDatabaseDropped checks that the changes of a site arrive although the database of the site that
// the hub was made with is dropped.
func TestHubDatabaseDropped(t *testing.T) {
	dsn := wptest.Replicated(t)
	first := newSite(t, dsn, nil)
	name := first.Config().Database.MySQL.DBName
	_, err := first.SQL().Exec("CREATE DATABASE `" + name + "_second`")
	first.ok(err)
	second := newSite(t, strings.Replace(dsn, "/"+name, "/"+name+"_second", 1), nil)
	hub := changefeed.NewHub(first.Servers)
	run(t, hub)
	f := &follower{site: second, tracker: invalidation.NewTracker(), tags: map[invalidation.Tag]bool{}}
	f.Feed = f.feed(hub)
	f.tracker.Listen(f.listen)
	var s states
	f.run(changefeed.Observer{Following: s.add})
	f.caughtUp()
	f.exec("DROP DATABASE `" + name + "`")
	s.clear()
	f.cut()
	f.eventually("resumed", s.resumed)
	f.took()
	f.exec("INSERT INTO wp_usermeta (user_id) VALUES (7)")
	f.caughtUp()
	if got, want := f.took(), " user7"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHubLockedTable checks that a table of one site that is locked doesn't hold up the changes of the
// others.
func TestHubLockedTable(t *testing.T) {
	n := startHub(t)
	main, second := n.site(1, changefeed.Observer{}), n.site(2, changefeed.Observer{})
	second.caughtUp()
	second.took()
	conn, err := n.SQL().Conn(t.Context())
	main.ok(err)
	defer conn.Close()
	_, err = conn.ExecContext(t.Context(), "LOCK TABLES wp_2_term_taxonomy WRITE")
	main.ok(err)
	main.exec("INSERT INTO wp_2_term_relationships (object_id, term_taxonomy_id) VALUES (45, 99999)")
	main.exec("UPDATE wp_posts SET post_title = 'x' WHERE ID = 45")
	main.caughtUp()
	main.took()
	if got := second.took(); got != "everything" {
		t.Errorf("the second site: %q, want everything", got)
	}
	main.exec("INSERT INTO wp_2_term_relationships (object_id, term_taxonomy_id) VALUES (45, 99998)")
	main.exec("UPDATE wp_posts SET post_title = 'y' WHERE ID = 45")
	main.caughtUp()
	if got, want := main.took(), " post45 posts events"; got != want {
		t.Errorf("the main site: %q, want %q", got, want)
	}
}

// TestHubJoinAndLeave lets a site join and leave again and again while others write to it. Nothing that
// is fresh is stale, and a site that has left gets nothing more.
func TestHubJoinAndLeave(t *testing.T) {
	n := startHub(t)
	main := n.site(1, changefeed.Observer{})
	writing, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	defer writers.Wait()
	defer stop()
	for _, table := range []string{"wp_2_posts", "wp_2_posts", "wp_posts"} {
		writers.Go(func() {
			for writing.Err() == nil {
				if _, err := n.SQL().Exec("UPDATE " + table + " SET menu_order = menu_order + 1 WHERE ID = 45"); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(time.Millisecond)
			}
		})
	}
	order := func(f *follower) (value int64) {
		f.ok(n.SQL().QueryRow("SELECT menu_order FROM " + f.tables.Plain("posts") + " WHERE ID = 45").Scan(&value))
		return value
	}
	post := []invalidation.Tag{{Kind: invalidation.Post, ID: 45}}
	var changed int
	for range 8 {
		second := n.site(2, changefeed.Observer{})
		for range 10 {
			since := second.tracker.Generation()
			read := order(second)
			time.Sleep(2 * time.Millisecond)
			now := order(second)
			if second.CatchUp(t.Context()) != nil {
				continue
			}
			if second.tracker.Fresh(since, post) && now > read {
				t.Fatalf("%d is fresh although the row had %d before", read, now)
			}
			if now > read {
				changed++
			}
		}
		second.stop()
		left, read := second.tracker.Generation(), order(second)
		if second.tracker.Active() {
			t.Error("a site that has left is still active")
		}
		main.eventually("written again", func() bool { return order(second) > read })
		main.caughtUp()
		if second.tracker.Generation() != left {
			t.Error("a site that has left is still told of changes")
		}
	}
	if changed == 0 {
		t.Error("nothing changed while a site followed")
	}
}

// TestHubResumes checks that a connection that is killed, and a panic, suspend all sites, that all are
// resumed, and that no change is lost meanwhile.
func TestHubResumes(t *testing.T) {
	n := startHub(t)
	var s, s2 states
	var panics atomic.Bool
	main := n.site(1, changefeed.Observer{Following: s.add})
	second := n.site(2, changefeed.Observer{Following: s2.add, Hidden: func() {
		if panics.Swap(false) {
			panic("planted")
		}
	}})
	for i, c := range []struct {
		name    string
		end     func()
		resumes bool // where it was
	}{
		{"killed", main.cut, true},
		{"panic", func() {
			panics.Store(true)
			main.exec("DELETE FROM wp_2_posts WHERE ID = 45")
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			main.caughtUp()
			second.caughtUp()
			s.clear()
			s2.clear()
			main.took()
			second.took()
			c.end()
			main.eventually("resumed", func() bool { return s.resumed() && s2.resumed() })
			user := 100 + i
			main.exec(fmt.Sprintf("INSERT INTO wp_usermeta (user_id) VALUES (%d)", user))
			main.caughtUp()
			second.caughtUp()
			want := "everything"
			if c.resumes {
				want = fmt.Sprintf(" user%d", user)
			}
			for name, f := range map[string]*follower{"main": main, "second": second} {
				if got := f.took(); got != want {
					t.Errorf("the %s site: %q, want %q", name, got, want)
				}
			}
		})
	}
}
